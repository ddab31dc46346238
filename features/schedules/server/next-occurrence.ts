import { CronError, nextOccurrences } from '@headwater/cron'
import { scheduleErrors } from '../contract/index.ts'
import type { Trigger } from './schedules-store.ts'

/** Returns the first occurrence of any trigger after an instant. Throws `scheduleUnreadable` and `scheduleZoneUnknown`. */
export function nextOccurrence(triggers: readonly Trigger[], after: Date): Date {
  return new Date(Math.min(...triggers.map((trigger) => occurrenceOf(trigger, after).getTime())))
}

function occurrenceOf({ cron, timeZone }: Trigger, after: Date): Date {
  try {
    return nextOccurrences({ expression: cron, timeZone }, after, 1)[0]!
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse =
      error.part === 'timeZone' ? scheduleErrors.scheduleZoneUnknown : scheduleErrors.scheduleUnreadable
    throw refuse({ reason: error.message })
  }
}
