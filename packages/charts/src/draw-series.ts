import { partOf } from './domains.ts'
import type { CurveGenerator } from 'd3-shape'
import type { ColorRule, Interpolation, SeriesKind } from './chart-spec.ts'
import { toColumns } from './columns.ts'
import type { Columns } from './columns.ts'
import { CURVES } from './curves.ts'
import { firstAt } from './points.ts'
import type { Points } from './points.ts'

/** Drawing operations of a surface, implemented by a canvas and by the SVG writer. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'save'
  | 'restore'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'closePath'
  | 'rect'
  | 'arc'
  | 'clip'
  | 'fill'
  | 'stroke'
  | 'setLineDash'
  | 'lineWidth'
  | 'lineJoin'
  | 'lineCap'
  | 'globalAlpha'
  | 'strokeStyle'
  | 'fillStyle'
  | 'transform'
  | 'fillText'
  | 'fillRect'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
>

/** One series ready to be drawn, with resolved defaults and colours. Lengths are device pixels. */
export interface SeriesStyle {
  /** How the series is drawn. */
  kind: SeriesKind
  /** Points of the series. */
  points: Points
  /** Lower values of a band, at the same x. */
  low?: Points | undefined
  /** CSS colour. */
  color: string
  /** Conditional formatting. */
  rules: readonly ColorRule[]
  /** Line thickness. */
  thickness: number
  /** 0 to 1. */
  opacity: number
  /** Whether lines are dashed. */
  dashed: boolean
  /** Diameter of dots. */
  dotSize: number
  /** Curve between points. */
  curve: Interpolation
}

/** The rectangle of the plot and its scales, in device pixels; `along` is the x axis, `across` the value axis. */
export interface Projection {
  /** Start of the window. */
  from: number
  /** End of the window. */
  to: number
  /** Lower end of the value axis. */
  min: number
  /** Upper end of the value axis. */
  max: number
  /** Whether the value axis is logarithmic. */
  log: boolean
  /** Length of the x axis. */
  along: number
  /** Length of the value axis. */
  across: number
  /** Whether values grow with the coordinate; false if the coordinate grows downwards. */
  rising: boolean
}

/** Position of the bars of one series within their slot. */
export interface BarSlot {
  /** Smallest distance in x between bars. */
  gap: number
  /** Index of this series among `count` adjacent ones. */
  index: number
  /** Number of adjacent series. */
  count: number
  /** Whether bars touch each other. */
  histogram: boolean
}

const MORE_THAN_PIXELS = 2
/** Points drawn beyond the window, so that curves do not change at its edges. */
const MARGIN = 8
const FAR = 1e5
const MANY_DOTS = 2000
const AREA_OPACITY = 0.13
/** Stronger than for an area, because a band has no line at its edge. */
const BAND_OPACITY = 0.24

/**
 * Draws one series and returns the number of points used. With more than two points per pixel, a line or area is drawn
 * from the extremes of every pixel column, so that no minimum or maximum is lost; otherwise as a curve through all
 * points.
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

function drawLine(pen: Pen, style: SeriesStyle, view: Projection, start: number, end: number): number {
  const columns =
    end - start > view.along * MORE_THAN_PIXELS && toColumns(style.points, view.from, view.to, view.along)
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

/** Runs the drawing in the colour of the series, then once per rule in its colour, clipped to the rule's values. */
function inColors(pen: Pen, style: SeriesStyle, view: Projection, draw: () => void): void {
  pen.strokeStyle = pen.fillStyle = style.color
  draw()
  for (const rule of style.rules) {
    const a = across(view, rule.from ?? -Infinity)
    const b = across(view, rule.to ?? Infinity)
    pen.save()
    pen.beginPath()
    pen.rect(-FAR, Math.min(a, b), 2 * FAR, Math.abs(a - b))
    pen.clip()
    pen.strokeStyle = pen.fillStyle = rule.color
    draw()
    pen.restore()
  }
}

/** Calls back for each uninterrupted run of values between two indexes. */
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
  const curve = CURVES[style.curve](pen as CanvasRenderingContext2D)
  pen.beginPath()
  eachRun(points, from, to, (first, last) => {
    if (last - first === 1) dots.push(first)
    else trace(curve, points, view, first, last)
  })
  pen.stroke()
  // A value without neighbours has no line, so it is drawn as a dot.
  pen.beginPath()
  for (const i of dots) dot(pen, along(view, points.x[i]!), across(view, points.y[i]!), style.thickness * 1.5)
  pen.fill()
}

function fillCurve(pen: Pen, style: SeriesStyle, view: Projection, from: number, to: number): void {
  const { points } = style
  const base = baseline(view)
  const curve = CURVES[style.curve](pen as CanvasRenderingContext2D)
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
    const curve = CURVES[style.curve](pen as CanvasRenderingContext2D)
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

function fillFaintly(pen: Pen, style: SeriesStyle, opacity: number): void {
  pen.globalAlpha = style.opacity * opacity
  pen.fill()
  pen.globalAlpha = style.opacity
}

/** Draws one vertical bar per column from its minimum to its maximum; neighbours meet half-way. */
function strokeColumns(pen: Pen, style: SeriesStyle, view: Projection, columns: Columns): void {
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
  // Overlapping boxes must be one shape, or the overlap would be darker.
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

function fillColumns(pen: Pen, style: SeriesStyle, view: Projection, columns: Columns): void {
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

function drawBars(
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
  if (end - start > view.along * MORE_THAN_PIXELS || slotWidth < 1.5) {
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

/** Draws dots, each pixel at most once. */
function drawDots(pen: Pen, style: SeriesStyle, view: Projection, start: number, end: number): number {
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
    if (mine.length > MANY_DOTS && 'drawImage' in pen) {
      stamp(pen as CanvasRenderingContext2D, style, view, mine)
      return
    }
    pen.beginPath()
    for (const i of mine) dot(pen, along(view, x[i]!), across(view, y[i]!), radius)
    pen.fill()
  })
  return dots.length
}

/**
 * Writes many dots as pixels, which takes a tenth of the time of as many circles. Overlapping dots do not become
 * darker, as with circles of one shape.
 */
function stamp(
  pen: CanvasRenderingContext2D,
  style: SeriesStyle,
  view: Projection,
  dots: readonly number[],
): void {
  const { x, y } = style.points
  const size = Math.ceil(style.dotSize) + 2
  const width = Math.ceil(view.along) + size
  const height = Math.ceil(view.across) + size
  const disc = discOf(style.dotSize / 2, size)
  const mask = new ImageData(width, height)
  const pixels = new Uint32Array(mask.data.buffer)
  for (const i of dots) {
    let at = Math.round(across(view, y[i]!)) * width + Math.round(along(view, x[i]!))
    for (let row = 0; row < size; row++, at += width) {
      for (let column = 0; column < size; column++) {
        const ink = disc[row * size + column]!
        if (ink > pixels[at + column]!) pixels[at + column] = ink
      }
    }
  }
  const picture = new OffscreenCanvas(width, height)
  const ink = picture.getContext('2d')!
  ink.putImageData(mask, 0, 0)
  ink.globalCompositeOperation = 'source-in'
  ink.fillStyle = pen.fillStyle
  ink.fillRect(0, 0, width, height)
  pen.drawImage(picture, -size / 2, -size / 2)
}

/** Returns the coverage of each pixel of a square by a centred disc, as opacity of a black pixel. */
function discOf(radius: number, size: number): Uint32Array {
  const disc = new Uint32Array(size * size)
  for (let i = 0; i < disc.length; i++) {
    const far = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2)
    disc[i] = Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - far))) * 0x1_00_00_00
  }
  return disc
}

function byColor(pen: Pen, style: SeriesStyle, draw: (rule: number) => void): void {
  for (let rule = -1; rule < style.rules.length; rule++) {
    pen.fillStyle = style.rules[rule]?.color ?? style.color
    draw(rule)
  }
}

/** Returns the index of the rule that matches a value, -1 for none. */
function ruleOf({ rules }: SeriesStyle, value: number): number {
  return rules.findLastIndex(({ from = -Infinity, to = Infinity }) => value >= from && value <= to)
}

function dot(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x + radius, y)
  pen.arc(x, y, radius, 0, 2 * Math.PI)
}

/** Returns the coordinate of an x. */
function along(view: Projection, x: number): number {
  return clamp(((x - view.from) / (view.to - view.from)) * view.along)
}

/** Returns the coordinate of a value. */
export function across(view: Projection, value: number): number {
  const part = partOf(view, value)
  return clamp((view.rising ? part : 1 - part) * view.across)
}

/** Canvases draw nothing if a coordinate is too large. */
function clamp(pixel: number): number {
  return pixel > FAR ? FAR : pixel > -FAR ? pixel : -FAR
}

/** Returns the base of bars and areas: zero, or the edge nearest to it. */
function baseline(view: Projection): number {
  return across(view, Math.min(view.max, Math.max(view.min, 0)))
}

function columnPoints({ min, max, size }: Columns): number {
  let count = 0
  for (let i = 0; i < size; i++) count += min[i] === max[i] ? 1 : 2
  return count
}

function gapsBetween({ y }: Points, from: number, to: number): number {
  let gaps = 0
  for (let i = from; i < to; i++) if (y[i] !== y[i]) gaps++
  return gaps
}
