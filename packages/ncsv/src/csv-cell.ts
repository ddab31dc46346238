/**
 * Text as a cell of a comma separated line: quoted only if it must be, that is with a comma, quote or line break, blanks at an
 * end, or a leading `#` (at the start of a line it would read as a comment).
 */
export function formatCsvCell(text: string): string {
  return /[",\r\n]|^[\s#]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
