/** A cell to write: text, a number formatted as in JavaScript, or null for an empty cell. */
export type CsvCell = string | number | null

/**
 * Formats a cell. It is quoted only where needed: for a comma, a quote or a line break, for leading or trailing spaces,
 * which readers may trim, and for a leading `#`, which readers may interpret as a comment.
 */
export function formatCsvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  return /[",\r\n]|^[\s#]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Formats cells as a line, without a line break. */
export function formatCsvRow(cells: readonly CsvCell[]): string {
  return cells.map(formatCsvCell).join(',')
}

/**
 * Formats rows as CSV, with a line break after each.
 * @param lineEnd default CRLF, as RFC 4180 requires and spreadsheets expect
 */
export function formatCsv(rows: readonly (readonly CsvCell[])[], lineEnd: '\r\n' | '\n' = '\r\n'): string {
  return rows.map((cells) => formatCsvRow(cells) + lineEnd).join('')
}

/** Options of CSV for spreadsheets. */
export interface CsvDownloadOptions {
  /** Whether text is written unchanged even if a spreadsheet would run it as a formula. Default false. */
  isExact?: boolean
}

/** Prepends an apostrophe if a spreadsheet would run the text as a formula; returns any other text unchanged. */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
