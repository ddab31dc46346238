import type { ExportTable } from '../../exports/export-table.ts'
import { cellStyle } from './cell-looks.ts'
import type { TableRule } from '../../../contract/tiles/table/table-tile.ts'
import { headerOf, type ShownColumn } from '../../../contract/tiles/table/table-rows.ts'

/**
 * The table as rows that leave the page: what is shown, with numbers as numbers and the looks of cells.
 * @param rules its conditional formatting
 */
export function exportTableOf(
  columns: readonly ShownColumn[],
  rows: readonly (readonly string[])[],
  timeZone: string,
  rules: readonly TableRule[] = [],
): ExportTable {
  return {
    columns: columns.map((column) => ({
      name: headerOf(column, timeZone),
      kind: column.answer.kind === 'time' ? 'time' : column.isNumber ? 'number' : 'text',
      decimals: column.isNumber ? column.decimals : undefined,
    })),
    rows: rows.map((row) =>
      columns.map(({ answer, isNumber }) => {
        const text = row[answer.index]!
        if (text === '') return null
        const value = isNumber ? Number(text) : Number.NaN
        return Number.isFinite(value) ? value : text
      }),
    ),
    looks(row, at) {
      const { settings, answer } = columns[at]!
      const place = { columnId: settings.columnId, row, rows: rows.length }
      const style = cellStyle(settings, rules, rows[row]![answer.index]!, place)
      const { color, backgroundColor, fontWeight } = style ?? {}
      const isBold = fontWeight === 600
      if (color === undefined && backgroundColor === undefined && !isBold) return undefined
      return { color, background: backgroundColor, isBold }
    },
  }
}
