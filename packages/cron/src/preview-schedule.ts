import { CronError, describeCron, nextOccurrences, type CronSchedule } from './cron.ts'
import { describeRecurrence, nextRecurrences, type NonWorkingDays, type Recurrence } from './recurrence.ts'
import { nextWorkingOccurrence } from './working-occurrence.ts'

/** English description and next runs of a schedule, or the invalid part with the reason. */
export type SchedulePreview =
  { description: string; times: Date[] } | { invalid: 'expression' | 'timeZone'; reason: string }

/**
 * Describes a schedule and returns its next runs after an instant.
 * @param nonWorkingDays days on which a cron expression does not run; recurrence rules also use them. Undefined if there is no
 * holiday calendar
 */
export function previewSchedule(
  schedule: CronSchedule | Recurrence,
  {
    after,
    count,
    nonWorkingDays,
  }: { after: Date; count: number; nonWorkingDays?: NonWorkingDays | undefined },
): SchedulePreview {
  try {
    if ('expression' in schedule) {
      // For an invalid expression, computing the times gives a clearer reason than the description does.
      const times = timesOfCron(schedule, after, count, nonWorkingDays)
      return { description: describeCron(schedule.expression), times }
    }
    return {
      description: describeRecurrence(schedule),
      times: nextRecurrences(schedule, after, count, nonWorkingDays),
    }
  } catch (error) {
    if (error instanceof CronError) return { invalid: error.part, reason: error.message }
    if (error instanceof RangeError) return { invalid: 'timeZone', reason: error.message }
    throw error
  }
}

function timesOfCron(
  schedule: CronSchedule,
  after: Date,
  count: number,
  nonWorkingDays: NonWorkingDays | undefined,
): Date[] {
  if (nonWorkingDays === undefined) return nextOccurrences(schedule, after, count)
  const times: Date[] = []
  while (times.length < count) {
    const next = nextWorkingOccurrence(schedule, times.at(-1) ?? after, nonWorkingDays)
    if (next === undefined) break
    times.push(next)
  }
  return times
}
