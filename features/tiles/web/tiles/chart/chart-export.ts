import type { ChartSpec, ChartTable } from '@headwater/charts'
import type { ExportTable } from '../../exports/export-table.ts'

/** Returns the rows of a chart for export: times in UTC, numbers as numbers. */
export function tableOfChart({ columns, formats, rows }: ChartTable, x: ChartSpec['x']): ExportTable {
  const [first = 'x', ...labels] = columns
  const isTime = x?.kind !== 'number' && x?.format !== 'dayOfYear'
  const isNumber = x?.kind === 'number'
  return {
    columns: [
      { name: isTime ? 'Time (UTC)' : first, kind: isTime ? 'time' : isNumber ? 'number' : 'text' },
      ...labels.map((name, at) => ({ name, kind: 'number' as const, ...formats[at]! })),
    ],
    rows: rows.map(({ x: at, xText, cells }) => [
      isTime ? new Date(at).toISOString().slice(0, -1) : isNumber ? at : xText,
      ...cells,
    ]),
  }
}
