import { useRef, useState } from 'react'
import { useSession } from '@headwater/accounts/web'
import { countOf, errorMessage, fieldErrors, isAbort, useTimeZone } from '@headwater/web-kit'
import { isSeriesFile, type ContentReceipt } from '../contract/index.ts'
import { uploadFile } from './files-client.ts'
import type { ImportDraft } from './import/import-draft.ts'
import type { ImportedSeries } from './import/send-import.ts'
import { suggestFileType, uploadFields, zonedToUtc, type UploadOptions } from './upload-plan.ts'

/** Maximum number of concurrent uploads. */
const parallelUploads = 3
/** Number of bytes at the beginning of a file that are read to suggest its type. */
const sniffedBytes = 4096

/** A file of an upload, with its progress. */
export interface UploadItem {
  /** Identifies the item in the list. */
  key: number
  /** The file to upload. */
  file: File
  /** Type of the file. */
  fileType: string
  /** Settings of the import of a CSV file as series; undefined to store the file unchanged. */
  draft?: ImportDraft | undefined
  /** Result of an import. */
  imported?: ImportedSeries | undefined
  /**
   * `failed`: the file did not arrive completely. `rejected`: it is not a valid file of its type, or could not be converted.
   */
  state: 'waiting' | 'converting' | 'sending' | 'ingesting' | 'done' | 'warning' | 'failed' | 'rejected'
  /** Fraction of the bytes that has been sent or, in the state `converting`, converted; 0 to 1. */
  progress: number
  /** Message of the server. */
  message: string
  /** Validation errors of the file by field, such as `fileType`. */
  errors: Readonly<Record<string, string>>
}

/** A file that was not uploaded or was rejected, with the message of the server. */
export interface UploadFailure {
  /** The file that failed. */
  file: File
  /** Message for the user. */
  message: string
}

/** Returns whether a file must still be sent, for the first time or again. */
export function isUnsent({ state }: UploadItem): boolean {
  return state === 'waiting' || state === 'failed' || state === 'rejected'
}

/** State and actions of an upload: its files, their changes, and sending several at once. */
export function useUploads({
  onFieldErrors,
}: {
  /** Called when the server rejects fields, with a sentence for each of them. */
  onFieldErrors: (errors: Record<string, string>) => void
}) {
  const timeZone = useTimeZone()
  const { userName } = useSession()
  const [items, setItems] = useState<UploadItem[]>([])
  const [sending, setSending] = useState(false)
  const nextKey = useRef(0)
  const abort = useRef(new AbortController())
  const unsent = items.filter(isUnsent)

  function change(key: number, part: Partial<UploadItem>): void {
    setItems((list) => list.map((item) => (item.key === key ? { ...item, ...part } : item)))
  }

  async function sendOne(
    item: UploadItem,
    groupName: string,
    options: UploadOptions,
  ): Promise<'arrived' | 'cancelled' | UploadFailure> {
    const isImport = item.draft !== undefined
    const { signal } = abort.current
    const fields = uploadFields(options, (date, time) => zonedToUtc(date, time, timeZone))
    change(item.key, { state: isImport ? 'converting' : 'sending', progress: 0, message: '', errors: {} })
    const onProgress = (progress: number) =>
      change(item.key, {
        progress,
        state: progress === 1 && (isImport || isSeriesFile(item.fileType)) ? 'ingesting' : 'sending',
      })
    try {
      let outcome: Partial<UploadItem> & Pick<UploadItem, 'state' | 'message'>
      if (item.draft === undefined) {
        const request = { groupName, fileName: item.file.name, fileType: item.fileType, fields }
        outcome = outcomeOf(await uploadFile(item.file, request, { signal, userName, onProgress }))
      } else {
        const { sendImport } = await import('./import/send-import.ts')
        const sent = await sendImport(item.file, item.draft, {
          groupName,
          fields,
          userName,
          signal,
          onConverting: (progress) => change(item.key, { progress }),
          onProgress,
        })
        outcome = 'problem' in sent ? { state: 'rejected', message: sent.problem } : importOutcome(sent)
      }
      change(item.key, { ...outcome, progress: 1 })
      return outcome.state === 'rejected' ? { file: item.file, message: outcome.message } : 'arrived'
    } catch (error) {
      const errors = fieldErrors(error)
      if (Object.keys(errors).length > 0) onFieldErrors(errors)
      const cancelled = isAbort(error)
      const text = cancelled ? 'Cancelled.' : errorMessage(error)
      change(item.key, { state: 'failed', message: text, errors })
      return cancelled ? 'cancelled' : { file: item.file, message: text }
    }
  }

  return {
    items,
    /** Number of files that still need to be sent, or sent again. */
    unsentCount: unsent.length,
    sending,
    setFileType: (key: number, fileType: string) =>
      change(key, { fileType, draft: undefined, state: 'waiting', progress: 0, message: '', errors: {} }),

    /**
     * Reads the beginning of a CSV file and suggests how it becomes series.
     * @param hasHeader whether the first row contains names; default detected
     */
    async beginImport({ key, file }: UploadItem, hasHeader?: boolean): Promise<void> {
      const { beginImport } = await import('./import/send-import.ts')
      const begun = await beginImport(file, timeZone, hasHeader)
      if ('problem' in begun) change(key, { errors: { import: begun.problem } })
      else change(key, { draft: begun, fileType: 'SOURCE', state: 'waiting', message: '', errors: {} })
    },

    /** Changes the settings of an import. */
    changeDraft: (key: number, edit: (before: ImportDraft) => ImportDraft) =>
      setItems((list) =>
        list.map((item) => {
          if (item.key !== key || item.draft === undefined) return item
          const draft = edit(item.draft)
          return draft === item.draft ? item : { ...item, draft, state: 'waiting', message: '', errors: {} }
        }),
      ),

    /** Shows the problems of imports with incomplete settings. Returns whether there are any. */
    async refusesDrafts(): Promise<boolean> {
      const drafts = unsent.flatMap(({ key, draft }) => (draft === undefined ? [] : [{ key, draft }]))
      if (drafts.length === 0) return false
      const { draftProblem } = await import('./import/import-draft.ts')
      const open = drafts.flatMap(({ key, draft }) => {
        const problem = draftProblem(draft)
        return problem === undefined ? [] : [{ key, problem }]
      })
      for (const { key, problem } of open) change(key, { errors: { import: problem } })
      return open.length > 0
    },

    remove: (key: number) => setItems((list) => list.filter((item) => item.key !== key)),
    cancel: () => abort.current.abort(),

    async add(files: readonly File[]): Promise<void> {
      const added = await Promise.all(
        files.map(async (file): Promise<UploadItem> => {
          const beginning = await file
            .slice(0, sniffedBytes)
            .text()
            .catch(() => '')
          const fileType = suggestFileType(file.name, beginning)
          return {
            key: nextKey.current++,
            file,
            fileType,
            state: 'waiting',
            progress: 0,
            message: '',
            errors: {},
          }
        }),
      )
      setItems((list) => [...list, ...added])
    },

    /** Uploads the unsent files to a group. `arrived` and `failures` do not include cancelled files. */
    async send(
      groupName: string,
      options: UploadOptions,
    ): Promise<{ arrived: number; complete: boolean; failures: UploadFailure[] }> {
      setSending(true)
      abort.current = new AbortController()
      const queue = [...unsent]
      let arrived = 0
      const failures: UploadFailure[] = []
      const worker = async () => {
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
          const result = await sendOne(item, groupName, options)
          if (result === 'arrived') arrived += 1
          else if (result !== 'cancelled') failures.push(result)
        }
      }
      await Promise.all(Array.from({ length: parallelUploads }, worker))
      setSending(false)
      return { arrived, complete: arrived === unsent.length, failures }
    },
  }
}

function importOutcome({ receipt, imported }: { receipt: ContentReceipt; imported: ImportedSeries }) {
  const { rowCount, symbolCount } = imported
  const outcome = outcomeOf(receipt)
  if (outcome.state !== 'done') return outcome
  const note = receipt.status === 'PROCESSING' ? `. ${outcome.message}` : ''
  const text = `${countOf(rowCount, 'row')} of ${countOf(symbolCount, 'symbol')} imported${note}`
  return { ...outcome, message: text, imported }
}

function outcomeOf(receipt: ContentReceipt): Pick<UploadItem, 'state' | 'message'> {
  switch (receipt.status) {
    case 'READY':
      return { state: 'done', message: receipt.message }
    case 'PROCESSING':
      return { state: 'done', message: 'Uploaded. Its series are still being ingested; see Statuses.' }
    case 'DUPLICATE':
      return {
        state: 'warning',
        message: receipt.message || 'The file contains no new data and was not stored.',
      }
    case 'REJECTED':
      return { state: 'rejected', message: receipt.message }
  }
}
