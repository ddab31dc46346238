import { TableError, type ByteSource, type TableRow } from '../table.ts'
import { maxSheetBytes, openWorkbook, workbookError, type OpenWorkbook } from './open-workbook.ts'
import { SheetRows } from './sheet-rows.ts'
import { scanPart } from './workbook.ts'

/** The part of a workbook to read. */
export interface XlsxOptions {
  /** Name of the sheet. Default: the first one. */
  sheet?: string | undefined
  /** Row that contains the column names, from 1. Default: the first row that is not empty. */
  headerRow?: number | undefined
}

/**
 * Maximum ratio of empty cells to cells with a value, for sheets with more than `freeEmptyCells` empty cells. Without
 * this limit, a small file could fill gigabytes.
 */
const maxEmptyPerValue = 100
const freeEmptyCells = 5_000_000
/**
 * Yields the rows of a sheet, beginning with the header. Rows are as wide as the header; empty rows are omitted.
 * @throws TableError
 */
export async function* xlsxRows(
  source: ByteSource,
  { sheet, headerRow = 1 }: XlsxOptions,
): AsyncGenerator<TableRow> {
  try {
    yield* sheetRows(await openWorkbook(source), sheet, headerRow)
  } catch (error) {
    throw workbookError(error)
  }
}

async function* sheetRows(
  { zip, workbook }: OpenWorkbook,
  name: string | undefined,
  headerRow: number,
): AsyncGenerator<TableRow> {
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
