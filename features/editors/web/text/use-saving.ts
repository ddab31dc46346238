import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { File } from '@headwater/files/contract'
import { newestFileVersion, refreshFiles, saveFileVersion } from '@headwater/files/web'
import { ApiError, message, toastError } from '@headwater/web-kit'

/** What is asked before a text is saved. */
export type SaveConfirmation = { kind: 'problem'; problem: string } | { kind: 'newer'; newest: File }

/** Saves a text as a new version of its file; asks when something is wrong with it, or when the file was changed meanwhile. */
export function useSaving({
  file,
  problem,
  content,
  onSaved,
}: {
  /** The version that is edited. */
  file: File
  /** What is wrong with the text now. */
  problem: () => string | undefined
  /** The text now, as content of a file. */
  content: () => Blob
  onSaved: () => void
}) {
  const client = useQueryClient()
  const [confirmation, setConfirmation] = useState<SaveConfirmation>()
  const [isBusy, setBusy] = useState(false)

  /** @param over the version that may be the newest one; of any other the user is told first */
  async function store(over: string): Promise<void> {
    setBusy(true)
    try {
      const newest = await newestFileVersion(file.fid)
      if (newest.fid === over) {
        await storeNow(over)
        // It stays busy: what is saved is not saved twice while the tool goes.
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

  /** The version that came while this one was on its way, when that is why it was refused. */
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
    /** Goes on after the confirmation was answered with yes. */
    confirm: () => void store(confirmation?.kind === 'newer' ? confirmation.newest.fid : file.fid),
  }
}
