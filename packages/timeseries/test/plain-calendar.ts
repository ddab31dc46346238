import type { TimeUnit, WorkingCalendar } from '../src/query-options.ts'

const minute = 60_000
const day = 86_400_000

/** Converts local times of a zone with the runtime's data: slow, and independent of the engine. */
export class PlainZone {
  readonly #format: Intl.DateTimeFormat
  readonly #known = new Map<number, number>()

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** Returns the local time, as if it were UTC. */
  toLocal(ms: number): number {
    const known = this.#known.get(ms)
    if (known !== undefined) return known
    const part = Object.fromEntries(
      this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    )
    const milliseconds = ((ms % 1000) + 1000) % 1000
    const local =
      utcOf(part.year!, part.month! - 1, part.day!) +
      ((part.hour! * 60 + part.minute!) * 60 + part.second!) * 1000 +
      milliseconds
    this.#known.set(ms, local)
    return local
  }

  /**
   * Returns the instant of a local time: the first of two, and for a skipped time one that is later by the length of
   * the gap.
   */
  fromLocal(local: number): number {
    return this.instantsOf(local)[0]!
  }

  /** Returns all instants of a local time; for a skipped time the one that is later by the length of the gap. */
  instantsOf(local: number): number[] {
    const around = [-36, -12, 0, 12, 36].map((hours) => local + hours * 60 * minute)
    const candidates = around.map((ms) => local - (this.toLocal(ms) - ms))
    const fitting = [...new Set(candidates)].filter((ms) => this.toLocal(ms) === local).sort((a, b) => a - b)
    return fitting.length > 0 ? fitting : [Math.max(...candidates)]
  }
}

/**
 * Returns the start of the span of this many units that contains an instant.
 * @param origin local time from which spans are counted
 */
export function beginOfSpan(
  ms: number,
  amount: number,
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>,
  zone: PlainZone,
  origin = unit === 'WEEKS' ? utcOf(1969, 11, 29) : 0,
): number {
  const local = zone.toLocal(ms)
  if (unit === 'MINUTES' || unit === 'HOURS') {
    const span = amount * (unit === 'HOURS' ? 60 : 1) * minute
    return zone
      .instantsOf(origin + Math.floor((local - origin) / span) * span)
      .findLast((begin, index) => index === 0 || begin <= ms)!
  }
  if (unit === 'DAYS' || unit === 'WEEKS') {
    const span = amount * (unit === 'WEEKS' ? 7 : 1) * day
    return zone.fromLocal(origin + Math.floor((local - origin) / span) * span)
  }
  const time = ((origin % day) + day) % day
  const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()
  const first = monthOf(new Date(origin))
  const months = amount * (unit === 'YEARS' ? 12 : 1)
  const month = first + Math.floor((monthOf(new Date(local - time)) - first) / months) * months
  return zone.fromLocal(utcOf(Math.floor(month / 12), month % 12, 1) + time)
}

/**
 * Returns the end of the span that contains an instant, no later than the end of 2299: the first later minute of
 * another span. Spans start on whole minutes.
 */
export function endOfSpan(
  ms: number,
  amount: number,
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>,
  zone: PlainZone,
  origin?: number,
): number {
  const last = utcOf(2300, 0, 1)
  const beginAt = (at: number) => beginOfSpan(at, amount, unit, zone, origin)
  const begin = beginAt(ms)
  // Doubles the step until it leaves the span, then narrows down to its end.
  let inside = Math.floor(ms / minute) * minute
  let outside = inside
  for (let step = minute; beginAt(outside) === begin; step *= 2) {
    outside = inside + step
    if (outside > last + 2000 * 366 * day) return last
  }
  while (outside - inside > minute) {
    const middle = inside + Math.floor((outside - inside) / minute / 2) * minute
    if (beginAt(middle) === begin) inside = middle
    else outside = middle
  }
  return Math.min(outside, last)
}

/** Shifts an instant by calendar time; infinite if it leaves the years of this runtime's local times. */
export function addCalendarTime(
  ms: number,
  amount: number,
  unit: TimeUnit,
  zone: PlainZone,
  calendar?: WorkingCalendar,
): number {
  if (unit === 'MINUTES') return ms + amount * minute
  if (unit === 'HOURS') return ms + amount * 60 * minute
  const local = zone.toLocal(ms)
  const time = ((local % day) + day) % day
  const date = local - time
  const moved = addToDate(date, amount, unit, calendar)
  const isTellable = moved > utcOf(1, 0, 3) && moved < utcOf(9998, 0, 1)
  return isTellable ? zone.fromLocal(moved + time) : amount > 0 ? Infinity : -Infinity
}

function addToDate(date: number, amount: number, unit: TimeUnit, calendar?: WorkingCalendar): number {
  if (unit === 'DAYS') return date + amount * day
  if (unit === 'WEEKS') return date + amount * 7 * day
  if (unit === 'WORKING_DAYS') return addWorkingDays(date, amount, calendar)
  const start = new Date(date)
  const month = start.getUTCFullYear() * 12 + start.getUTCMonth() + (unit === 'YEARS' ? amount * 12 : amount)
  const year = Math.floor(month / 12)
  if (year < 1 || year > 9998) return amount > 0 ? Infinity : -Infinity
  const lastDay = new Date(utcOf(year, (month % 12) + 1, 0)).getUTCDate()
  return utcOf(year, month % 12, Math.min(start.getUTCDate(), lastDay))
}

function addWorkingDays(date: number, amount: number, calendar?: WorkingCalendar): number {
  const weekend = calendar?.weekend ?? [6, 7]
  const holidays = new Set(calendar?.holidays)
  let left = Math.abs(amount)
  let at = date
  while (left > 0 && at > utcOf(1, 0, 1) && at < utcOf(9999, 0, 1)) {
    at += amount > 0 ? day : -day
    const weekday = new Date(at).getUTCDay() || 7
    if (!weekend.includes(weekday) && !holidays.has(new Date(at).toISOString().slice(0, 10))) left--
  }
  return at
}

/** Like Date.UTC, which maps the years 0 to 99 to the last century. */
function utcOf(year: number, month: number, date: number): number {
  const at = new Date(Date.UTC(2000, month, date))
  at.setUTCFullYear(year, month, date)
  return at.getTime()
}

const months = 'January,February,March,April,May,June,July,August,September,October,November,December'
const weekdays = 'Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday'

/** Formats a local time (as if UTC) with a Java date pattern, or in the default format. */
export function formatLocal(local: number, pattern?: string): string {
  const at = new Date(local)
  if (pattern === undefined) return at.toISOString().replace(/(\.000)?Z$/, '')
  return pattern.replaceAll(/'((?:''|[^'])*)'|([a-zA-Z])\2*/g, (run: string, quoted?: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'")
    const pad = (value: number) => String(value).padStart(run.length, '0')
    const month = months.split(',')[at.getUTCMonth()]!
    const weekday = weekdays.split(',')[at.getUTCDay()]!
    switch (run[0]) {
      case 'y':
        return run.length === 2 ? String(at.getUTCFullYear()).slice(-2) : pad(at.getUTCFullYear())
      case 'M':
        return run.length === 4 ? month : run.length === 3 ? month.slice(0, 3) : pad(at.getUTCMonth() + 1)
      case 'd':
        return pad(at.getUTCDate())
      case 'H':
        return pad(at.getUTCHours())
      case 'h':
        return pad(at.getUTCHours() % 12 || 12)
      case 'm':
        return pad(at.getUTCMinutes())
      case 's':
        return pad(at.getUTCSeconds())
      case 'S':
        return String(at.getUTCMilliseconds()).padStart(3, '0').padEnd(run.length, '0').slice(0, run.length)
      case 'a':
        return at.getUTCHours() < 12 ? 'AM' : 'PM'
      case 'E':
        return run.length === 4 ? weekday : weekday.slice(0, 3)
      default:
        throw new Error(`The plain calendar does not support the pattern ${run}.`)
    }
  })
}
