import { escapeFormula, formatCsv, type CsvDownloadOptions } from '@headwater/csv'
import { resultColumns, type ResultColumn, type SeriesResult } from '../../series/series-result.ts'
import { decimalsIn, formatCellDate, formatCellNumber } from './format-cell.ts'
import {
  groupColumnId,
  tableColumn,
  type FooterValue,
  type TableColumn,
  type TableTile,
} from './table-tile.ts'

/** A displayed column: its settings and its column in the result. */
export interface DisplayColumn {
  /** Settings of the column. */
  settings: TableColumn
  /** The column in the result. */
  result: ResultColumn
  /** Whether cells are formatted as numbers. */
  isNumber: boolean
  /** Number of decimals of each number of the column. */
  decimals: number
}

/** Returns the header text of a column. */
export function headerOf({ settings, result }: DisplayColumn, timeZone: string): string {
  if (settings.header !== '') return settings.header
  if (settings.columnId === groupColumnId) return 'Group name'
  return result.kind === 'time' && result.name === 'Date' ? `Date (${timeZone})` : settings.columnId
}

/** Number of rows that determine the decimals of a column. */
const sampleRows = 500

/**
 * Returns all columns of a result. Columns with settings are in the order of the tile. Each other column precedes the first
 * of them that follows it in the data.
 * @param precision maximum number of decimals; null means the decimals of the numbers
 */
export function orderedColumns(
  result: SeriesResult,
  tile: Pick<TableTile, 'columns'>,
  precision: number | null = null,
): DisplayColumn[] {
  const inResult = resultColumns(result)
  const ordered = tile.columns.flatMap((settings) => {
    const column = inResult.find(({ name }) => name === settings.columnId)
    return column === undefined ? [] : [{ settings, column }]
  })
  for (const column of inResult) {
    if (ordered.some((known) => known.column === column)) continue
    const before = ordered.findIndex((known) => known.column.index > column.index)
    const entry = { settings: defaultColumn(column.name), column }
    ordered.splice(before === -1 ? ordered.length : before, 0, entry)
  }
  return ordered.map(({ settings, column }) => {
    const isNumber = settings.isNumber ?? column.kind === 'number'
    const decimals = isNumber ? columnDecimals(result, column.index, precision) : 0
    return { settings, result: column, isNumber, decimals }
  })
}

/** Returns the default settings of a column. */
function defaultColumn(columnId: string): TableColumn {
  return tableColumn.parse({ columnId })
}

/** A sort order. */
export interface Sorting {
  /** Id of the column. */
  columnId: string
  /** Ascending or descending. */
  order: 'asc' | 'desc'
}

/** Returns the stored sort order of a table. */
export function storedSortings({ sortingColumns }: Pick<TableTile, 'sortingColumns'>): Sorting[] {
  return sortingColumns.map(({ columnName, sortOrder }) => ({
    columnId: columnName,
    order: sortOrder === 'Ascending' ? 'asc' : 'desc',
  }))
}

/**
 * Sorts rows by columns: numbers as numbers, others as text, empty cells last. Equal rows keep their order, so without sorting the newest
 * rows come first.
 */
export function sortRows(
  rows: readonly string[][],
  columns: readonly DisplayColumn[],
  sortings: readonly Sorting[],
): readonly string[][] {
  const keys = sortings.flatMap(({ columnId, order }) => {
    const column = columns.find(({ settings }) => settings.columnId === columnId)
    return column === undefined
      ? []
      : [{ index: column.result.index, isNumber: column.isNumber, sign: order === 'asc' ? 1 : -1 }]
  })
  if (keys.length === 0) return rows
  return rows.toSorted((left, right) => {
    for (const { index, isNumber, sign } of keys) {
      const [a, b] = [left[index]!, right[index]!]
      if (a === b) continue
      if (a === '') return 1
      if (b === '') return -1
      const difference = isNumber ? Number(a) - Number(b) : a < b ? -1 : 1
      if (difference !== 0 && !Number.isNaN(difference)) return difference * sign
    }
    return 0
  })
}

/**
 * Returns the footer value of a column: a statistic of its numbers, or the number of filled cells. Empty if there are
 * no numbers.
 */
export function footerText(rows: readonly (readonly string[])[], index: number, value: FooterValue): string {
  if (value === '') return ''
  let [count, sum, low, high] = [0, 0, Infinity, -Infinity]
  for (const row of rows) {
    const cell = row[index]!
    if (cell === '') continue
    if (value === 'Count') {
      count++
      continue
    }
    const number = Number(cell)
    if (!Number.isFinite(number)) continue
    count++
    sum += number
    if (number < low) low = number
    if (number > high) high = number
  }
  if (value === 'Count') return String(count)
  if (count === 0) return ''
  const result = { Sum: sum, Average: sum / count, Minimum: low, Maximum: high }[value]
  return String(Number(result.toPrecision(12)))
}

/** Formats a table as CSV, without thousands separators and units. Unless `isExact`, cells that a spreadsheet would run as formulas are escaped. */
export function tableCsv(
  columns: readonly DisplayColumn[],
  rows: readonly string[][],
  timeZone: string,
  { isExact = false }: CsvDownloadOptions = {},
): string {
  const escaped = isExact ? (text: string) => text : escapeFormula
  return formatCsv([
    columns.map((column) => escaped(headerOf(column, timeZone))),
    ...rows.map((row) =>
      columns.map(({ result, isNumber }) => {
        const text = row[result.index]!
        return isNumber ? text : escaped(text)
      }),
    ),
  ])
}

/**
 * Returns the largest number of decimals in a column.
 * @param precision maximum; unlimited if null
 */
export function columnDecimals({ rows }: SeriesResult, index: number, precision: number | null): number {
  let most = 0
  for (let at = 0; at < Math.min(rows.length, sampleRows); at++)
    most = Math.max(most, decimalsIn(rows[at]![index]!))
  return Math.min(most, precision ?? 15)
}

/** Formats a cell: a number with decimals and unit, a date in the date format of the table. Long numbers have a line break. */
export function cellText(
  { settings, result, isNumber, decimals }: DisplayColumn,
  raw: string,
  dateFormat: string,
): string {
  if (isNumber)
    return formatCellNumber(raw, { unit: settings.unit, unitOnFront: settings.unitOnFront, decimals })
  if (result.kind !== 'time') return raw
  return dateFormat === '' ? raw.replace(/T00:00:00$/, '').replace('T', ' ') : formatCellDate(raw, dateFormat)
}
