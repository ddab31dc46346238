import type { ChartWindow, ExportedRow } from './chart-handle.ts'
import { visibleSeries } from './model.ts'
import type { Model } from './model.ts'
import { columnLabels, mergedRows } from './table.ts'

/**
 * Returns the visible series in the window as rows after a header, see `Chart.toRows`.
 * @param xText formats the day of the year, which is not a timestamp
 */
export function exportRows(model: Model, view: ChartWindow, xText: (x: number) => string): ExportedRow[] {
  const { kind, format } = model.spec.x ?? {}
  const [name, formatX]: [string, (x: number) => string | number] =
    kind === 'number' ? ['x', (x) => x] : format === 'dayOfYear' ? ['day', xText] : ['time', isoTime]
  const rows: ExportedRow[] = [[name, ...columnLabels(visibleSeries(model))]]
  for (const { x, cells } of mergedRows(model, view)) rows.push([formatX(x), ...cells])
  return rows
}

function isoTime(x: number): string {
  return Math.abs(x) <= 8.64e15 ? new Date(x).toISOString() : String(x)
}
