import { cellText, headerOf, type DisplayColumn } from '@headwater/tile-data/core'
import type { ExportTable } from '../../exports/export-table.ts'
import { type CellLooksOf, exportedLook } from './cell-looks.ts'

/**
 * Returns the visible table for export, with numbers as numbers and the styles of cells.
 * @param looksOf computes the styles of cells
 */
export function exportTableOf(
  columns: readonly DisplayColumn[],
  rows: readonly (readonly string[])[],
  timeZone: string,
  looksOf: CellLooksOf,
): ExportTable {
  return {
    columns: columns.map((column) => ({
      name: headerOf(column, timeZone),
      kind: column.result.kind === 'time' ? 'time' : column.isNumber ? 'number' : 'text',
      decimals: column.isNumber ? column.decimals : undefined,
      // In print, a long number fits on one line.
      text: (_value, row) => cellText(column, rows[row]![column.result.index]!, '').replace('\n', ''),
    })),
    rows: rows.map((row) =>
      columns.map(({ result, isNumber }) => {
        const text = row[result.index]!
        if (text === '') return null
        const value = isNumber ? Number(text) : Number.NaN
        return Number.isFinite(value) ? value : text
      }),
    ),
    looks(row, at) {
      const column = columns[at]!
      const position = { columnId: column.settings.columnId, row, rows: rows.length }
      return exportedLook(looksOf(column, rows[row]![column.result.index]!, position))
    },
  }
}
