import { valueFunction, type ValueFunction, type ValueWork } from './value-function.ts'
import { quoted, toNumber, toText, ValueError, type Value } from './value.ts'

const dayMs = 86_400_000
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/
const timePattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i
const maxDays = 1_000_000

/**
 * Date functions. Days are strings such as `2026-01-31`, instants are strings such as `2026-01-31T07:30:00Z`. The default
 * time zone is UTC.
 */
export const dateFunctions = {
  now: valueFunction(0, 0, 'now()', 'The start of the run, an instant in UTC.', 'now()', (_, { now }) =>
    instantText(now.getTime()),
  ),
  today: valueFunction(
    0,
    1,
    'today(zone)',
    'The day on which the run started, in a time zone.',
    'today("Europe/Berlin")',
    ([zone], work) => dayText(localMs(work, work.now.getTime(), zone)),
  ),
  format: valueFunction(
    2,
    3,
    'format(date, pattern, zone)',
    'A day or instant as text, with yyyy, yy, MM, dd, HH, mm and ss.',
    'format("2026-01-31", "dd.MM.yyyy")',
    formatted,
  ),
  adddays: valueFunction(
    2,
    2,
    'adddays(date, n)',
    'The date n days later; n can be negative.',
    'adddays("2026-01-31", -1)',
    ([date, n]) => shifted(date!, boundedWhole(n!) * dayMs),
  ),
  addhours: valueFunction(
    2,
    2,
    'addhours(instant, n)',
    'The instant n hours later; n can be negative.',
    'addhours("2026-01-31T07:30:00Z", 2)',
    ([date, n]) => instantText(msOf(date!) + boundedNumber(n!) * 3_600_000),
  ),
  addmonths: valueFunction(
    2,
    2,
    'addmonths(date, n)',
    'The date n months later, at most the last day of that month.',
    'addmonths("2026-01-31", 1)',
    ([date, n]) => addMonths(date!, boundedWhole(n!)),
  ),
  startof: valueFunction(
    2,
    3,
    'startof(date, unit, zone)',
    'The first day of the "week" (Monday), "month", "quarter" or "year" of a date.',
    'startof("2026-02-15", "month")',
    startOf,
  ),
  endof: valueFunction(
    2,
    3,
    'endof(date, unit, zone)',
    'The last day of the "week" (Sunday), "month", "quarter" or "year" of a date.',
    'endof("2026-02-15", "month")',
    endOf,
  ),
  weekday: valueFunction(
    1,
    2,
    'weekday(date, zone)',
    'The day of the week, 1 for Monday to 7 for Sunday.',
    'weekday("2026-01-31")',
    ([date, zone], work) => new Date(localOf(work, date!, zone)).getUTCDay() || 7,
  ),
  year: part('year', 0, 4, 'The year'),
  month: part('month', 5, 7, 'The month, 1 to 12'),
  day: part('day', 8, 10, 'The day of the month, 1 to 31'),
  daysbetween: valueFunction(
    2,
    2,
    'daysbetween(from, to)',
    'The number of days between two dates.',
    'daysbetween("2026-01-01", "2026-01-31")',
    ([from, to]) => (msOf(to!) - msOf(from!)) / dayMs,
  ),
  toutc: valueFunction(
    2,
    2,
    'toutc(local, zone)',
    'The instant of a local date and time in a time zone.',
    'toutc("2026-01-31 07:30", "Europe/Berlin")',
    toUtc,
  ),
} satisfies Record<string, ValueFunction>

function part(name: string, from: number, to: number, meaning: string): ValueFunction {
  return valueFunction(
    1,
    2,
    `${name}(date, zone)`,
    `${meaning}, of a date in a time zone.`,
    `${name}("2026-01-31")`,
    ([date, zone], work) => Number(instantText(localOf(work, date!, zone)).slice(from, to)),
  )
}

/** Returns a day or an instant in ms since 1970. */
function msOf(value: Value): number {
  const text = toText(value).trim()
  const isDay = dayPattern.test(text)
  const [, day, time, zone = 'Z'] = timePattern.exec(text) ?? []
  const ms = isDay
    ? Date.parse(text)
    : day === undefined
      ? Number.NaN
      : Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  // The JavaScript date parser accepts 2026-02-31 as a day in March.
  if (Number.isNaN(ms) || (isDay && dayText(ms) !== text))
    throw new ValueError(`${quoted(value)} is not a date. Write 2026-01-31 or 2026-01-31T07:30:00Z.`)
  return ms
}

function isDay(value: Value): boolean {
  return dayPattern.test(toText(value).trim())
}

/** Returns the local time of a date in a time zone, as UTC milliseconds. Days have no zone. */
function localOf(work: ValueWork, value: Value, zone: Value | undefined): number {
  const ms = msOf(value)
  return isDay(value) ? ms : localMs(work, ms, zone)
}

function localMs({ zoneOffsetMs }: ValueWork, ms: number, zone: Value | undefined): number {
  if (zone === undefined || zone === null || zone === '') return ms
  try {
    return ms + zoneOffsetMs(toText(zone), ms)
  } catch (error) {
    if (error instanceof RangeError)
      throw new ValueError(`${quoted(zone)} is not a time zone. Write for example Europe/Berlin.`)
    throw error
  }
}

function dayText(ms: number): string {
  return instantText(ms).slice(0, 10)
}

function instantText(ms: number): string {
  const date = new Date(Math.floor(ms / 1000) * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999)
    throw new ValueError('Dates are in the years 0 to 9999.')
  return date.toISOString().replace('.000Z', 'Z')
}

function shifted(date: Value, byMs: number): string {
  const ms = msOf(date) + byMs
  return isDay(date) ? dayText(ms) : instantText(ms)
}

function addMonths(date: Value, months: number): string {
  const ms = msOf(date)
  const start = new Date(ms)
  const last = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0)).getUTCDate()
  const moved = Date.UTC(
    start.getUTCFullYear(),
    start.getUTCMonth() + months,
    Math.min(start.getUTCDate(), last),
  )
  return shifted(date, moved + (ms % dayMs) - ms)
}

const unitMonths: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

function startOf([date, unit, zone]: readonly Value[], work: ValueWork): string {
  const ms = localOf(work, date!, zone)
  const start = new Date(ms)
  const name = toText(unit!).trim().toLowerCase()
  if (name === 'week') return dayText(ms - ((start.getUTCDay() + 6) % 7) * dayMs)
  const months = unitMonthsOf(name)
  return dayText(Date.UTC(start.getUTCFullYear(), Math.floor(start.getUTCMonth() / months) * months, 1))
}

function endOf(values: readonly Value[], work: ValueWork): string {
  const start = startOf(values, work)
  const name = toText(values[1]!).trim().toLowerCase()
  const next = name === 'week' ? shifted(start, 7 * dayMs) : addMonths(start, unitMonthsOf(name))
  return shifted(next, -dayMs)
}

function unitMonthsOf(name: string): number {
  const months = Object.hasOwn(unitMonths, name) ? unitMonths[name] : undefined
  if (months === undefined) throw new ValueError('The unit is "week", "month", "quarter" or "year".')
  return months
}

function formatted([date, pattern, zone]: readonly Value[], work: ValueWork): string {
  const local = instantText(localOf(work, date!, zone))
  const parts: Readonly<Record<string, string>> = {
    yyyy: local.slice(0, 4),
    yy: local.slice(2, 4),
    MM: local.slice(5, 7),
    dd: local.slice(8, 10),
    HH: local.slice(11, 13),
    mm: local.slice(14, 16),
    ss: local.slice(17, 19),
  }
  return toText(pattern!).replaceAll(/yyyy|yy|MM|dd|HH|mm|ss/g, (token) => parts[token]!)
}

/** Determines the instant in two steps, because the offset depends on the instant. */
function toUtc([local, zone]: readonly Value[], work: ValueWork): string {
  const clock = msOf(local!)
  const guess = clock - (localMs(work, clock, zone) - clock)
  return instantText(clock - (localMs(work, guess, zone) - guess))
}

function boundedNumber(value: Value): number {
  const number = toNumber(value)
  if (Math.abs(number) > maxDays) throw new ValueError('The number of units is too large.')
  return number
}

function boundedWhole(value: Value): number {
  const number = boundedNumber(value)
  if (!Number.isInteger(number)) throw new ValueError(`${number} is not a whole number.`)
  return number
}
