import { answerColumns, type AnswerColumn, type SeriesAnswer } from '../../series/series-answer.ts'
import type { TableColumn, TableTile } from './table-tile.ts'
import { decimalsIn } from './format-cell.ts'

/** A column as it is shown: its settings and where it stands in the answer. */
export interface ShownColumn {
  settings: TableColumn
  answer: AnswerColumn
  isNumber: boolean
  /** Decimals each number of the column is written with. */
  decimals: number
}

/** How many rows are looked at to find how many decimals a column needs. */
const sampleRows = 500

/** All columns of an answer in the order of the tile: first those it knows, then the others. */
export function orderedColumns(answer: SeriesAnswer, tile: Pick<TableTile, 'columns'>): ShownColumn[] {
  const inAnswer = answerColumns(answer)
  const known = tile.columns.flatMap((settings) => {
    const column = inAnswer.find(({ name }) => name === settings.columnId)
    return column === undefined ? [] : [{ settings, column }]
  })
  const others = inAnswer
    .filter(({ name }) => tile.columns.every(({ columnId }) => columnId !== name))
    .map((column) => ({ settings: defaultColumn(column.name), column }))
  return [...known, ...others].map(({ settings, column }) => {
    const isNumber = settings.isNumber ?? column.kind === 'number'
    return {
      settings,
      answer: column,
      isNumber,
      decimals: isNumber ? sampleDecimals(answer, column.index) : 0,
    }
  })
}

/** A column without settings of its own. */
export function defaultColumn(columnId: string): TableColumn {
  return { columnId, header: '', hidden: false, textStyle: 'normal', unit: '', unitOnFront: false }
}

/** One way to sort. */
export interface Sorting {
  columnId: string
  order: 'asc' | 'desc'
}

/**
 * Rows in the order of some columns, the first one first; numbers as numbers, others as text, empty cells last. Equal
 * rows keep their order, so that without sorting the newest stand first, as they came.
 */
export function sortRows(
  rows: readonly string[][],
  columns: readonly ShownColumn[],
  sortings: readonly Sorting[],
): readonly string[][] {
  const keys = sortings.flatMap(({ columnId, order }) => {
    const column = columns.find(({ settings }) => settings.columnId === columnId)
    return column === undefined
      ? []
      : [{ index: column.answer.index, isNumber: column.isNumber, sign: order === 'asc' ? 1 : -1 }]
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

/** The table as CSV: what is shown, with thousands separators and units left out; cells that a spreadsheet would run are disarmed. */
export function tableCsv(columns: readonly ShownColumn[], rows: readonly string[][]): string {
  const lines = [
    columns.map(({ settings }) => csvCell(settings.header || settings.columnId, false)),
    ...rows.map((row) => columns.map(({ answer, isNumber }) => csvCell(row[answer.index]!, isNumber))),
  ]
  return `${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`
}

function csvCell(text: string, isNumber: boolean): string {
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function sampleDecimals({ rows }: SeriesAnswer, index: number): number {
  let most = 0
  for (let at = 0; at < Math.min(rows.length, sampleRows); at++)
    most = Math.max(most, decimalsIn(rows[at]![index]!))
  return most
}
