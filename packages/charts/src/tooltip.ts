import { colorMark } from './legend.ts'
import type { Reading } from './reading.ts'
import { element } from './style-sheet.ts'

/** One line of the tooltip. */
export interface TipRow {
  reading: Reading
  text: string
  /** Where the value comes from, if not from the place of the crosshair. */
  note: string
  /** Distance from the pointer, to choose from too many rows. */
  distance: number
}

const ROW = 18
const FRAME = 44

/** Fills the tooltip; of more rows than fit those nearest to the pointer are shown. Answers the rows shown. */
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
  const shown = nearest ? rows.filter((row) => nearest.has(row)) : rows
  tip.replaceChildren(element('b', '', title), ...shown.map(tipRow))
  if (nearest) tip.append(element('small', '', `+ ${rows.length - shown.length} more`))
  tip.hidden = false
  return shown
}

/** Puts the tooltip beside a place, where it fits inside the chart. */
export function placeTooltip(tip: HTMLElement, x: number, y: number, width: number, height: number): void {
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
