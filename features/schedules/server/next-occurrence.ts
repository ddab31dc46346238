import { CronError, nextRecurrences, nextWorkingOccurrence, type NonWorkingDays } from '@headwater/cron'
import { isTimeZone } from '@headwater/zones'
import { scheduleErrors } from '../contract/index.ts'
import type { NonWorkingDaysByCalendar } from './non-working-days.ts'
import type { CronTrigger, RuleTrigger, Trigger } from './schedules-store.ts'

/**
 * Returns the first occurrence of any trigger after an instant. Throws `scheduleUnreadable` and `scheduleZoneUnknown`.
 * @param nonWorkingDays the non-working days of the calendars that the triggers use
 */
export function nextOccurrence(
  triggers: readonly Trigger[],
  after: Date,
  nonWorkingDays: NonWorkingDaysByCalendar,
): Date {
  return new Date(
    Math.min(...triggers.map((trigger) => occurrenceOf(trigger, after, nonWorkingDays).getTime())),
  )
}

function occurrenceOf(trigger: Trigger, after: Date, nonWorkingDays: NonWorkingDaysByCalendar): Date {
  const days = trigger.holidayCalendar === undefined ? undefined : nonWorkingDays.get(trigger.holidayCalendar)
  return 'rule' in trigger ? occurrenceOfRule(trigger, after, days) : occurrenceOfCron(trigger, after, days)
}

function occurrenceOfRule(
  { rule }: RuleTrigger,
  after: Date,
  nonWorkingDays: NonWorkingDays | undefined,
): Date {
  if (!isTimeZone(rule.timeZone))
    throw scheduleErrors.scheduleZoneUnknown({
      reason: `“${rule.timeZone}” is not a time zone. Use an IANA name such as Europe/London or UTC.`,
    })
  const [next] = nextRecurrences(rule, after, 1, nonWorkingDays)
  if (next === undefined)
    throw scheduleErrors.scheduleUnreadable({
      reason:
        'The schedule has no date within the next five years. Choose other days or another holiday calendar.',
    })
  return next
}

function occurrenceOfCron(
  { cron, timeZone }: CronTrigger,
  after: Date,
  nonWorkingDays: NonWorkingDays | undefined,
): Date {
  try {
    const next = nextWorkingOccurrence({ expression: cron, timeZone }, after, nonWorkingDays)
    if (next !== undefined) return next
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse =
      error.part === 'timeZone' ? scheduleErrors.scheduleZoneUnknown : scheduleErrors.scheduleUnreadable
    throw refuse({ reason: error.message })
  }
  throw scheduleErrors.scheduleUnreadable({
    reason: `“${cron}” falls only on holidays and weekends of the calendar. Choose other days.`,
  })
}
