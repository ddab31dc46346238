import { utcDate } from '@headwater/contract'
import type { BackfillInput } from '../../contract/index.ts'

/** A date of a backfill. */
export interface BackfillDate {
  /** Date, `2026-01-31`. */
  date: string
  /** Reason why it has no run; null if it gets one. */
  reason: string | null
}

const dayMs = 86_400_000

/**
 * Returns all dates of a range in the order of their runs.
 * @param today date on which the backfill starts, in UTC
 * @param done dates with a successful run
 */
export function datesOf(
  { from, to, weekdays, order, skipDone }: Omit<BackfillInput, 'dryRun' | 'maxParallel'>,
  today: string,
  done: ReadonlySet<string>,
): BackfillDate[] {
  const dates: BackfillDate[] = []
  for (let day = Date.parse(from); day <= Date.parse(to); day += dayMs) {
    const date = utcDate(day)
    // Sunday is 0 in JavaScript.
    const weekday = new Date(day).getUTCDay() || 7
    let reason: string | null = null
    if (date > today) reason = 'The date is in the future.'
    else if (!weekdays.includes(weekday)) reason = 'This day of the week is not selected.'
    else if (skipDone && done.has(date)) reason = 'A run of an earlier backfill succeeded for this date.'
    dates.push({ date, reason })
  }
  return order === 'OLDEST_FIRST' ? dates : dates.toReversed()
}
