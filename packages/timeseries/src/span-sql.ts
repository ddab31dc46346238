import { dayNumberSql, earliestMs, latestMs } from './calendar-time.ts'
import type { Resample } from './resample-aggregate.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

const dayMs = 86_400_000
/** Days from the start of its week to Thursday, 1970-01-01. */
const daysSinceMonday = 3
const firstDayNumber = earliestMs / dayMs
const lastDayNumber = Math.floor(latestMs / dayMs)
const firstMonthNumber = (1677 - 1970) * 12
const lastMonthNumber = 330 * 12 - 1
/** Greatest common step in milliseconds of daylight saving changes that shift spans of hours. */
const hourStepMs = 900_000
const minuteStepMs = 60_000

/** The time spans of a query as SQL. */
export interface SpanSql {
  /** SQL that returns the number of the span of a timestamp. */
  key: string
  /** SQL that returns the start of the span with the number in column `span`. */
  begin: string
  /**
   * SQL that returns the end of the span with the number in column `span`, in UTC milliseconds, but not after the end of
   * 2299.
   */
  endMs: string
  /** Returns SQL of an array with the numbers of all spans from one to another, possibly with duplicates. */
  between(this: void, first: string, last: string): string
}

/**
 * Checks the origin of spans.
 * @throws SeriesEngineError `invalid` for an origin that is not a timestamp, or does not fit the unit
 */
export function checkOrigin(origin: number, unit: Resample['unit']): void {
  if (!Number.isSafeInteger(origin) || origin < earliestMs || origin > latestMs)
    throw new SeriesEngineError('invalid', 'The origin of spans must be in the years 1677 to 2299.')
  if (isOfMonths(unit) && new Date(origin).getUTCDate() !== 1)
    throw new SeriesEngineError(
      'invalid',
      `Spans of ${unit} start on the first day of a month. Use an origin such as 2024-10-01 or 2024-10-01T06:00.`,
    )
}

/** Returns whether spans of days start at local midnight. */
export function beginsAtMidnight({ origin = 0 }: Resample): boolean {
  return modulo(origin, dayMs) === 0
}

/**
 * Builds the SQL of the spans of a query.
 * @param instant SQL of the instant for which to find the span
 */
export function spanSql(resample: Resample, timeZone: string, instant: string): SpanSql {
  const { unit, amount } = resample
  if (unit === 'MINUTES' || unit === 'HOURS') return clockSpans(resample, timeZone, instant)
  const zoned = `toTimeZone(${instant}, {zone:String})`
  const { origin } = resample
  const timeOfDay = modulo(origin ?? 0, dayMs)
  const local = `fromUnixTimestamp64Milli(${localMsSql(instant)} - ${quoteInteger(timeOfDay)}, 'UTC')`
  const clock = timeOfDay === 0 ? zoned : local
  const isMonths = isOfMonths(unit)
  const number = isMonths
    ? `((toInt32(toYear(${clock})) - 1970) * 12 + toMonth(${clock}) - 1)`
    : dayNumberSql(clock)
  const width = amount * { DAYS: 1, WEEKS: 7, MONTHS: 1, YEARS: 12 }[unit]
  const lead = origin === undefined ? (unit === 'WEEKS' ? daysSinceMonday : 0) : -numberOf(origin, isMonths)
  const first = quoteInteger(isMonths ? firstMonthNumber : firstDayNumber)
  const beginOf = (span: string) => {
    const date = dateSql(isMonths, `greatest(${span}, ${first})`)
    if (timeOfDay === 0) return notBeforeFirst(`toTimeZone(toDateTime64(${date}, 3, {zone:String}), 'UTC')`)
    const begin = fromLocalSql(`(toInt64(toInt32(${date})) * ${dayMs} + ${quoteInteger(timeOfDay)})`)
    return `if(${span} < ${first}, ${quoteTimestamp(earliestMs)}, ${notBeforeFirst(begin)})`
  }
  const next = `span + ${quoteInteger(width)}`
  const last = isMonths ? lastMonthNumber : lastDayNumber
  return {
    key: floorSql(number, width, modulo(lead, width)),
    begin: beginOf('span'),
    endMs: `if(${next} > ${quoteInteger(last)}, ${quoteInteger(latestMs + 1)}, toUnixTimestamp64Milli(${beginOf(next)}))`,
    between: (from, to) => `range(toInt32(${from}), toInt32(${to}) + 1, ${quoteInteger(width)})`,
  }
}

/** Builds SQL that returns the starts `ts` of all spans between two instants, including the spans of both. */
export function buildGridSql(
  resample: Resample,
  timeZone: string,
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
): string {
  const keyOf = (ms: number) => spanSql(resample, timeZone, quoteTimestamp(ms)).key
  const { between, begin } = spanSql(resample, timeZone, 'ts')
  return `SELECT ${begin} AS ts FROM (SELECT DISTINCT arrayJoin(${between(keyOf(firstMs), keyOf(lastMs))}) AS span)`
}

function clockSpans({ unit, amount, origin = 0 }: Resample, timeZone: string, instant: string): SpanSql {
  const width = amount * (unit === 'HOURS' ? 3_600_000 : 60_000)
  const lead = modulo(-origin, width)
  const isUtc = timeZone === 'UTC'
  const keyOf = (ms: string) => (isUtc ? floorSql(ms, width, lead) : wallClockFloorSql(ms, width, lead))
  const toInstant = (ms: string) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`
  // When clocks go back, the time one span width later may belong to the same span.
  const next = keyOf(`(span + ${quoteInteger(width)})`)
  const end = isUtc
    ? `(span + ${quoteInteger(width)})`
    : `if(${next} > span, ${next}, ${keyOf(`(span + ${quoteInteger(2 * width)})`)})`
  const step = isUtc ? width : unit === 'HOURS' ? hourStepMs : minuteStepMs
  return {
    key: keyOf(`toUnixTimestamp64Milli(${instant})`),
    begin: notBeforeFirst(toInstant('span')),
    endMs: `least(${end}, ${quoteInteger(latestMs + 1)})`,
    between: (from, to) => {
      const instants = `range(toInt64(${from}), toInt64(${to}) + 1, ${quoteInteger(step)})`
      return isUtc ? instants : `arrayMap(ms -> ${keyOf('ms')}, ${instants})`
    },
  }
}

function isOfMonths(unit: Resample['unit']): boolean {
  return unit === 'MONTHS' || unit === 'YEARS'
}

/** Returns the day or month of a local time, counted from 1970. */
function numberOf(local: number, isMonths: boolean): number {
  const at = new Date(local)
  return isMonths ? (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth() : Math.floor(local / dayMs)
}

function modulo(number: number, width: number): number {
  return ((number % width) + width) % width
}

function floorSql(number: string, width: number, lead = 0): string {
  return `(${number} - positiveModulo(${number} + ${quoteInteger(lead)}, ${quoteInteger(width)}))`
}

/** Returns SQL of the UTC offset of the zone, in milliseconds. */
function offsetSql(ms: string): string {
  return `toInt64(timeZoneOffset(fromUnixTimestamp64Milli(${ms}, {zone:String}))) * 1000`
}

/** Returns SQL of the local time of an instant, in milliseconds as if it were UTC. */
function localMsSql(instant: string): string {
  return `(toUnixTimestamp64Milli(${instant}) + toInt64(timeZoneOffset(toTimeZone(${instant}, {zone:String}))) * 1000)`
}

/** Returns SQL of the first instant of a local time. A skipped time moves forward by the length of the gap. */
function fromLocalSql(local: string): string {
  const early = `(${local} - ${offsetSql(`(${local} - ${dayMs})`)})`
  const late = `(${local} - ${offsetSql(early)})`
  const isMatch = (ms: string) => `${ms} + ${offsetSql(ms)} = ${local}`
  return `fromUnixTimestamp64Milli(if(${isMatch(early)} OR NOT (${isMatch(late)}), ${early}, ${late}), 'UTC')`
}

/**
 * Returns SQL of the instant at which the span starts in local time. After a daylight saving change the earlier offset
 * applies; a repeated hour is two spans.
 */
function wallClockFloorSql(ms: string, width: number, lead: number): string {
  const offset = offsetSql(ms)
  const begin = `(${ms} - positiveModulo(${ms} + ${offset} + ${quoteInteger(lead)}, ${quoteInteger(width)}))`
  return `(${begin} + ${offset} - ${offsetSql(begin)})`
}

/** Returns SQL of the date this many days or months after 1970-01-01. */
function dateSql(isMonths: boolean, number: string): string {
  return `${isMonths ? 'addMonths' : 'addDays'}(toDate32('1970-01-01'), ${number})`
}

function notBeforeFirst(instant: string): string {
  return `greatest(${instant}, ${quoteTimestamp(earliestMs)})`
}
