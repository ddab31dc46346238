import { TableError, type ByteSource, type TableRow } from '../table.ts'
import { ZipError } from '../zip/zip-directory.ts'
import { openZip } from '../zip/zip-source.ts'
import { SheetRows } from './sheet-rows.ts'
import { readWorkbook, scanPart } from './workbook.ts'

/** The part of a workbook to read. */
export interface XlsxOptions {
  /** Name of the sheet. Default: the first one. */
  sheet?: string | undefined
  /** Row that contains the column names, from 1. Default: the first row that is not empty. */
  headerRow?: number | undefined
}

const maxEntries = 10_000
const maxSheetBytes = 0xfffffffe
/**
 * Maximum ratio of empty cells to cells with a value, for sheets with more than `freeEmptyCells` empty cells. Without
 * this limit, a small file could fill gigabytes.
 */
const maxEmptyPerValue = 100
const freeEmptyCells = 5_000_000
/** First bytes of workbooks in the old XLS format and of workbooks with a password. */
const compoundFile = 'd0cf11e0'

/**
 * Yields the rows of a sheet, beginning with the header. Rows are as wide as the header; empty rows are omitted.
 * @throws TableError
 */
export async function* xlsxRows(
  source: ByteSource,
  { sheet, headerRow = 1 }: XlsxOptions,
): AsyncGenerator<TableRow> {
  const start = Buffer.from(await source.read(0, Math.min(4, source.sizeBytes)))
  if (start.toString('hex') === compoundFile)
    throw new TableError(
      'The workbook has a password or the old format XLS. Save it as XLSX without a password.',
    )
  try {
    yield* sheetRows(source, sheet, headerRow)
  } catch (error) {
    if (error instanceof ZipError)
      throw new TableError(`The file is not an XLSX workbook that can be read: ${error.message}.`)
    throw error
  }
}

async function* sheetRows(
  source: ByteSource,
  name: string | undefined,
  headerRow: number,
): AsyncGenerator<TableRow> {
  const zip = await openZip(source, maxEntries)
  const workbook = await readWorkbook(zip)
  const sheet = name === undefined ? workbook.sheets[0] : workbook.sheets.find((each) => each.name === name)
  if (sheet === undefined)
    throw new TableError(
      `The workbook has no sheet “${name ?? ''}”. Its sheets are ${workbook.sheets.map((each) => each.name).join(', ')}.`,
    )
  const rows = new SheetRows(workbook)
  let width: number | undefined
  let [values, empty] = [0, 0]
  for await (const _ of scanPart(zip, sheet.path, maxSheetBytes, rows))
    for (const row of rows.take()) {
      if (row.number < headerRow || row.cells.length === 0) continue
      width ??= row.cells.length
      if (row.cells.length > width)
        throw new TableError(
          `Row ${row.number} has ${row.cells.length} cells, but the header has ${width}. Choose the row of the header.`,
        )
      while (row.cells.length < width) row.cells.push('')
      const filled = row.cells.filter((cell) => cell !== '').length
      values += filled
      empty += width - filled
      if (empty > freeEmptyCells && empty > values * maxEmptyPerValue)
        throw new TableError(
          `Up to row ${row.number}, the sheet has ${values.toLocaleString('en')} cells with a value and ${empty.toLocaleString('en')} empty ones. Delete the empty columns, then save the workbook again.`,
        )
      yield row
    }
}
