import { CronError, isFreeDay, nextOccurrences, nextRecurrences, type FreeDays } from '@headwater/cron'
import { isTimeZone } from '@headwater/zones'
import { scheduleErrors } from '../contract/index.ts'
import type { FreeDaysByCalendar } from './free-days.ts'
import type { CronTrigger, RuleTrigger, Trigger } from './schedules-store.ts'

/** Most occurrences of a cron expression that are searched for one on a business day. */
const maxFreeOccurrences = 20_000

/**
 * Returns the first occurrence of any trigger after an instant. Throws `scheduleUnreadable` and `scheduleZoneUnknown`.
 * @param freeDays the free days of the calendars that the triggers name
 */
export function nextOccurrence(
  triggers: readonly Trigger[],
  after: Date,
  freeDays: FreeDaysByCalendar = new Map(),
): Date {
  return new Date(Math.min(...triggers.map((trigger) => occurrenceOf(trigger, after, freeDays).getTime())))
}

function occurrenceOf(trigger: Trigger, after: Date, freeDays: FreeDaysByCalendar): Date {
  const free = trigger.holidayCalendar === undefined ? undefined : freeDays.get(trigger.holidayCalendar)
  return 'rule' in trigger ? occurrenceOfRule(trigger, after, free) : occurrenceOfCron(trigger, after, free)
}

function occurrenceOfRule({ rule }: RuleTrigger, after: Date, freeDays: FreeDays | undefined): Date {
  if (!isTimeZone(rule.timeZone))
    throw scheduleErrors.scheduleZoneUnknown({
      reason: `“${rule.timeZone}” is not a time zone. Use an IANA name such as Europe/London or UTC.`,
    })
  const [next] = nextRecurrences(rule, after, 1, freeDays)
  if (next === undefined)
    throw scheduleErrors.scheduleUnreadable({
      reason: 'The schedule has no date within five years. Choose other days or another holiday calendar.',
    })
  return next
}

function occurrenceOfCron(
  { cron, timeZone }: CronTrigger,
  after: Date,
  freeDays: FreeDays | undefined,
): Date {
  try {
    let next = after
    for (let searched = 0; searched < maxFreeOccurrences; searched++) {
      next = nextOccurrences({ expression: cron, timeZone }, next, 1)[0]!
      if (freeDays === undefined || !isFreeDay(next, timeZone, freeDays)) return next
    }
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse =
      error.part === 'timeZone' ? scheduleErrors.scheduleZoneUnknown : scheduleErrors.scheduleUnreadable
    throw refuse({ reason: error.message })
  }
  throw scheduleErrors.scheduleUnreadable({
    reason: `“${cron}” meets only holidays and weekends of the calendar. Choose other days.`,
  })
}
