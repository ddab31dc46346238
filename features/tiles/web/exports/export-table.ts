import { escapeFormula, formatCsv, type CsvCell } from '@headwater/csv'
import type { CellBar } from '../cells/cell-bar.ts'
import type { CellIconLook } from '../cells/CellIcon.tsx'

/** A column of a table that leaves the page. */
export interface ExportColumn {
  name: string
  kind: 'number' | 'time' | 'text'
  /** Decimals its numbers are written with; absent = as many as they have. */
  decimals?: number | undefined
  /** A number of a row as the tile writes it, with its unit; for paper. Absent = the number alone. */
  text?: ((value: number, row: number) => string) | undefined
}

/** How a cell looks; colours are CSS. */
export interface CellLook {
  color: string | undefined
  background: string | undefined
  isBold: boolean
  /** Absent = none. Files of a spreadsheet have no bars. */
  bar?: CellBar
  /** Absent = none. */
  icon?: CellIconLook
}

/** Rows that leave the page: numbers as numbers, times as local time `2026-01-31T00:00:00`, an empty cell is null. */
export interface ExportTable {
  columns: readonly ExportColumn[]
  rows: readonly (readonly (string | number | null)[])[]
  /** Which rows these are of more, as a sentence for people; absent = all, or what the tile itself says. */
  omission?: string | undefined
  /** How a cell of a row and a column looks; absent = no cell has a look of its own. */
  looks?: (row: number, column: number) => CellLook | undefined
}

/** The table as CSV (RFC 4180) without units and separators of thousands; texts that a spreadsheet would run are disarmed. */
export function csvOf({ columns, rows }: ExportTable): string {
  return csvOfRows([columns.map(({ name }) => name), ...rows])
}

/** The same of rows, the first of which names the columns. */
export function csvOfRows(rows: readonly (readonly CsvCell[])[]): string {
  return formatCsv(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
  )
}
