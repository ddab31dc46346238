import type { CurveFactory, CurveGenerator } from 'd3-shape'
import { maxPointsPerPixel, columnPoints, toColumns, type Columns } from './columns.ts'
import { CURVES } from './curves.ts'
import { fillColumns, strokeColumns } from './draw-columns.ts'
import { dot } from './draw-dots.ts'
import type { Pen } from './pen.ts'
import type { Points } from './points.ts'
import { across, along, baseline, type Projection } from './projection.ts'
import { inColors } from './series-colors.ts'
import { AREA_OPACITY, type SeriesStyle } from './series-style.ts'

/** Number of points drawn beyond the window, so that curves do not change at its edges. */
const MARGIN = 8
/** Higher opacity than that of an area, because a band has no line at its edge. */
const BAND_OPACITY = 0.24

/** Draws a line, area or band and returns the number of points used. */
export function drawLine(pen: Pen, style: SeriesStyle, view: Projection, start: number, end: number): number {
  const columns =
    end - start > view.along * maxPointsPerPixel && toColumns(style.points, view.from, view.to, view.along)
  const { length } = style.points.x
  const closed = style.curve.endsWith('Closed')
  const from = closed && !columns ? 0 : Math.max(0, start - MARGIN)
  const to = closed && !columns ? length : Math.min(length, end + MARGIN)
  if (style.dashed) pen.setLineDash([style.thickness * 2.5, style.thickness * 2])
  inColors(pen, style, view, () => {
    if (style.low) fillBand(pen, style, style.low, view, columns || { from, to })
    else if (columns) {
      if (style.kind === 'area') fillColumns(pen, style, view, columns)
      strokeColumns(pen, style, view, columns)
    } else {
      if (style.kind === 'area') fillCurve(pen, style, view, from, to)
      strokeCurve(pen, style, view, from, to)
    }
  })
  return columns ? columnPoints(columns) : end - start - gapsBetween(style.points, start, end)
}

/** Calls a function for each uninterrupted run of values between two indexes. */
function eachRun(points: Points, from: number, to: number, run: (from: number, to: number) => void): void {
  const { y } = points
  let i = from
  while (i < to) {
    while (i < to && y[i] !== y[i]) i++
    const first = i
    while (i < to && y[i] === y[i]) i++
    if (i > first) run(first, i)
  }
}

function strokeCurve(pen: Pen, style: SeriesStyle, view: Projection, from: number, to: number): void {
  const { points } = style
  const dots: number[] = []
  const curve = curveOn(pen, style)
  pen.beginPath()
  eachRun(points, from, to, (first, last) => {
    if (last - first === 1) dots.push(first)
    else trace(curve, points, view, first, last)
  })
  pen.stroke()
  // A value without neighbours has no line and is therefore drawn as a dot.
  pen.beginPath()
  for (const i of dots) dot(pen, along(view, points.x[i]!), across(view, points.y[i]!), style.thickness * 1.5)
  pen.fill()
}

function fillCurve(pen: Pen, style: SeriesStyle, view: Projection, from: number, to: number): void {
  const { points } = style
  const base = baseline(view)
  const curve = curveOn(pen, style)
  pen.beginPath()
  eachRun(points, from, to, (first, last) => {
    if (last - first === 1) return
    curve.areaStart()
    trace(curve, points, view, first, last)
    curve.lineStart()
    for (let i = last - 1; i >= first; i--) curve.point(along(view, points.x[i]!), base)
    curve.lineEnd()
    curve.areaEnd()
  })
  fillFaintly(pen, style, AREA_OPACITY)
}

/** Fills the space between the points and their lower values, for a range of points or for the extremes of columns. */
function fillBand(
  pen: Pen,
  style: SeriesStyle,
  low: Points,
  view: Projection,
  part: Columns | { from: number; to: number },
): void {
  const { points } = style
  pen.beginPath()
  if ('column' in part) {
    const { column, max, first, last, size } = part
    const { min } = toColumns(low, view.from, view.to, view.along)
    for (let start = 0; start < size;) {
      let end = start + 1
      while (end < size && first[end]! - last[end - 1]! <= 1) end++
      for (let i = start; i < end; i++) {
        const x = column[i]! + 0.5
        if (i === start) pen.moveTo(x, across(view, max[i]!))
        else pen.lineTo(x, across(view, max[i]!))
      }
      for (let i = end - 1; i >= start; i--) pen.lineTo(column[i]! + 0.5, across(view, min[i]!))
      pen.closePath()
      start = end
    }
  } else {
    const curve = curveOn(pen, style)
    eachRun(points, part.from, part.to, (first, last) => {
      curve.areaStart()
      trace(curve, points, view, first, last)
      curve.lineStart()
      for (let i = last - 1; i >= first; i--) curve.point(along(view, points.x[i]!), across(view, low.y[i]!))
      curve.lineEnd()
      curve.areaEnd()
    })
  }
  fillFaintly(pen, style, BAND_OPACITY)
}

function trace(curve: CurveGenerator, points: Points, view: Projection, first: number, last: number): void {
  curve.lineStart()
  for (let i = first; i < last; i++) curve.point(along(view, points.x[i]!), across(view, points.y[i]!))
  curve.lineEnd()
}

/** Returns the curve generator of a style. It adds to the path of the pen. */
function curveOn(pen: Pen, { curve }: SeriesStyle): CurveGenerator {
  return CURVES[curve](pen as Parameters<CurveFactory>[0])
}

function fillFaintly(pen: Pen, style: SeriesStyle, opacity: number): void {
  pen.globalAlpha = style.opacity * opacity
  pen.fill()
  pen.globalAlpha = style.opacity
}

function gapsBetween({ y }: Points, from: number, to: number): number {
  let gaps = 0
  for (let i = from; i < to; i++) if (y[i] !== y[i]) gaps++
  return gaps
}
