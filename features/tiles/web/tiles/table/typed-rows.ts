import { formatCsvRow, isEmptyLine } from '@headwater/csv'
import { type SeriesResult, readTableText } from '@headwater/tile-data/core'

/** Rows that were typed into a tile. */
export interface TypedRows {
  /** Names of the columns. */
  header: readonly string[]
  /** Rows of cells as text. */
  rows: readonly (readonly string[])[]
}

/** Parses typed rows; none for an invalid table. */
export function readTypedRows(text: string): TypedRows {
  try {
    const { header, rows }: SeriesResult = readTableText(text)
    return { header, rows }
  } catch {
    return { header: [], rows: [] }
  }
}

/** Formats typed rows as CSV. */
export function writeTypedRows({ header, rows }: TypedRows): string {
  return [header, ...rows].map(lineOf).join('\n')
}

/** Adds an empty row after a position, or at the end. An empty table gets two columns. */
export function withNewRow(table: TypedRows, behind = table.rows.length - 1): TypedRows {
  const header = table.header.length === 0 ? ['Column 1', 'Column 2'] : table.header
  const row = header.map(() => '')
  return { header, rows: table.rows.toSpliced(behind + 1, 0, row) }
}

/** Duplicates a row. */
export function withDuplicate(table: TypedRows, position: number): TypedRows {
  const row = table.rows[position]
  return row === undefined ? table : { ...table, rows: table.rows.toSpliced(position + 1, 0, [...row]) }
}

/** Removes a row. */
export function withoutRow(table: TypedRows, position: number): TypedRows {
  return { ...table, rows: table.rows.toSpliced(position, 1) }
}

/** Changes the text of a cell. A new column is added at the end. */
export function withCell(table: TypedRows, position: number, column: string, text: string): TypedRows {
  const known = table.header.findIndex((name) => plainName(name) === column)
  const header = known === -1 ? [...table.header, column] : table.header
  const at = known === -1 ? table.header.length : known
  const rows = table.rows.map((row, index) => {
    const filled = known === -1 ? [...row, ''] : row
    return index === position ? filled.with(at, text) : filled
  })
  return { header, rows }
}

/** Returns the name of a column without its type suffix. */
function plainName(name: string): string {
  return /^(.*)\((?:MD-)?(?:S|DB|I|D)\)$/s.exec(name)?.[1] ?? (/^Date\([^)]*\)$/.test(name) ? 'Date' : name)
}

/** Formats a row. A row with one empty cell becomes a space, because an empty line is not a row. */
function lineOf(row: readonly string[]): string {
  return formatCsvRow(isEmptyLine(row) ? [' '] : row)
}
