import type { ChartWindow } from './chart-handle.ts'
import { shownSeries } from './model.ts'
import type { Model } from './model.ts'
import { columnLabels, mergedRows } from './table.ts'

/**
 * The shown series in view as CSV with a header, see `Chart.toCsv`.
 * @param xText the words for a day of any year, which is no time
 */
export function writeCsv(model: Model, view: ChartWindow, xText: (x: number) => string): string {
  const { kind, format } = model.spec.x ?? {}
  const [name, place]: [string, (x: number) => string] =
    kind === 'number'
      ? ['x', String]
      : format === 'dayOfYear'
        ? ['day', (x: number) => textCell(xText(x))]
        : ['time', moment]
  const lines = [[name, ...columnLabels(shownSeries(model))].map(textCell).join(',')]
  for (const { x, cells } of mergedRows(model, view)) {
    lines.push([place(x), ...cells.map((value) => (value === null ? '' : String(value)))].join(','))
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
