import type { Pen } from './pen.ts'
import { across, along, type Projection } from './projection.ts'
import { byColor, ruleOf } from './series-colors.ts'
import type { SeriesStyle } from './series-style.ts'

const MANY_DOTS = 2000

/** Draws the points with these indexes as dots, faster than as circles. */
export type StampDots = (pen: Pen, style: SeriesStyle, view: Projection, dots: readonly number[]) => void

/** Draws dots, each pixel at most once. */
export function drawDots(pen: Pen, style: SeriesStyle, view: Projection, start: number, end: number): number {
  const { x, y } = style.points
  const width = Math.ceil(view.along) + 1
  const height = Math.ceil(view.across) + 1
  const seen = new Uint8Array(width * height)
  const dots: number[] = []
  for (let i = start; i < end; i++) {
    const value = y[i]!
    if (!(value >= view.min && value <= view.max)) continue
    const at = Math.round(across(view, value)) * width + Math.round(along(view, x[i]!))
    if (seen[at]) continue
    seen[at] = 1
    dots.push(i)
  }
  const radius = style.dotSize / 2
  byColor(pen, style, (rule) => {
    const mine = style.rules.length ? dots.filter((i) => ruleOf(style, y[i]!) === rule) : dots
    if (mine.length > MANY_DOTS && style.stampDots !== undefined) {
      style.stampDots(pen, style, view, mine)
      return
    }
    pen.beginPath()
    for (const i of mine) dot(pen, along(view, x[i]!), across(view, y[i]!), radius)
    pen.fill()
  })
  return dots.length
}

/** Adds a dot to the path. */
export function dot(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x + radius, y)
  pen.arc(x, y, radius, 0, 2 * Math.PI)
}
