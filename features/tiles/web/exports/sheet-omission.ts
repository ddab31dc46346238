import { maxCellCharacters, maxSheetRows } from '@headwater/tile-data/core'
import { formatNumber } from '@headwater/web-kit'
import type { ExportTable } from './export-table.ts'

/**
 * Returns the note about rows and texts that the sheet of a table does not contain in full; undefined if it contains all.
 * @param ofTile sentence of the tile about omitted rows, for a table without its own
 */
export function sheetOmission(
  { rows, omission }: Pick<ExportTable, 'rows' | 'omission'>,
  ofTile?: string,
): string | undefined {
  const ofTable = omission ?? ofTile
  const ofFormat = formatOmission(rows)
  const sentences = [ofTable, ofFormat].filter((sentence) => sentence !== undefined)
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** Returns the note about rows and texts beyond the limits of XLSX; undefined if all of them fit. */
export function formatOmission(rows: ExportTable['rows']): string | undefined {
  const sentences = [omittedRows(rows.length), cutTexts(rows)].filter((sentence) => sentence !== undefined)
  if (sentences.length === 0) return undefined
  return [...sentences, 'Save the tile as CSV to export all of them.'].join(' ')
}

function omittedRows(rows: number): string | undefined {
  if (rows <= maxSheetRows) return undefined
  const [most, all] = [maxSheetRows, rows].map((count) => formatNumber(count))
  return `A sheet contains at most ${most} rows, so the last ${formatNumber(rows - maxSheetRows)} of ${all} rows are missing.`
}

function cutTexts(rows: ExportTable['rows']): string | undefined {
  let count = 0
  for (const row of rows.slice(0, maxSheetRows))
    for (const value of row) if (typeof value === 'string' && value.length > maxCellCharacters) count += 1
  if (count === 0) return undefined
  const texts =
    count === 1 ? 'a longer text is truncated' : `${formatNumber(count)} longer texts are truncated`
  return `A cell contains at most ${formatNumber(maxCellCharacters)} characters, so ${texts}.`
}
