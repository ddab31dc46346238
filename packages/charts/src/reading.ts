import type { ChartWindow } from './chart-handle.ts'
import { visibleSeries } from './model.ts'
import type { Model, SeriesModel } from './model.ts'
import { firstAt } from './points.ts'
import type { Points } from './points.ts'

/** Value of a series at a position. It is always a real point, never interpolated. */
export interface Reading {
  /** The series. */
  series: SeriesModel
  /** NaN if the series has a gap or has not started. */
  value: number
  /** Lower value of a band. */
  low?: number | undefined
  /** Position of the point: the requested one, or the latest before it. */
  at: number
}

/** Returns the x of the nearest point of all visible series in the window; undefined if there is none. */
export function nearestX(model: Model, x: number, view: ChartWindow): number | undefined {
  let best: number | undefined
  for (const { points } of visibleSeries(model)) {
    const right = firstAt(points, x)
    for (const i of [previousFinite(points, right - 1), nextFinite(points, right)]) {
      const at = points.x[i]
      if (at === undefined || at < view.from || at > view.to) continue
      if (best === undefined || Math.abs(at - x) < Math.abs(best - x)) best = at
    }
  }
  return best
}

/** Returns the next x at which any visible series has a point, to the right (1) or left (-1); undefined at the end. */
export function neighbourX(model: Model, x: number, direction: 1 | -1): number | undefined {
  let best: number | undefined
  for (const { points } of visibleSeries(model)) {
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

/** Returns the value of every visible series at x. */
export function readAt(model: Model, x: number): Reading[] {
  return visibleSeries(model).map((series) => {
    const { points } = series
    let i = firstAt(points, x)
    if (points.x[i] === x) {
      while (points.y[i] !== points.y[i] && points.x[i + 1] === x) i++
    } else i--
    return { series, value: points.y[i] ?? NaN, low: series.low?.y[i], at: points.x[i] ?? NaN }
  })
}

/** Maximum number of values to scan, so that long gaps do not slow down the cursor. */
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
