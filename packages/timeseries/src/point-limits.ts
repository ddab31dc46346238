import { earliestMs, latestMs } from './calendar-time.ts'
import type { PointLimits } from './series-query.ts'
import { quoteTimestamp } from './sql-text.ts'

/** Adds the limits of the points to a condition on the series. */
export function withinLimits(condition: string, limits: PointLimits | undefined): string {
  if (limits === undefined) return condition
  const { from = earliestMs, to = latestMs } = limits
  return `(${condition} AND ts >= ${quoteTimestamp(Math.max(from, earliestMs))} AND ts <= ${quoteTimestamp(Math.min(to, latestMs))})`
}
