import { formatNumber } from '@headwater/web-kit'
import { maxSheetRows } from '../../core/series/row-limits.ts'
import type { ExportTable } from './export-table.ts'

/**
 * Returns the note about rows that the sheet of a table does not contain; undefined if it contains all.
 * @param ofTile sentence of the tile about omitted rows, for a table without its own
 */
export function sheetOmission(
  { rows, omission }: Pick<ExportTable, 'rows' | 'omission'>,
  ofTile?: string,
): string | undefined {
  const ofTable = omission ?? ofTile
  const ofFormat = formatOmission(rows.length)
  const sentences = [ofTable, ofFormat].filter((sentence) => sentence !== undefined)
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Returns the note about rows beyond the limit of XLSX; undefined if all rows fit. */
export function formatOmission(rows: number): string | undefined {
  if (rows <= maxSheetRows) return undefined
  const [most, all] = [maxSheetRows, rows].map((count) => formatNumber(count))
  return `A sheet contains at most ${most} rows, so the last ${formatNumber(rows - maxSheetRows)} of ${all} rows are missing. Save the tile as CSV to export all of them.`
}
