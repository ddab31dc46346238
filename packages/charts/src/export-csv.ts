import type { ChartWindow } from './chart-handle.ts'
import { shownSeries } from './model.ts'
import type { Model } from './model.ts'
import { mergedRows } from './table.ts'

/** The shown series in view as CSV with a header, see `Chart.toCsv`. */
export function writeCsv(model: Model, view: ChartWindow): string {
  const isTime = model.spec.x?.kind !== 'number'
  const lines = [
    [isTime ? 'time' : 'x', ...shownSeries(model).map(({ label }) => label)].map(textCell).join(','),
  ]
  for (const { x, cells } of mergedRows(model, view)) {
    lines.push(
      [isTime ? moment(x) : String(x), ...cells.map((value) => (value === null ? '' : String(value)))].join(
        ',',
      ),
    )
  }
  return `${lines.join('\r\n')}\r\n`
}

function moment(x: number): string {
  return Math.abs(x) <= 8.64e15 ? new Date(x).toISOString() : String(x)
}

function textCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
