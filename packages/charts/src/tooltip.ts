import { colorMark } from './legend.ts'
import type { Reading } from './reading.ts'
import { element } from './style-sheet.ts'

/** One line of the tooltip. */
export interface TipRow {
  /** Value and series of the line. */
  reading: Reading
  /** Formatted value. */
  text: string
  /** Time of the value, if it is not at the crosshair. */
  note: string
  /** Distance from the pointer in CSS pixels, to select rows if there are too many. */
  distance: number
}

const ROW = 18
const FRAME = 44

/** Fills the tooltip. If there are too many rows, shows those nearest to the pointer. Returns the visible rows. */
export function fillTooltip<Row extends TipRow>(
  tip: HTMLElement,
  title: string,
  rows: readonly Row[],
  height: number,
): readonly Row[] {
  const fitting = Math.max(3, Math.floor((height - FRAME) / ROW))
  const nearest =
    rows.length > fitting
      ? new Set(rows.toSorted((a, b) => a.distance - b.distance).slice(0, fitting - 1))
      : undefined
  const visible = nearest ? rows.filter((row) => nearest.has(row)) : rows
  tip.replaceChildren(element('b', '', title), ...visible.map(tipRow))
  if (nearest) tip.append(element('small', '', `+ ${rows.length - visible.length} more`))
  tip.hidden = false
  return visible
}

/** Moves the tooltip next to a position so that it fits inside the chart. */
export function positionTooltip(tip: HTMLElement, x: number, y: number, width: number, height: number): void {
  const { offsetWidth, offsetHeight } = tip
  const right = x + 12
  const left = right + offsetWidth <= width ? right : x - 12 - offsetWidth
  tip.style.left = `${Math.max(0, Math.min(left, width - offsetWidth))}px`
  tip.style.top = `${Math.max(0, Math.min(y, height - offsetHeight))}px`
}

function tipRow({ reading, text, note }: TipRow): HTMLElement {
  const row = element('div', 'hw-chart-row')
  row.append(colorMark(reading.series), element('span', 'hw-chart-name', reading.series.label))
  if (note) row.append(element('small', '', note))
  row.append(element('data', '', text))
  return row
}
