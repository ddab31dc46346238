import { TableError, type ByteSource } from '../table.ts'
import {
  CellCutter,
  shortName,
  type TableColumnType,
  type TablePreview,
  type TablePreviewOptions,
} from '../table-preview.ts'
import { maxSheetBytes, openWorkbook, workbookError, type OpenWorkbook } from './open-workbook.ts'
import { SheetRows, type CellKind } from './sheet-rows.ts'
import { scanPart, type Workbook } from './workbook.ts'
import type { XmlHandler } from './xml-scanner.ts'

/** Maximum number of bytes of the XML of a sheet in which rows are counted. */
const maxCountedBytes = 100_000_000
const maxSheets = 200

/** A row with the types of its cells. */
interface TypedRow {
  number: number
  cells: string[]
  kinds: readonly (CellKind | undefined)[]
}

/**
 * Reads the beginning of a sheet.
 * @throws TableError
 */
export async function xlsxPreview(source: ByteSource, options: TablePreviewOptions): Promise<TablePreview> {
  try {
    return await readSheet(await openWorkbook(source), options)
  } catch (error) {
    throw workbookError(error)
  }
}

async function readSheet(
  { zip, workbook }: OpenWorkbook,
  { sheet: position, maxRows, maxColumns, maxCellLength }: TablePreviewOptions,
): Promise<TablePreview> {
  const { sheets } = workbook
  const sheet = sheets[position - 1]
  if (sheet === undefined)
    throw new TableError(
      sheets.length === 0
        ? 'The workbook has no sheet with cells.'
        : `The workbook has no sheet ${position}; it has ${sheets.length}.`,
    )
  const rows = new FirstRows(workbook, maxRows)
  let countedBytes = 0
  let isRowCountExact = false
  let problem: string | undefined
  try {
    for await (const size of scanPart(zip, sheet.path, maxSheetBytes, rows)) {
      countedBytes += size
      if (rows.isFull && countedBytes > maxCountedBytes) break
      isRowCountExact = size === 0
    }
  } catch (error) {
    const reason = workbookError(error)
    if (!rows.isFull || !(reason instanceof TableError)) throw reason
    problem = reason.message
  }
  const columnCount = Math.max(0, ...rows.first.map(({ cells }) => cells.length))
  const cutter = new CellCutter(maxCellLength)
  const width = Math.min(columnCount, maxColumns)
  return {
    sheets: sheets.slice(0, maxSheets).map(({ name }) => shortName(name)),
    sheetCount: sheets.length,
    columns: Array.from({ length: width }, (_, at) => ({
      name: labelOf(at),
      type: typeOf(rows.first, at),
    })),
    columnCount,
    columnsWithoutText: [],
    rows: rows.first.map(({ number, cells }) => ({
      number,
      cells: Array.from({ length: width }, (_, at) => (cells[at] ? cutter.cut(cells[at]) : null)),
    })),
    rowCount: rows.count,
    isRowCountExact,
    hasCutTexts: cutter.hasCut,
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Reads the first rows with a value, then counts the others without reading their cells. */
class FirstRows implements XmlHandler {
  readonly first: TypedRow[] = []
  /** Number of rows with a value so far. */
  count = 0
  readonly #sheet: SheetRows
  readonly #maxRows: number
  #hasValue = false

  constructor(workbook: Workbook, maxRows: number) {
    this.#sheet = new SheetRows(workbook, true)
    this.#maxRows = maxRows
  }

  get isFull(): boolean {
    return this.first.length >= this.#maxRows
  }

  open(name: string, attributes: string): void {
    if (!this.isFull) this.#sheet.open(name, attributes)
    else if (name === 'row') this.#hasValue = false
    else if (name === 'v' || name === 'is') this.#hasValue = true
  }

  text(part: string): void {
    if (!this.isFull) this.#sheet.text(part)
  }

  close(name: string): void {
    if (this.isFull) {
      if (name === 'row' && this.#hasValue) this.count++
      return
    }
    this.#sheet.close(name)
    if (name !== 'row') return
    for (const { number, cells } of this.#sheet.take())
      if (cells.length > 0) {
        this.first.push({ number, cells, kinds: this.#sheet.kinds })
        this.count++
      }
  }
}

/** Returns the type of a column. The first row can be a header, so its cell counts only if there are no other cells. */
function typeOf(rows: readonly TypedRow[], column: number): TableColumnType {
  const kindsOf = (some: readonly TypedRow[]) =>
    new Set(some.flatMap(({ kinds }) => (kinds[column] === undefined ? [] : [kinds[column]])))
  const below = kindsOf(rows.slice(1))
  const kinds = below.size === 0 ? kindsOf(rows) : below
  const [kind] = kinds
  return kinds.size > 1 ? 'mixed' : (kind ?? 'empty')
}

/** Returns the label of a column, such as A or AB. */
function labelOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : labelOf(Math.floor(index / 26) - 1) + last
}
