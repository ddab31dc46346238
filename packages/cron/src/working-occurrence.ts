import { createZoneClock } from '@headwater/zones'
import { nextOccurrences, type CronSchedule } from './cron.ts'
import { isNonWorkingDay, type NonWorkingDays } from './recurrence.ts'

const dayMs = 24 * 60 * 60_000
/**
 * Maximum number of dates on non-working days to skip. This covers more than a year of a weekly schedule.
 */
const maxSkippedDays = 400

/**
 * Returns the first occurrence of a cron expression after an instant that is not on a weekend or holiday; undefined if its next
 * 400 dates are all weekends and holidays.
 * @param nonWorkingDays weekends and holidays; undefined to skip no day
 * @throws CronError
 */
export function nextWorkingOccurrence(
  schedule: CronSchedule,
  after: Date,
  nonWorkingDays: NonWorkingDays | undefined,
): Date | undefined {
  let start = after
  for (let skippedDays = 0; skippedDays <= maxSkippedDays; skippedDays++) {
    const next = nextOccurrences(schedule, start, 1)[0]!
    if (nonWorkingDays === undefined || !isNonWorkingDay(next, schedule.timeZone, nonWorkingDays)) return next
    start = endOfDay(next, schedule.timeZone)
  }
  return undefined
}

/** Returns the last millisecond of the local day of an instant. */
function endOfDay(instant: Date, timeZone: string): Date {
  const clock = createZoneClock(timeZone)
  const nextDay = (Math.floor(clock.toLocal(instant.getTime()) / dayMs) + 1) * dayMs
  return new Date(Math.max(clock.toUtc(nextDay) - 1, instant.getTime()))
}
