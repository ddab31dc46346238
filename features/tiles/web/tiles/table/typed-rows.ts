import { formatCsvRow, isEmptyLine } from '@headwater/csv'
import type { SeriesResult } from '../../../core/series/series-result.ts'
import { readTableText } from '../../../core/sources/read-table.ts'

/** The rows that were typed into a tile, as they are changed one by one. */
export interface TypedRows {
  header: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Reads typed rows; none when the text is no table. */
export function readTypedRows(text: string): TypedRows {
  try {
    const { header, rows }: SeriesResult = readTableText(text)
    return { header, rows }
  } catch {
    return { header: [], rows: [] }
  }
}

/** The text of typed rows: CSV. */
export function writeTypedRows({ header, rows }: TypedRows): string {
  return [header, ...rows].map(lineOf).join('\n')
}

/** A table with an empty row behind a place, or at its end; an empty table gets its first two columns. */
export function withNewRow(table: TypedRows, behind = table.rows.length - 1): TypedRows {
  const header = table.header.length === 0 ? ['Column 1', 'Column 2'] : table.header
  const row = header.map(() => '')
  return { header, rows: table.rows.toSpliced(behind + 1, 0, row) }
}

/** A table with a copy of a row behind it. */
export function withDuplicate(table: TypedRows, position: number): TypedRows {
  const row = table.rows[position]
  return row === undefined ? table : { ...table, rows: table.rows.toSpliced(position + 1, 0, [...row]) }
}

/** A table without a row. */
export function withoutRow(table: TypedRows, position: number): TypedRows {
  return { ...table, rows: table.rows.toSpliced(position, 1) }
}

/** A table with another text in a cell; a column that it does not have yet is added behind the others. */
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

/** The name of a column without the suffix of its type. */
function plainName(name: string): string {
  return /^(.*)\((?:MD-)?(?:S|DB|I|D)\)$/s.exec(name)?.[1] ?? (/^Date\([^)]*\)$/.test(name) ? 'Date' : name)
}

/** A row of one empty cell would be an empty line, which is no row: it gets a blank. */
function lineOf(row: readonly string[]): string {
  return formatCsvRow(isEmptyLine(row) ? [' '] : row)
}
