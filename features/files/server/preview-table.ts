import { createFairQueue, type ContentStore } from '@headwater/server-kit'
import { previewTable, sourceOf, TableError } from '@headwater/tables'
import {
  fileErrors,
  maxTableCellLength,
  maxTableColumns,
  maxTableRows,
  tableFormatOf,
  type TablePreview,
} from '../contract/index.ts'
import type { ReadyFile } from './file-rows.ts'

/** Maximum number of concurrent previews. Each is a process with up to 0.5 GB of memory. */
const previewsAtOnce = 2
const previewsPerUser = 1
const waitingPerUser = 10
const maxPreviewMs = 20_000

/** Reads the first rows of a table. */
export type PreviewTable = (
  file: Pick<ReadyFile, 'name' | 'hash' | 'sizeBytes'>,
  request: { userId: number; sheet: number; signal: AbortSignal },
) => Promise<TablePreview>

/** Creates the function that reads previews of XLSX and Parquet files, a few at a time. */
export function createPreviewTable(contents: Pick<ContentStore, 'read'>): PreviewTable {
  const queue = createFairQueue({
    concurrency: previewsAtOnce,
    perOwner: previewsPerUser,
    releaseAfterMs: 2 * maxPreviewMs,
    tooManyOfOwner: { waiting: waitingPerUser, error: fileErrors.tooManyTablePreviews },
  })
  return async ({ name: fileName, hash, sizeBytes }, { userId, sheet, signal }) => {
    const table = tableFormatOf(fileName)
    if (table === undefined) throw fileErrors.notTableFile({ fileName })
    const { format, maxBytes } = table
    if (sizeBytes > maxBytes) throw fileErrors.tableTooLarge({ fileName, limitBytes: maxBytes })
    const slot = await queue.take({ owner: userId, signal })
    try {
      const source = sourceOf(sizeBytes, (range) => contents.read(hash, range))
      const limits = { signal: slot.signal, maxMs: maxPreviewMs }
      const preview = await previewTable(
        source,
        {
          format,
          sheet,
          maxRows: maxTableRows,
          maxColumns: maxTableColumns,
          maxCellLength: maxTableCellLength,
        },
        limits,
      )
      return { format, ...preview }
    } catch (error) {
      if (error instanceof TableError) throw fileErrors.tableNotReadable({ fileName, reason: error.message })
      throw error
    } finally {
      slot.end()
    }
  }
}
