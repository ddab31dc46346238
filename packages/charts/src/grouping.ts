import { clockOf } from './zones.ts'

/** Points of one series: positions and values of the same length; null, NaN and undefined are gaps. */
export interface XY {
  x: ArrayLike<number>
  y: ArrayLike<number | null | undefined>
}

/** How several values become one. */
export const OPERATIONS = ['SUM', 'Average'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Lengths of time by which points can be grouped; a week begins on Monday. */
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Period = (typeof PERIODS)[number]

/** Makes one value of several at the same x. The result is sorted; an x with gaps only stays a gap. */
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

/** Makes one series of several: at every x the sum or average of those which have a value there. */
export function sumSeries(list: readonly XY[], operation: Operation): { x: Float64Array; y: Float64Array } {
  return groupBySameX(
    { x: list.flatMap(pairs).map(([at]) => at), y: list.flatMap(pairs).map(([, value]) => value) },
    operation,
  )
}

/** Makes one value per day, week, month, quarter or year of the zone; it stands at the begin of the period. */
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

function startOf(wall: number, period: Period): number {
  const date = new Date(wall)
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

/** Like Date.UTC, which takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}
