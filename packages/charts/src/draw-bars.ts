import { maxPointsPerPixel, columnPoints, toColumns } from './columns.ts'
import type { Pen } from './pen.ts'
import { firstAt } from './points.ts'
import { across, along, baseline, type Projection } from './projection.ts'
import { byColor, inColors, ruleOf } from './series-colors.ts'
import type { BarSlot, SeriesStyle } from './series-style.ts'

/** Draws the bars of a series and returns their number. */
export function drawBars(
  pen: Pen,
  style: SeriesStyle,
  view: Projection,
  start: number,
  end: number,
  slot: BarSlot,
): number {
  const { points } = style
  const base = baseline(view)
  const perX = view.along / (view.to - view.from)
  const slotWidth = Number.isFinite(slot.gap) ? slot.gap * perX : view.along / 3
  if (end - start > view.along * maxPointsPerPixel || slotWidth < 1.5) {
    const columns = toColumns(points, view.from, view.to, view.along)
    inColors(pen, style, view, () => {
      for (let i = 0; i < columns.size; i++) {
        const a = across(view, columns.min[i]!)
        const b = across(view, columns.max[i]!)
        const top = Math.min(a, b, base)
        pen.fillRect(columns.column[i]!, top, 1, Math.max(1, Math.max(a, b, base) - top))
      }
    })
    return columnPoints(columns)
  }
  const group = slot.histogram ? slotWidth : Math.min(slotWidth * 0.76, view.along / 4)
  const each = group / slot.count
  const space = slot.histogram || each < 4 ? 0 : Math.min(2, Math.round(each * 0.12))
  // Bars just outside the window may still reach into it.
  const from = firstAt(points, view.from - slot.gap)
  let to = end
  while (to < points.x.length && points.x[to]! <= view.to + slot.gap) to++
  let drawn = 0
  byColor(pen, style, (rule) => {
    pen.beginPath()
    for (let i = from; i < to; i++) {
      const value = points.y[i]!
      if (value !== value || ruleOf(style, value) !== rule) continue
      const left = along(view, points.x[i]!) - group / 2 + each * slot.index
      const x = Math.round(left)
      const y = across(view, value)
      const top = Math.min(y, base)
      pen.rect(x, top, Math.max(1, Math.round(left + each) - x - space), Math.max(1, Math.abs(base - y)))
      if (i >= start && i < end) drawn++
    }
    pen.fill()
  })
  return drawn
}
