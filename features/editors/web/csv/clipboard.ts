import { parseCsv } from '@headwater/csv'

/** Formats cells for the clipboard of spreadsheets: separated by tabs, quoted where needed. */
export function toClipboard(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) =>
      cells.map((cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\n')
}

/** Parses cells from the clipboard. Text that does not come from a spreadsheet is split at tabs and line endings. */
export function fromClipboard(text: string): string[][] {
  const rows = text.replace(/\r?\n$/, '')
  try {
    return parseCsv(rows, { separator: '\t', keepsEmptyLines: true })
  } catch {
    return rows.split(/\r?\n/).map((line) => line.split('\t'))
  }
}
