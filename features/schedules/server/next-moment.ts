import { CronError, nextOccurrences } from '@headwater/cron'
import { scheduleErrors } from '../contract/index.ts'
import type { Trigger } from './schedules-store.ts'

/** Returns the first moment of all triggers after one. An expression or zone that cannot be parsed is refused at its field. */
export function nextMoment(triggers: readonly Trigger[], after: Date): Date {
  return new Date(Math.min(...triggers.map((trigger) => momentOf(trigger, after).getTime())))
}

function momentOf({ cron, timeZone }: Trigger, after: Date): Date {
  try {
    return nextOccurrences({ expression: cron, timeZone }, after, 1)[0]!
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse =
      error.part === 'timeZone' ? scheduleErrors.scheduleZoneUnknown : scheduleErrors.scheduleUnreadable
    throw refuse({ reason: error.message })
  }
}
