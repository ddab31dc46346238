import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { File } from '@headwater/files/contract'
import { newestFileVersion, refreshFiles, saveFileVersion } from '@headwater/files/web'
import { ApiError, message, toastError } from '@headwater/web-kit'

/** A confirmation before a save: the text has a problem, or a newer version exists. */
export type SaveConfirmation = { kind: 'problem'; problem: string } | { kind: 'newer'; newest: File }

/** Saves a text as a new version of its file. The user confirms a save with a problem or over a newer version. */
export function useSaving({
  file,
  problem,
  content,
  onSaved,
}: {
  /** The edited version. */
  file: File
  /** Returns the problem of the text. */
  problem: () => string | undefined
  /** Returns the text as content of a file. */
  content: () => Blob
  onSaved: () => void
}) {
  const client = useQueryClient()
  const [confirmation, setConfirmation] = useState<SaveConfirmation>()
  const [isBusy, setBusy] = useState(false)

  /** @param over the version to replace; if another one is the newest, the user confirms first */
  async function store(over: string): Promise<void> {
    setBusy(true)
    try {
      const newest = await newestFileVersion(file.fid)
      if (newest.fid === over) {
        await storeNow(over)
        // Stays busy until the tool closes, so that the text is not saved twice.
        return
      }
      setConfirmation({ kind: 'newer', newest })
    } catch (error) {
      const newest = await newerVersion(over, error)
      if (newest === undefined) toastError(error)
      else setConfirmation({ kind: 'newer', newest })
    }
    setBusy(false)
  }

  async function storeNow(over: string): Promise<void> {
    const receipt = await saveFileVersion(file, content(), over)
    if (receipt.status === 'REJECTED' || receipt.status === 'DUPLICATE')
      throw new Error(receipt.message || 'The text has not changed and was not saved.')
    message('New version of file has been saved.')
    refreshFiles(client)
    onSaved()
  }

  /** Returns the version that arrived during the upload, if the upload was refused for it. */
  async function newerVersion(than: string, error: unknown): Promise<File | undefined> {
    if (!(error instanceof ApiError) || error.code !== 'notNewestVersion') return undefined
    const newest = await newestFileVersion(file.fid).catch(() => undefined)
    return newest?.fid === than ? undefined : newest
  }

  return {
    isBusy,
    confirmation,
    dismiss: () => setConfirmation(undefined),
    save(): void {
      if (isBusy) return
      const currentProblem = problem()
      if (currentProblem === undefined) void store(file.fid)
      else setConfirmation({ kind: 'problem', problem: currentProblem })
    },
    /** Continues after the user confirmed. */
    confirm: () => void store(confirmation?.kind === 'newer' ? confirmation.newest.fid : file.fid),
  }
}
