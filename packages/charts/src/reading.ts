import type { ChartWindow } from './chart-handle.ts'
import { shownSeries } from './model.ts'
import type { Model, SeriesModel } from './model.ts'
import { firstAt } from './points.ts'
import type { Points } from './points.ts'

/** What one series says at a place: a real point, never a value in between. */
export interface Reading {
  series: SeriesModel
  /** NaN where the series has a gap or has not begun. */
  value: number
  /** Lower end of a band there. */
  low?: number | undefined
  /** Where the point lies, if not at the place asked for: then it is the latest before it. */
  at: number
}

/** The x of the point nearest to the given one, of all shown series in view; undefined if there is none. */
export function nearestX(model: Model, x: number, view: ChartWindow): number | undefined {
  let best: number | undefined
  for (const { points } of shownSeries(model)) {
    const right = firstAt(points, x)
    for (const i of [previousFinite(points, right - 1), nextFinite(points, right)]) {
      const at = points.x[i]
      if (at === undefined || at < view.from || at > view.to) continue
      if (best === undefined || Math.abs(at - x) < Math.abs(best - x)) best = at
    }
  }
  return best
}

/** The next x of any shown series to the right (or left) of the given one; undefined at the end. */
export function neighbourX(model: Model, x: number, direction: 1 | -1): number | undefined {
  let best: number | undefined
  for (const { points } of shownSeries(model)) {
    let i: number
    if (direction > 0) {
      i = firstAt(points, x)
      while (points.x[i] === x) i++
      i = nextFinite(points, i)
    } else i = previousFinite(points, firstAt(points, x) - 1)
    const at = points.x[i]
    if (at !== undefined && (best === undefined || (at - best) * direction < 0)) best = at
  }
  return best
}

/** What every shown series says at x. */
export function readAt(model: Model, x: number): Reading[] {
  return shownSeries(model).map((series) => {
    const { points } = series
    let i = firstAt(points, x)
    if (points.x[i] === x) {
      while (points.y[i] !== points.y[i] && points.x[i + 1] === x) i++
    } else i--
    return { series, value: points.y[i] ?? NaN, low: series.low?.y[i], at: points.x[i] ?? NaN }
  })
}

/** Only the next few values are looked at: a gap of any length must not make the cursor slow. */
const REACH = 10_000

function nextFinite({ y }: Points, from: number): number {
  const end = Math.min(y.length, from + REACH)
  for (let i = from; i < end; i++) if (y[i] === y[i]) return i
  return -1
}

function previousFinite({ y }: Points, from: number): number {
  const end = Math.max(0, from - REACH)
  for (let i = from; i >= end; i--) if (y[i] === y[i]) return i
  return -1
}
