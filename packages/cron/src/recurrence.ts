import { createZoneClock, type ZoneClock } from '@headwater/zones'

/** Days on which a schedule runs. Business days are neither weekend days nor holidays. */
export const dayRules = [
  'EVERY_DAY',
  'WEEKDAYS',
  'BUSINESS_DAYS',
  'FIRST_DAY_OF_MONTH',
  'LAST_DAY_OF_MONTH',
  'FIRST_BUSINESS_DAY_OF_MONTH',
  'LAST_BUSINESS_DAY_OF_MONTH',
] as const
/** Days on which a schedule runs. */
export type DayRule = (typeof dayRules)[number]

/** Handling of an occurrence on a day that is not a business day. */
export const nonWorkingDayRules = ['RUN', 'SKIP', 'NEXT_BUSINESS_DAY', 'PREVIOUS_BUSINESS_DAY'] as const
/** Handling of an occurrence on a day that is not a business day. */
export type NonWorkingDayRule = (typeof nonWorkingDayRules)[number]

/** Units of intervals. Minutes and hours elapse in real time; days and weeks keep the local time of the start. */
export const intervalUnits = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS'] as const
/** A unit of an interval. */
export type IntervalUnit = (typeof intervalUnits)[number]

/** Occurrences at constant intervals from a start. */
export interface IntervalRecurrence {
  /** Kind of the recurrence. */
  kind: 'INTERVAL'
  /** Number of units between occurrences, at least 1. */
  every: number
  /** Unit of `every`. */
  unit: IntervalUnit
  /** First occurrence as local time, such as `2026-01-31T08:00`. */
  start: string
}

/** Occurrences at given times on certain days. */
export interface CalendarRecurrence {
  /** Kind of the recurrence. */
  kind: 'CALENDAR'
  /** Local times, such as `07:00`. */
  times: readonly string[]
  /** The days. */
  days: DayRule
  /** Days of the week for WEEKDAYS, 1 = Monday to 7 = Sunday. */
  weekdays?: readonly number[]
}

/** A rule for recurring instants in a time zone. */
export type Recurrence = (IntervalRecurrence | CalendarRecurrence) & {
  /** IANA name of the time zone. */
  timeZone: string
  /** Handling of occurrences on non-working days. Default RUN. Rules for business days ignore it. */
  onFreeDay?: NonWorkingDayRule
}

/** The non-working days. */
export interface NonWorkingDays {
  /** Non-working days of the week, 1 = Monday to 7 = Sunday. */
  weekend: readonly number[]
  /** Holidays as dates, such as `2026-12-25`. */
  holidays: ReadonlySet<string>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Maximum number of days to search for occurrences. */
const maxDaysAhead = 5 * 366
/** Maximum number of days by which an occurrence moves to a business day. */
const maxMoveDays = 31
/** Maximum number of occurrences of an interval that are checked to find one on an allowed day. */
const maxSteps = 200_000

/** Default non-working days: Saturday and Sunday, no holidays. */
export const plainWeekend: NonWorkingDays = { weekend: [6, 7], holidays: new Set() }

/**
 * Returns up to `count` occurrences of a rule after an instant, within the next five years. A local time that a clock change
 * skips moves forward by the length of the gap; a repeated one counts once.
 * @throws RangeError for an unknown time zone
 */
export function nextRecurrences(
  recurrence: Recurrence,
  after: Date,
  count: number,
  nonWorkingDays: NonWorkingDays = plainWeekend,
): Date[] {
  const clock = createZoneClock(recurrence.timeZone)
  const instants =
    recurrence.kind === 'INTERVAL'
      ? intervalInstants(recurrence, clock, after.getTime(), count, nonWorkingDays)
      : calendarInstants(recurrence, clock, after.getTime(), count, nonWorkingDays)
  return instants.map((instant) => new Date(instant))
}

/** Returns whether the local day of an instant is a weekend or holiday. */
export function isNonWorkingDay(instant: Date, timeZone: string, nonWorkingDays: NonWorkingDays): boolean {
  return isNonWorking(dayOf(createZoneClock(timeZone).toLocal(instant.getTime())), nonWorkingDays)
}

const dayTexts = {
  EVERY_DAY: 'every day',
  BUSINESS_DAYS: 'on business days',
  FIRST_DAY_OF_MONTH: 'on the first day of the month',
  LAST_DAY_OF_MONTH: 'on the last day of the month',
  FIRST_BUSINESS_DAY_OF_MONTH: 'on the first business day of the month',
  LAST_BUSINESS_DAY_OF_MONTH: 'on the last business day of the month',
}
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Describes a rule in English, for example `At 07:00 on business days` or `Every 15 minutes`. */
export function describeRecurrence(rule: IntervalRecurrence | CalendarRecurrence): string {
  if (rule.kind === 'INTERVAL') {
    const unit = rule.unit.toLowerCase()
    return rule.every === 1 ? `Every ${unit.slice(0, -1)}` : `Every ${rule.every} ${unit}`
  }
  const days = rule.days === 'WEEKDAYS' ? `on ${weekdaysText(rule.weekdays ?? [])}` : dayTexts[rule.days]
  return `At ${listText(rule.times.toSorted())} ${days}`
}

/** Joins times, for example `07:00, 12:00 and 18:00`. */
function listText(times: readonly string[]): string {
  return times.length < 2 ? times.join('') : `${times.slice(0, -1).join(', ')} and ${times.at(-1)}`
}

function weekdaysText(weekdays: readonly number[]): string {
  const sorted = weekdays.toSorted((a, b) => a - b)
  if (sorted.join('') === '12345') return 'Monday to Friday'
  return sorted.map((day) => weekdayNames[day - 1]).join(', ')
}

function calendarInstants(
  { times, days, weekdays = [], onFreeDay = 'RUN' }: CalendarRecurrence & Pick<Recurrence, 'onFreeDay'>,
  clock: ZoneClock,
  after: number,
  count: number,
  nonWorkingDays: NonWorkingDays,
): number[] {
  const minutes = times.map(minutesOf)
  const today = dayOf(clock.toLocal(after))
  const instants = new Set<number>()
  // Occurrences before today can move to later days, and later ones can move to today.
  for (let offset = -maxMoveDays; offset <= maxDaysAhead; offset++) {
    const nominal = today + offset * dayMs
    if (!isDayOf(days, weekdays, nominal, nonWorkingDays)) continue
    const day = movedDay(nominal, onFreeDay, nonWorkingDays)
    if (day === undefined) continue
    for (const minute of minutes) {
      const instant = clock.toUtc(day + minute * minuteMs)
      if (instant > after) instants.add(instant)
    }
    const earliestLater = nominal - (onFreeDay === 'PREVIOUS_BUSINESS_DAY' ? maxMoveDays * dayMs : 0)
    if (instants.size >= count && clock.toUtc(earliestLater) > nth(instants, count)) break
  }
  return [...instants].toSorted((a, b) => a - b).slice(0, count)
}

function nth(instants: ReadonlySet<number>, count: number): number {
  return [...instants].toSorted((a, b) => a - b)[count - 1]!
}

function intervalInstants(
  { every, unit, start, onFreeDay = 'RUN' }: IntervalRecurrence & Pick<Recurrence, 'onFreeDay'>,
  clock: ZoneClock,
  after: number,
  count: number,
  nonWorkingDays: NonWorkingDays,
): number[] {
  const startLocal = Date.parse(`${start}Z`)
  const isRealTime = unit === 'MINUTES' || unit === 'HOURS'
  const stepMs = every * { MINUTES: minuteMs, HOURS: 60 * minuteMs, DAYS: dayMs, WEEKS: 7 * dayMs }[unit]
  const origin = isRealTime ? clock.toUtc(startLocal) : startLocal
  const instantOf = (index: number) => {
    const nominal = origin + index * stepMs
    if (isRealTime) return onAllowedDay(nominal, onFreeDay, clock, nonWorkingDays)
    const day = movedDay(dayOf(nominal), onFreeDay, nonWorkingDays)
    return day === undefined ? undefined : clock.toUtc(day + (nominal - dayOf(nominal)))
  }
  const reached = isRealTime ? after : clock.toLocal(after)
  // Earlier occurrences can move to later days.
  const first = Math.max(0, Math.floor((reached - (isRealTime ? 0 : maxMoveDays * dayMs) - origin) / stepMs))
  const last = Math.min(first + maxSteps, Math.ceil((reached + maxDaysAhead * dayMs - origin) / stepMs))
  const instants = new Set<number>()
  for (let index = first; index <= Math.max(first, last); index++) {
    const instant = instantOf(index)
    if (instant !== undefined && instant > after) instants.add(instant)
    const earliestLater = origin + index * stepMs - (isRealTime ? 0 : (maxMoveDays + 1) * dayMs)
    if (instants.size >= count && (isRealTime || earliestLater > nth(instants, count))) break
  }
  return [...instants].toSorted((a, b) => a - b).slice(0, count)
}

/** Occurrences of short intervals are skipped on non-working days and never moved, because several would coincide. */
function onAllowedDay(
  instant: number,
  rule: NonWorkingDayRule,
  clock: ZoneClock,
  nonWorkingDays: NonWorkingDays,
): number | undefined {
  return rule !== 'RUN' && isNonWorking(dayOf(clock.toLocal(instant)), nonWorkingDays) ? undefined : instant
}

function isDayOf(
  rule: DayRule,
  weekdays: readonly number[],
  day: number,
  nonWorkingDays: NonWorkingDays,
): boolean {
  switch (rule) {
    case 'EVERY_DAY':
      return true
    case 'WEEKDAYS':
      return weekdays.includes(weekdayOf(day))
    case 'BUSINESS_DAYS':
      return !isNonWorking(day, nonWorkingDays)
    case 'FIRST_DAY_OF_MONTH':
      return isFirstOfMonth(day)
    case 'LAST_DAY_OF_MONTH':
      return isFirstOfMonth(day + dayMs)
    case 'FIRST_BUSINESS_DAY_OF_MONTH':
      return !isNonWorking(day, nonWorkingDays) && isOutermostBusinessDay(day, nonWorkingDays, -1)
    case 'LAST_BUSINESS_DAY_OF_MONTH':
      return !isNonWorking(day, nonWorkingDays) && isOutermostBusinessDay(day, nonWorkingDays, 1)
  }
}

/** Returns whether a day is the first business day of its month (direction -1) or the last one (direction 1). */
function isOutermostBusinessDay(day: number, nonWorkingDays: NonWorkingDays, direction: 1 | -1): boolean {
  const month = monthOf(day)
  for (let other = day + direction * dayMs; monthOf(other) === month; other += direction * dayMs)
    if (!isNonWorking(other, nonWorkingDays)) return false
  return true
}

/** Returns the day to which the occurrence of a day moves; undefined if it is skipped. */
function movedDay(day: number, rule: NonWorkingDayRule, nonWorkingDays: NonWorkingDays): number | undefined {
  if (rule === 'RUN' || !isNonWorking(day, nonWorkingDays)) return day
  if (rule === 'SKIP') return undefined
  const step = rule === 'NEXT_BUSINESS_DAY' ? dayMs : -dayMs
  for (let moved = 1; moved <= maxMoveDays; moved++)
    if (!isNonWorking(day + moved * step, nonWorkingDays)) return day + moved * step
  return undefined
}

function isNonWorking(day: number, { weekend, holidays }: NonWorkingDays): boolean {
  return weekend.includes(weekdayOf(day)) || holidays.has(new Date(day).toISOString().slice(0, 10))
}

function weekdayOf(day: number): number {
  return new Date(day).getUTCDay() || 7
}

function isFirstOfMonth(day: number): boolean {
  return new Date(day).getUTCDate() === 1
}

function monthOf(day: number): number {
  return new Date(day).getUTCMonth()
}

function dayOf(localMs: number): number {
  return Math.floor(localMs / dayMs) * dayMs
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
