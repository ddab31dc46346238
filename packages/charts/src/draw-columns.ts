import type { Columns } from './columns.ts'
import type { Pen } from './pen.ts'
import { across, baseline, type Projection } from './projection.ts'
import { AREA_OPACITY, type SeriesStyle } from './series-style.ts'

/** Draws a vertical bar from the minimum to the maximum of each column; neighbouring bars meet half-way. */
export function strokeColumns(pen: Pen, style: SeriesStyle, view: Projection, columns: Columns): void {
  const { column, min, max, first, last, size } = columns
  const { y } = style.points
  const width = Math.max(1, Math.round(style.thickness))
  const shift = (width - 1) >> 1
  const half = style.thickness / 2
  const rhythm = style.dashed ? Math.max(4, Math.round(style.thickness * 4.5)) : 0
  const solid = rhythm * 0.55
  const bridges: number[] = []
  let top = 0
  let bottom = 0
  // Overlapping boxes must be a single shape; otherwise the overlap would be darker.
  const apart = width === 1 || style.opacity === 1
  pen.beginPath()
  for (let i = 0; i <= size; i++) {
    const joined = i > 0 && i < size && first[i]! - last[i - 1]! <= 1
    const beside = joined && column[i] === column[i - 1]! + 1
    let nextTop = 0
    let nextBottom = 0
    if (i < size) {
      const a = across(view, min[i]!)
      const b = across(view, max[i]!)
      nextTop = Math.min(a, b)
      nextBottom = Math.max(a, b)
    }
    if (beside) {
      const middle = (across(view, y[last[i - 1]!]!) + across(view, y[first[i]!]!)) / 2
      top = Math.min(top, middle)
      bottom = Math.max(bottom, middle)
      nextTop = Math.min(nextTop, middle)
      nextBottom = Math.max(nextBottom, middle)
    } else if (joined) bridges.push(i)
    if (i > 0 && (!rhythm || column[i - 1]! % rhythm < solid)) {
      const [x, y, height] = [column[i - 1]! - shift, top - half, bottom - top + style.thickness]
      if (apart) pen.fillRect(x, y, width, height)
      else pen.rect(x, y, width, height)
    }
    top = nextTop
    bottom = nextBottom
  }
  if (!apart) pen.fill()
  if (!bridges.length) return
  pen.beginPath()
  for (const i of bridges) {
    pen.moveTo(column[i - 1]! + 0.5, across(view, y[last[i - 1]!]!))
    pen.lineTo(column[i]! + 0.5, across(view, y[first[i]!]!))
  }
  pen.stroke()
}

/** Fills the area between the columns and the base. */
export function fillColumns(pen: Pen, style: SeriesStyle, view: Projection, columns: Columns): void {
  const { column, min, max, first, last, size } = columns
  const { y } = style.points
  const base = baseline(view)
  pen.globalAlpha = style.opacity * AREA_OPACITY
  pen.beginPath()
  for (let i = 0; i < size; i++) {
    const a = across(view, min[i]!)
    const b = across(view, max[i]!)
    const top = Math.min(a, b, base)
    pen.fillRect(column[i]!, top, 1, Math.max(a, b, base) - top)
    if (i === 0 || first[i]! - last[i - 1]! > 1 || column[i] === column[i - 1]! + 1) continue
    pen.moveTo(column[i - 1]! + 1, base)
    pen.lineTo(column[i - 1]! + 1, across(view, y[last[i - 1]!]!))
    pen.lineTo(column[i]!, across(view, y[first[i]!]!))
    pen.lineTo(column[i]!, base)
    pen.closePath()
  }
  pen.fill()
  pen.globalAlpha = style.opacity
}
