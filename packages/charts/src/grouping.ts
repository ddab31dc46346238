import { clockOf } from './zones.ts'

/** Points of one series: positions and values of the same length; null, NaN and undefined are gaps. */
export interface XY {
  /** Positions. */
  x: ArrayLike<number>
  /** Values. */
  y: ArrayLike<number | null | undefined>
}

/** Operations that combine several values. */
export const OPERATIONS = ['SUM', 'Average'] as const
/** Operation that combines several values. */
export type Operation = (typeof OPERATIONS)[number]

/** Periods for grouping; a week starts on Monday. */
const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const
/** Period for grouping. */
export type Period = (typeof PERIODS)[number]

/** Combines values at the same x. The result is sorted; an x with gaps only stays a gap. */
export function groupBySameX({ x, y }: XY, operation: Operation): { x: Float64Array; y: Float64Array } {
  const groups = new Map<number, { sum: number; count: number }>()
  const length = Math.min(x.length, y.length)
  for (let i = 0; i < length; i++) {
    const at = x[i]!
    if (!Number.isFinite(at)) continue
    let group = groups.get(at)
    if (!group) groups.set(at, (group = { sum: 0, count: 0 }))
    const value = y[i]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    group.sum += value
    group.count++
  }
  const keys = Float64Array.from(groups.keys()).sort()
  return {
    x: keys,
    y: keys.map((key) => {
      const { sum, count } = groups.get(key)!
      return count === 0 ? NaN : operation === 'SUM' ? sum : sum / count
    }),
  }
}

/** Combines several series: at every x the sum or average of the existing values. */
export function sumSeries(list: readonly XY[], operation: Operation): { x: Float64Array; y: Float64Array } {
  return groupBySameX(
    { x: list.flatMap(pairs).map(([at]) => at), y: list.flatMap(pairs).map(([, value]) => value) },
    operation,
  )
}

/** Combines values per day, week, month, quarter or year of the zone; x is the start of the period. */
export function groupByPeriod(
  { x, y }: XY,
  period: Period,
  operation: Operation,
  timeZone = 'UTC',
): { x: Float64Array; y: Float64Array } {
  const clock = clockOf(timeZone)
  const starts = Float64Array.from(x, (at) => {
    const start = startOf(clock.toLocal(at), period)
    return Number.isFinite(start) ? clock.toUtc(start) : NaN
  })
  return groupBySameX({ x: starts, y }, operation)
}

function pairs({ x, y }: XY): [number, number | null | undefined][] {
  return Array.from({ length: Math.min(x.length, y.length) }, (_, i) => [x[i]!, y[i]])
}

function startOf(local: number, period: Period): number {
  const date = new Date(local)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (period) {
    case 'day':
      return utc(year, month, day)
    case 'week':
      return utc(year, month, day - ((date.getUTCDay() + 6) % 7))
    case 'month':
      return utc(year, month, 1)
    case 'quarter':
      return utc(year, month - (month % 3), 1)
    case 'year':
      return utc(year, 0, 1)
  }
}

/** Like Date.UTC, which maps the years 0 to 99 to 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
