import { isCalendarDate } from '@headwater/contract'
import { CsvError, formatCsv, parseCsv } from '@headwater/csv'
import type { SymbolMap, ValueColumn } from '../contract/index.ts'

/** Values of one symbol that are being edited: a date column and value columns, all as text. */
export interface ValuesGrid {
  /** Names of the value columns. */
  columns: readonly string[]
  /** Rows of a date and as many values as there are columns. */
  rows: readonly (readonly string[])[]
}

/** An invalid cell. */
export interface GridFault {
  /** Index of the row; -1 is the heading. */
  row: number
  /** Index of the column; 0 is the date. */
  column: number
  /** Error message. */
  message: string
}

/** Maximum number of rows; longer series are uploaded as files. */
export const maxGridRows = 1000
/** Maximum number of value columns. */
export const maxGridColumns = 20

/** Returns an empty grid. */
export function emptyGrid(columns: readonly string[] = ['Value']): ValuesGrid {
  return withEmptyRow({ columns, rows: [] })
}

/** Returns the grid with a changed cell, and an empty row at the end. */
export function withCell(grid: ValuesGrid, row: number, column: number, text: string): ValuesGrid {
  if (row < 0) return { ...grid, columns: grid.columns.with(column - 1, text) }
  const rows = grid.rows.map((cells, index) => (index === row ? cells.with(column, text) : cells))
  return withEmptyRow({ ...grid, rows })
}

/** Returns the grid with one more value column. */
export function withColumn(grid: ValuesGrid): ValuesGrid {
  if (grid.columns.length >= maxGridColumns) return grid
  return {
    columns: [...grid.columns, ''],
    rows: grid.rows.map((cells) => [...cells, '']),
  }
}

/** Returns the grid without a value column; `column` counts from 1. */
export function withoutColumn(grid: ValuesGrid, column: number): ValuesGrid {
  return {
    columns: grid.columns.toSpliced(column - 1, 1),
    rows: grid.rows.map((cells) => cells.toSpliced(column, 1)),
  }
}

/**
 * Returns the grid with a pasted block of cells from a spreadsheet or CSV, starting at a cell. A first line that begins with a name
 * instead of a date sets the names of the columns.
 */
export function withPasted(grid: ValuesGrid, row: number, column: number, text: string): ValuesGrid {
  let block = cellsOf(text)
  let next = grid
  const width = Math.min(column + Math.max(0, ...block.map((cells) => cells.length)), maxGridColumns + 1)
  while (next.columns.length + 1 < width) next = withColumn(next)
  const [head] = block
  if (column === 0 && head !== undefined && /^\p{L}/u.test(head[0] ?? '')) {
    const names = head.slice(1, next.columns.length + 1)
    next = { ...next, columns: next.columns.map((name, index) => names[index] ?? name) }
    block = block.slice(1)
  }
  const from = Math.max(row, 0)
  const rows = next.rows.map((cells) => [...cells])
  for (const [offset, cells] of block.slice(0, Math.max(0, maxGridRows - from)).entries()) {
    const at = from + offset
    rows[at] ??= Array.from({ length: next.columns.length + 1 }, () => '')
    for (const [index, cell] of cells.entries())
      if (column + index <= next.columns.length) rows[at]![column + index] = cell
  }
  return withEmptyRow({ ...next, rows })
}

/** Returns the rows that are not empty. */
export function filledRows({ rows }: ValuesGrid): { index: number; cells: readonly string[] }[] {
  return rows
    .map((cells, index) => ({ index, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

/** Returns the invalid cells, from the top. Existing columns of the group determine the type. */
export function gridFaults(grid: ValuesGrid, known: readonly ValueColumn[]): GridFault[] {
  const faults: GridFault[] = []
  const names = grid.columns.map((name) => name.trim())
  for (const [index, name] of names.entries()) {
    const message =
      name === ''
        ? 'Enter a name for the column.'
        : names.indexOf(name) < index
          ? 'This name is used twice.'
          : /^date$/i.test(name)
            ? 'The first column holds the dates.'
            : undefined
    if (message !== undefined) faults.push({ row: -1, column: index + 1, message })
  }
  const types = columnTypes(grid, known)
  for (const { index, cells } of filledRows(grid)) {
    if (!isDate(cells[0] ?? ''))
      faults.push({ row: index, column: 0, message: 'Enter the date as 2024-01-31 or 2024-01-31 16:30.' })
    for (const [at, type] of types.entries()) {
      const text = (cells[at + 1] ?? '').trim()
      const message = text === '' ? undefined : cellFault(text, type)
      if (message !== undefined) faults.push({ row: index, column: at + 1, message })
    }
  }
  return faults
}

/** Returns the types of the columns: those of the group, otherwise double if all values are numbers. */
export function columnTypes(grid: ValuesGrid, known: readonly ValueColumn[]): ValueColumn['type'][] {
  return grid.columns.map((name, index) => {
    const own = known.find((column) => column.name === name.trim())
    if (own !== undefined) return own.type
    const texts = filledRows(grid).map(({ cells }) => (cells[index + 1] ?? '').trim())
    return texts.every((text) => text === '' || isNumber(text)) ? 'double' : 'string'
  })
}

/** Formats the grid as an NCSV file of one symbol. */
export function toNcsv(symbol: SymbolMap, grid: ValuesGrid, known: readonly ValueColumn[]): string {
  const types = columnTypes(grid, known)
  const columns = grid.columns.map((name, index) => name.trim() + typeSigns[types[index]!])
  const lines = filledRows(grid).map(({ cells }) => [
    ...Object.values(symbol),
    cells[0]!.trim().replace(' ', 'T'),
    ...types.map((_, index) => (cells[index + 1] ?? '').trim()),
  ])
  const rows = [[...Object.keys(symbol), 'Date', ...columns], ...lines]
  return formatCsv(rows, '\n')
}

const typeSigns: Record<ValueColumn['type'], string> = {
  double: '',
  integer: '(I)',
  string: '(S)',
  date: '(D)',
}

function cellFault(text: string, type: ValueColumn['type']): string | undefined {
  if (type === 'double') return isNumber(text) ? undefined : 'Enter a number such as 12.5.'
  if (type === 'integer') return /^[-+]?\d{1,15}$/.test(text) ? undefined : 'Enter a whole number.'
  if (type === 'date') return isDate(text) ? undefined : 'Enter a date such as 2024-01-31.'
  return undefined
}

function isNumber(text: string): boolean {
  return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)
}

function isDate(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?)?$/.exec(text.trim())
  if (match === null) return false
  return (
    isCalendarDate(match[1]!) &&
    Number(match[2] ?? 0) < 24 &&
    Number(match[3] ?? 0) < 60 &&
    Number(match[4] ?? 0) < 60
  )
}

/** Splits copied text into cells at tabs; if there are none, at semicolons or commas. */
function cellsOf(text: string): string[][] {
  const separator = ['\t', ';', ','].find((sign) => text.includes(sign)) ?? '\t'
  return partsOf(text.replace(/[\r\n]+$/, ''), separator).map((cells) => cells.map((cell) => cell.trim()))
}

function partsOf(text: string, separator: string): string[][] {
  try {
    return parseCsv(text, { separator, keepsEmptyLines: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Unbalanced quotes are part of the text.
    return text.split(/\r?\n/).map((line) => line.split(separator))
  }
}

/** Appends an empty row if the last one has values, and rows up to a minimum of 4. */
function withEmptyRow(grid: ValuesGrid): ValuesGrid {
  const last = grid.rows.at(-1)
  const isUsed = last === undefined || last.some((cell) => cell !== '')
  if (!isUsed || grid.rows.length >= maxGridRows) return grid
  const width = grid.columns.length + 1
  const wanted = Math.max(4, grid.rows.length + 1) - grid.rows.length
  const rows = Array.from({ length: wanted }, () => Array.from({ length: width }, () => ''))
  return { ...grid, rows: [...grid.rows, ...rows] }
}
