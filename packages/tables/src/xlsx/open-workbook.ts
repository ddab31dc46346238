import { TableError, type ByteSource } from '../table.ts'
import { ZipError } from '../zip/zip-directory.ts'
import { openZip, type ZipSource } from '../zip/zip-source.ts'
import { readWorkbook, type Workbook } from './workbook.ts'

/** Maximum size of the XML of a sheet, in bytes. */
export const maxSheetBytes = 0xfffffffe
/** Maximum number of files in a workbook. */
const maxEntries = 10_000
/** First bytes of workbooks in the old XLS format and of workbooks with a password. */
const compoundFile = 'd0cf11e0'

/** A workbook and the archive that contains its sheets. */
export interface OpenWorkbook {
  /** The archive. */
  zip: ZipSource
  /** Its sheets, formats and shared texts. */
  workbook: Workbook
}

/**
 * Opens a workbook.
 * @throws TableError, ZipError
 */
export async function openWorkbook(source: ByteSource): Promise<OpenWorkbook> {
  const start = Buffer.from(await source.read(0, Math.min(4, source.sizeBytes)))
  if (start.toString('hex') === compoundFile)
    throw new TableError(
      'The workbook has a password or the old format XLS. Save it as XLSX without a password.',
    )
  const zip = await openZip(source, maxEntries)
  return { zip, workbook: await readWorkbook(zip) }
}

/** Converts the error for a damaged archive to an error for users. Returns other errors unchanged. */
export function workbookError(error: unknown): unknown {
  return error instanceof ZipError
    ? new TableError(`The file is not an XLSX workbook that can be read: ${error.message}.`)
    : error
}
