import { drawBars } from './draw-bars.ts'
import { drawDots } from './draw-dots.ts'
import { drawLine } from './draw-line.ts'
import type { Pen } from './pen.ts'
import { firstAt } from './points.ts'
import type { Projection } from './projection.ts'
import type { BarSlot, SeriesStyle } from './series-style.ts'

/**
 * Draws one series and returns the number of points used. With more than two points per pixel, a line or area is drawn
 * from the extremes of every pixel column, so that no minimum or maximum is lost. Otherwise it is drawn as a curve
 * through all points.
 */
export function drawSeries(pen: Pen, style: SeriesStyle, view: Projection, slot?: BarSlot): number {
  const { points } = style
  const start = firstAt(points, view.from)
  let end = firstAt(points, view.to, start)
  while (end < points.x.length && points.x[end] === view.to) end++
  pen.save()
  pen.globalAlpha = style.opacity
  pen.lineWidth = style.thickness
  pen.lineJoin = 'round'
  const drawn =
    style.kind === 'scatter'
      ? drawDots(pen, style, view, start, end)
      : style.kind === 'bars'
        ? drawBars(pen, style, view, start, end, slot!)
        : drawLine(pen, style, view, start, end)
  pen.restore()
  return drawn
}
