import type { AxisSide, ChartSpec, ColorRule, Palette, SeriesSpec } from './chart-spec.ts'
import type { ChartWindow } from './chart-handle.ts'
import { bounded, logScale, valueScale } from './domains.ts'
import type { ValueScale } from './domains.ts'
import type { BarSlot } from './draw-series.ts'
import { decimalsOf, within } from './numbers.ts'
import { colorOfSeries } from './palettes.ts'
import { countFinite, extremes, firstAt, indexPoints, positiveExtremes, smallestGap } from './points.ts'
import type { Points } from './points.ts'

const DAY_MS = 86_400_000

/** A series of a spec with its points indexed. */
export interface SeriesModel {
  spec: SeriesSpec
  /** Tells series of the same label apart, and finds a series again after an update. */
  key: string
  /** The label, with the axis where there are two. */
  label: string
  side: AxisSide
  points: Points
  /** Lower ends of a band, at the same places as its points. */
  low?: Points
  /** CSS colour, not yet resolved. */
  color: string
  /** 0 to 1. */
  opacity: number
  rules: readonly ColorRule[]
  /** Decimals which write its values exactly. */
  decimals: number
  hidden: boolean
  slot?: BarSlot
}

/** A spec, ready to be drawn. */
export interface Model {
  spec: ChartSpec
  series: SeriesModel[]
  /** The whole range of x, with room for the outermost bars. */
  full: ChartWindow
  /** Whether there is any point. */
  filled: boolean
}

/** Indexed points by list of values, so that a change of looks does not index a million points again. */
export type PointsCache = WeakMap<object, { x: object; points: Points }>

/** Fills in every default. `hidden` are the keys of series the legend hid; a new series starts as its spec says. */
export function toModel(spec: ChartSpec, cache: PointsCache, before?: Model): Model {
  const { palette = 'COLORFUL_2' satisfies Palette } = spec
  const twoAxes = new Set(spec.series.map(({ axis = 'left' }) => axis)).size > 1
  const counts = new Map<string, number>()
  const series = spec.series.map((one, i): SeriesModel => {
    const count = counts.get(one.label) ?? 0
    counts.set(one.label, count + 1)
    const key = `${one.label}\n${count}`
    const points = pointsOf(one.x, one.y, cache)
    const low = one.kind === 'area' && one.low ? pointsOf(one.x, one.low, cache) : undefined
    const side = one.axis === 'right' ? 'right' : 'left'
    return {
      spec: one,
      key,
      label: twoAxes && side === 'right' ? `${one.label}, right` : String(one.label),
      side,
      points,
      ...(low && { low }),
      color: one.color ?? colorOfSeries(palette, i),
      opacity: within(one.opacity, 0, 1, 1),
      rules: one.colorRules ?? [],
      decimals: Math.max(decimalsOf(points.y), low ? decimalsOf(low.y) : 0),
      hidden: before?.series.find((old) => old.key === key)?.hidden ?? one.hidden ?? false,
    }
  })
  placeBars(series)
  return { spec, series, ...fullRange(series, spec.x?.kind === 'number') }
}

/** The series to be drawn. */
export function shownSeries(model: Model): SeriesModel[] {
  return model.series.filter(({ hidden, points }) => !hidden && points.x.length > 0)
}

/** Range and ticks of an axis for the window in view; undefined if no series belongs to it. */
export function axisScale(
  model: Model,
  side: AxisSide,
  view: ChartWindow,
  room: number,
  like?: ValueScale,
): ValueScale | undefined {
  if (!model.series.some((one) => one.side === side)) return undefined
  const axis = (side === 'left' ? model.spec.leftAxis : model.spec.rightAxis) ?? {}
  const { domain = 'Default', log = false } = axis
  const shown = shownSeries(model).filter((one) => one.side === side)
  const isFollowing = domain === 'Default' && isZoomed(model, view)
  let min = Infinity
  let max = -Infinity
  for (const points of shown.flatMap((one) => (one.low ? [one.points, one.low] : [one.points]))) {
    const isOfView = isFollowing || domain === 'Auto scale'
    const window = isOfView ? view : model.full
    const [a, b] = log
      ? positiveExtremes(points, ...indexesInView(points, window))
      : isOfView
        ? extremesInView(points, view)
        : [points.min, points.max]
    if (a < min) min = a
    if (b > max) max = b
  }
  if (log) return bounded(logScale(domain, min, max, room), axis, room)
  // What is filled from zero on would look like another size without it.
  const standsOnZero = shown.some(({ spec, low }) => spec.kind === 'bars' || (spec.kind === 'area' && !low))
  const around = domain === 'Default' && !standsOnZero ? valueScale('Auto scale', min, max, room) : undefined
  const isFarFromZero = around !== undefined && around.min !== 0 && around.max !== 0
  return bounded(isFarFromZero ? around : valueScale(domain, min, max, room, like), axis, room)
}

function isZoomed({ full }: Model, view: ChartWindow): boolean {
  return view.from > full.from || view.to < full.to
}

/** Finite points of the shown series in view. */
export function pointsInView(model: Model, view: ChartWindow): number {
  return shownSeries(model).reduce(
    (sum, { points }) => sum + countFinite(points, ...indexesInView(points, view)),
    0,
  )
}

/** First index in view, and first index behind it. */
export function indexesInView(points: Points, view: ChartWindow): [number, number] {
  const from = firstAt(points, view.from)
  let to = firstAt(points, view.to, from)
  while (to < points.x.length && points.x[to] === view.to) to++
  return [from, to]
}

/** One point more on both sides: the lines to them are in view too. */
function extremesInView(points: Points, view: ChartWindow): [number, number] {
  const [from, to] = indexesInView(points, view)
  return extremes(points, Math.max(0, from - 1), Math.min(points.x.length, to + 1))
}

function pointsOf(x: ArrayLike<number>, y: ArrayLike<number | null | undefined>, cache: PointsCache): Points {
  const known = cache.get(y)
  if (known?.x === x) return known.points
  const points = indexPoints(x, y)
  cache.set(y, { x, points })
  return points
}

/** Bars of several series stand side by side, histograms on one another. */
function placeBars(series: readonly SeriesModel[]): void {
  const bars = series.filter(({ spec }) => spec.kind === 'bars')
  const gap = Math.min(...bars.map(({ points }) => smallestGap(points)))
  const count = bars.filter(({ spec }) => !spec.isHistogram).length
  let index = 0
  for (const one of bars) {
    const histogram = one.spec.isHistogram ?? false
    one.slot = histogram ? { gap, histogram, index: 0, count: 1 } : { gap, histogram, index: index++, count }
  }
}

function fullRange(
  series: readonly SeriesModel[],
  isNumber: boolean,
): { full: ChartWindow; filled: boolean } {
  let from = Infinity
  let to = -Infinity
  for (const { points, slot } of series) {
    if (!points.x.length) continue
    const half = slot && Number.isFinite(slot.gap) ? slot.gap / 2 : 0
    from = Math.min(from, points.x[0]! - half)
    to = Math.max(to, points.x.at(-1)! + half)
  }
  if (from > to) return { full: { from: 0, to: 1 }, filled: false }
  if (!(to > from)) {
    const half = isNumber ? Math.abs(from) * 0.1 || 1 : DAY_MS * 1.5
    return { full: { from: from - half, to: to + half }, filled: true }
  }
  return { full: { from, to }, filled: true }
}
