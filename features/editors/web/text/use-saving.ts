import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ContentReceipt, File } from '@headwater/files/contract'
import { newestFileVersion, refreshFiles, saveFileVersion, saveNewFile } from '@headwater/files/web'
import { ApiError, message, toastError } from '@headwater/web-kit'
import { type DetailsState, savesNewFile } from '../details/use-file-details.ts'

/** A confirmation before a save: the text has a problem, or a newer version exists. */
export type SaveConfirmation = { kind: 'problem'; problem: string } | { kind: 'newer'; newest: File }

const lostFileText =
  'The file was not saved: it was deleted, or you no longer have access to it. Copy your text before you close the editor.'

/**
 * Saves a text: as a new version of its file, or as a new file if it has none yet or its name or group was changed. The user
 * confirms a save with a problem or over a newer version.
 */
export function useSaving({
  file,
  details,
  problem,
  content,
  saveVersion = saveFileVersion,
  onSaved,
}: {
  /** The edited version; undefined for a new file. */
  file: File | undefined
  /** Name, group and type to save. */
  details: DetailsState
  /** Returns the problem of the text. */
  problem: () => string | undefined
  /** Returns the text as content of a file. */
  content: () => Blob
  /** Saves a new version of a file. Default: an upload, as for any file. */
  saveVersion?: typeof saveFileVersion | undefined
  onSaved: () => void
}) {
  const client = useQueryClient()
  const [confirmation, setConfirmation] = useState<SaveConfirmation>()
  const [isBusy, setBusy] = useState(false)
  const { fileType } = details.details
  const replaced = file === undefined || savesNewFile(details.details, file) ? undefined : file

  /** @param over the version to replace; if it is not the newest version, the user must confirm first */
  async function store(over: string | undefined): Promise<void> {
    setBusy(true)
    try {
      if (replaced === undefined || over === undefined) {
        await storeAsNew()
        return
      }
      const newest = await newestFileVersion(replaced.fid)
      if (newest.fid === over) {
        await finish(
          await saveVersion({ ...replaced, fileType }, content(), over),
          'New version of file has been saved.',
        )
        // It stays busy until the tool closes, so that the text is not saved twice.
        return
      }
      setConfirmation({ kind: 'newer', newest })
    } catch (error) {
      const newest = await newerVersion(over, error)
      if (newest !== undefined) setConfirmation({ kind: 'newer', newest })
      else if (error instanceof ApiError && error.code === 'fileNotFound') toastError(new Error(lostFileText))
      else if (!details.showErrors(error)) toastError(error)
    }
    setBusy(false)
  }

  async function storeAsNew(): Promise<void> {
    await finish(await saveNewFile(details.details, content(), file), 'New file has been saved.')
  }

  async function finish(receipt: ContentReceipt, text: string): Promise<void> {
    if (receipt.status === 'REJECTED' || receipt.status === 'DUPLICATE')
      throw new Error(receipt.message || 'The text has not changed and was not saved.')
    message(text)
    // Waits until the list contains the new version before the tool closes, so that the old version cannot be opened
    // again.
    await refreshFiles(client)
    onSaved()
  }

  /** Returns the newer version if the upload was rejected because of it. */
  async function newerVersion(than: string | undefined, error: unknown): Promise<File | undefined> {
    if (replaced === undefined || !(error instanceof ApiError) || error.code !== 'notNewestVersion')
      return undefined
    const newest = await newestFileVersion(replaced.fid).catch(() => undefined)
    return newest?.fid === than ? undefined : newest
  }

  return {
    isBusy,
    confirmation,
    dismiss: () => setConfirmation(undefined),
    /** The file that gets a new version; undefined if the text becomes a new file. */
    replaced,
    /** Lets the user compare the text with a newer version, and replace or open this version. */
    resolve: (newest: File) => setConfirmation({ kind: 'newer', newest }),
    save(): void {
      if (isBusy || !details.validate()) return
      const currentProblem = problem()
      if (currentProblem === undefined) void store(replaced?.fid)
      else setConfirmation({ kind: 'problem', problem: currentProblem })
    },
    /** Continues after the user confirmed. */
    confirm: () => void store(confirmation?.kind === 'newer' ? confirmation.newest.fid : replaced?.fid),
  }
}
