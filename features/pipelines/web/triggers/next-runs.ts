import {
  CronError,
  describeCron,
  describeRecurrence,
  isNonWorkingDay,
  nextOccurrences,
  nextRecurrences,
  type NonWorkingDays,
} from '@headwater/cron'
import type { TriggerInput } from '../../contract/index.ts'

/** A trigger with times. */
export type TimedTrigger = Extract<TriggerInput, { type: 'CRON' | 'SCHEDULER' }>
/** Number of next runs in the preview. */
const count = 5
/** Most occurrences of a cron expression that are searched for business days. */
const maxSearched = 2000

/** What a trigger with times means: in English, and its next runs; or a warning with the reason. */
export type Meaning = { description: string; times: Date[] } | { warning: string; reason: string }

/**
 * Describes a trigger and returns its next five runs after an instant.
 * @param nonWorkingDays days of the holiday calendar of the trigger; undefined without one
 */
export function meaningOf(trigger: TimedTrigger, after: Date, nonWorkingDays?: NonWorkingDays): Meaning {
  try {
    if (trigger.type === 'CRON')
      return { description: describeCron(trigger.cron), times: timesOfCron(trigger, after, nonWorkingDays) }
    const { rule, timeZone, onFreeDay } = trigger
    return {
      description: describeRecurrence(rule),
      times: nextRecurrences({ ...rule, timeZone, onFreeDay }, after, count, nonWorkingDays),
    }
  } catch (error) {
    if (error instanceof CronError)
      return { warning: 'Could not translate the cron expression', reason: error.message }
    if (error instanceof RangeError) return { warning: 'The time zone is unknown', reason: error.message }
    throw error
  }
}

function timesOfCron(
  { cron, timeZone }: Extract<TimedTrigger, { type: 'CRON' }>,
  after: Date,
  nonWorkingDays: NonWorkingDays | undefined,
): Date[] {
  const schedule = { expression: cron, timeZone }
  if (nonWorkingDays === undefined) return nextOccurrences(schedule, after, count)
  const times: Date[] = []
  let last = after
  for (let searched = 0; times.length < count && searched < maxSearched; searched++) {
    last = nextOccurrences(schedule, last, 1)[0]!
    if (!isNonWorkingDay(last, timeZone, nonWorkingDays)) times.push(last)
  }
  return times
}
