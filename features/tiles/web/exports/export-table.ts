import { escapeFormula, formatCsv, type CsvCell, type CsvDownloadOptions } from '@headwater/csv'
import type { CellBar } from '../cells/cell-bar.ts'
import type { CellIconLook } from '../cells/CellIcon.tsx'

/** A column of an exported table. */
export interface ExportColumn {
  /** Header. */
  name: string
  /** Kind of value in the cells. */
  kind: 'number' | 'time' | 'text'
  /** Number of decimals. Default: the decimals of the numbers. */
  decimals?: number | undefined
  /** Formats a number of a row with its unit, for print. Absent = the number alone. */
  text?: ((value: number, row: number) => string) | undefined
}

/** Style of an exported cell. */
export interface CellLook {
  /** CSS colour of the text; undefined means default. */
  color: string | undefined
  /** CSS colour of the background; undefined if there is none. */
  background: string | undefined
  /** Whether the text is bold. */
  isBold: boolean
  /** Bar behind the value. Default: no bar. Spreadsheets do not support bars. */
  bar?: CellBar
  /** Icon before the value. Default: no icon. */
  icon?: CellIconLook
}

/** An exported table: numbers as numbers, times as local time `2026-01-31T00:00:00`, empty cells as null. */
export interface ExportTable {
  /** The columns in their order. */
  columns: readonly ExportColumn[]
  /** The rows, each as wide as the columns. */
  rows: readonly (readonly (string | number | null)[])[]
  /** Sentence about omitted rows. Default: the sentence of the tile, if rows are omitted. */
  omission?: string | undefined
  /** Returns the style of a cell. Default: no styles. */
  looks?: (row: number, column: number) => CellLook | undefined
}

/** Formats a table as CSV (RFC 4180), without units and thousands separators. Unless `isExact`, text that a spreadsheet would run as a formula is escaped. */
export function csvOf({ columns, rows }: ExportTable, options?: CsvDownloadOptions): string {
  return csvOfRows([columns.map(({ name }) => name), ...rows], options)
}

/** Formats rows as CSV, like csvOf. The first row is the header. */
export function csvOfRows(
  rows: readonly (readonly CsvCell[])[],
  { isExact = false }: CsvDownloadOptions = {},
): string {
  if (isExact) return formatCsv(rows)
  return formatCsv(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
  )
}
