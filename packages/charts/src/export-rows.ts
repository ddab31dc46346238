import type { ChartWindow, ExportedRow } from './chart-handle.ts'
import { shownSeries } from './model.ts'
import type { Model } from './model.ts'
import { columnLabels, mergedRows } from './table.ts'

/**
 * The shown series in view as rows behind a header, see `Chart.toRows`.
 * @param xText the words for a day of any year, which is no time
 */
export function exportRows(model: Model, view: ChartWindow, xText: (x: number) => string): ExportedRow[] {
  const { kind, format } = model.spec.x ?? {}
  const [name, place]: [string, (x: number) => string | number] =
    kind === 'number' ? ['x', (x) => x] : format === 'dayOfYear' ? ['day', xText] : ['time', moment]
  const rows: ExportedRow[] = [[name, ...columnLabels(shownSeries(model))]]
  for (const { x, cells } of mergedRows(model, view)) rows.push([place(x), ...cells])
  return rows
}

function moment(x: number): string {
  return Math.abs(x) <= 8.64e15 ? new Date(x).toISOString() : String(x)
}
