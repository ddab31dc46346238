import type { CellBar } from '../components/cell-bar.ts'
import type { CellIconLook } from '../components/CellIcon.tsx'

/** A column of a table that leaves the page. */
export interface ExportColumn {
  name: string
  kind: 'number' | 'time' | 'text'
  /** Decimals its numbers are written with; absent = as many as they have. */
  decimals?: number | undefined
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

/** A text that a spreadsheet would run as a formula, with an apostrophe before it; any other as it is. */
export function disarmed(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** The table as CSV (RFC 4180) without units and separators of thousands; texts that a spreadsheet would run are disarmed. */
export function csvOf({ columns, rows }: ExportTable): string {
  const lines = [columns.map(({ name }) => cellOf(name)), ...rows.map((row) => row.map(cellOf))]
  return `${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = disarmed(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
