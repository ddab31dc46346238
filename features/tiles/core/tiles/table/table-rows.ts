import { escapeFormula, formatCsv } from '@headwater/csv'
import { resultColumns, type ResultColumn, type SeriesResult } from '../../series/series-result.ts'
import { decimalsIn, formatCellDate, formatCellNumber } from './format-cell.ts'
import {
  groupColumnId,
  tableColumn,
  type FooterValue,
  type TableColumn,
  type TableTile,
} from './table-tile.ts'

/** A column as it is shown: its settings and where it stands in the answer. */
export interface DisplayColumn {
  settings: TableColumn
  result: ResultColumn
  isNumber: boolean
  /** Decimals each number of the column is written with. */
  decimals: number
}

/** The text of the header of a column. */
export function headerOf({ settings, result }: DisplayColumn, timeZone: string): string {
  if (settings.header !== '') return settings.header
  if (settings.columnId === groupColumnId) return 'Group name'
  return result.kind === 'time' && result.name === 'Date' ? `Date (${timeZone})` : settings.columnId
}

/** How many rows are looked at to find how many decimals a column needs. */
const sampleRows = 500

/**
 * All columns of an answer: those the tile knows in its order, each other one before the first of them that stands
 * behind it in the data.
 * @param precision decimals that numbers have at most; null = as many as they have
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

/** A column without settings of its own. */
export function defaultColumn(columnId: string): TableColumn {
  return tableColumn.parse({ columnId })
}

/** One way to sort. */
export interface Sorting {
  columnId: string
  order: 'asc' | 'desc'
}

/** How the rows of a table are sorted until somebody sorts them otherwise. */
export function storedSortings({ sortingColumns }: Pick<TableTile, 'sortingColumns'>): Sorting[] {
  return sortingColumns.map(({ columnName, sortOrder }) => ({
    columnId: columnName,
    order: sortOrder === 'Ascending' ? 'asc' : 'desc',
  }))
}

/**
 * Rows in the order of some columns, the first one first; numbers as numbers, others as text, empty cells last. Equal
 * rows keep their order, so that without sorting the newest stand first, as they came.
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

/** What the row at the bottom tells of a column: of its numbers, and how many cells are filled; empty without any. */
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

/** The table as CSV: what is shown, with thousands separators and units left out; cells that a spreadsheet would run are disarmed. */
export function tableCsv(
  columns: readonly DisplayColumn[],
  rows: readonly string[][],
  timeZone: string,
): string {
  return formatCsv([
    columns.map((column) => escapeFormula(headerOf(column, timeZone))),
    ...rows.map((row) =>
      columns.map(({ result, isNumber }) => {
        const text = row[result.index]!
        return isNumber ? text : escapeFormula(text)
      }),
    ),
  ])
}

/**
 * Decimals that each number of a column is written with: as many as one of them has.
 * @param precision the most; null = as many as they have
 */
export function columnDecimals({ rows }: SeriesResult, index: number, precision: number | null): number {
  let most = 0
  for (let at = 0; at < Math.min(rows.length, sampleRows); at++)
    most = Math.max(most, decimalsIn(rows[at]![index]!))
  return Math.min(most, precision ?? 15)
}

/** A cell as it is shown: a number with its decimals and its unit, a date as the table writes dates; long numbers have a line break. */
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
