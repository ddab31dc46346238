import type { AxisSide, ChartSpec, ColorRule, Palette, SeriesSpec } from './chart-spec.ts'
import type { ChartWindow } from './chart-handle.ts'
import { bounded, logScale, valueScale } from './domains.ts'
import type { ValueScale } from './domains.ts'
import type { BarSlot } from './series-style.ts'
import { decimalsOf, within } from './numbers.ts'
import { colorOfSeries } from './palettes.ts'
import { countFinite, extremes, firstAt, indexPoints, positiveExtremes, smallestGap } from './points.ts'
import type { Points } from './points.ts'

const DAY_MS = 86_400_000

/** A series of a spec with indexed points. */
export interface SeriesModel {
  /** The spec of the series. */
  spec: SeriesSpec
  /** Identifies the series across updates and among duplicate labels. */
  key: string
  /** The label, including the axis if the label is not unique. */
  label: string
  /** Value axis. */
  side: AxisSide
  /** Indexed points. */
  points: Points
  /** Lower values of a band, at the same x. */
  low?: Points
  /** Unresolved CSS colour or token. */
  color: string
  /** 0 to 1. */
  opacity: number
  /** Conditional formatting. */
  rules: readonly ColorRule[]
  /** Number of decimals needed to represent its values exactly. */
  decimals: number
  /** Whether the legend hides the series. */
  hidden: boolean
  /** Position of bars; undefined for other kinds. */
  slot?: BarSlot
}

/** A spec prepared for drawing. */
export interface Model {
  /** The spec. */
  spec: ChartSpec
  /** Series in the order of the spec. */
  series: SeriesModel[]
  /** The whole range of x, with space for the outermost bars. */
  full: ChartWindow
  /** Whether there is any point. */
  filled: boolean
}

/**
 * Caches indexed points by their list of values, so that a million points are not indexed again when only a style changes.
 */
export type PointsCache = WeakMap<object, { x: object; points: Points }>

/** Resolves all defaults. Series that were hidden in the previous model stay hidden; new ones start as specified. */
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
  positionBars(series)
  return { spec, series, ...fullRange(series, spec.x?.kind === 'number') }
}

/** Returns the series to draw. */
export function visibleSeries(model: Model): SeriesModel[] {
  return model.series.filter(({ hidden, points }) => !hidden && points.x.length > 0)
}

/** Returns range and ticks of an axis for the window; undefined if it has no series. */
export function axisScale(
  model: Model,
  side: AxisSide,
  view: ChartWindow,
  maxIntervals: number,
  like?: ValueScale,
): ValueScale | undefined {
  if (!model.series.some((one) => one.side === side)) return undefined
  const axis = (side === 'left' ? model.spec.leftAxis : model.spec.rightAxis) ?? {}
  const { domain = 'Default', log = false } = axis
  const visible = visibleSeries(model).filter((one) => one.side === side)
  const isFollowing = domain === 'Default' && isZoomed(model, view)
  let min = Infinity
  let max = -Infinity
  for (const points of visible.flatMap((one) => (one.low ? [one.points, one.low] : [one.points]))) {
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
  if (log) return bounded(logScale(domain, min, max, maxIntervals), axis, maxIntervals)
  // Without zero, the size of filled shapes would be misleading.
  const includesZero = visible.some(({ spec, low }) => spec.kind === 'bars' || (spec.kind === 'area' && !low))
  const around =
    domain === 'Default' && !includesZero ? valueScale('Auto scale', min, max, maxIntervals) : undefined
  const isFarFromZero = around !== undefined && around.min !== 0 && around.max !== 0
  return bounded(
    isFarFromZero ? around : valueScale(domain, min, max, maxIntervals, like),
    axis,
    maxIntervals,
  )
}

function isZoomed({ full }: Model, view: ChartWindow): boolean {
  return view.from > full.from || view.to < full.to
}

/** Counts the finite points of the visible series in the window. */
export function pointsInView(model: Model, view: ChartWindow): number {
  return visibleSeries(model).reduce(
    (sum, { points }) => sum + countFinite(points, ...indexesInView(points, view)),
    0,
  )
}

/** Returns the first index within the window and the first index after it. */
export function indexesInView(points: Points, view: ChartWindow): [number, number] {
  const from = firstAt(points, view.from)
  let to = firstAt(points, view.to, from)
  while (to < points.x.length && points.x[to] === view.to) to++
  return [from, to]
}

/**
 * Returns the extremes in the window, including one more point on each side, because the lines to these points are visible.
 */
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

/** Positions bars of several series side by side, and histograms on top of each other. */
function positionBars(series: readonly SeriesModel[]): void {
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
