/** A cell to write: texts, numbers as JavaScript writes them, and null for an empty cell. */
export type CsvCell = string | number | null

/**
 * Text as a cell between commas. It is quoted only if it must be: with a comma, a quote or a line break, with blanks at an end, which readers
 * would drop, or with a leading `#`, which reads as a comment at the start of a line.
 */
export function formatCsvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  return /[",\r\n]|^[\s#]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Cells as a line, without its end. */
export function formatCsvRow(cells: readonly CsvCell[]): string {
  return cells.map(formatCsvCell).join(',')
}

/**
 * Rows as CSV, with a line end behind each.
 * @param lineEnd default CRLF, which RFC 4180 wants and spreadsheets expect
 */
export function formatCsv(rows: readonly (readonly CsvCell[])[], lineEnd: '\r\n' | '\n' = '\r\n'): string {
  return rows.map((cells) => formatCsvRow(cells) + lineEnd).join('')
}

/** Text with an apostrophe before it if a spreadsheet would run it as a formula; any other text unchanged. */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
