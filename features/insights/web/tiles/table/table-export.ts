import type { ExportTable } from '../../exports/export-table.ts'
import { headerOf, type ShownColumn } from './table-rows.ts'

/** The table as rows that leave the page: what is shown, with numbers as numbers. */
export function exportTableOf(
  columns: readonly ShownColumn[],
  rows: readonly (readonly string[])[],
  timeZone: string,
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
  }
}
