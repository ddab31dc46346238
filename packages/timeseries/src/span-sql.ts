import { dayNumberSql, earliestMs, latestMs } from './calendar-time.ts'
import { SeriesEngineError, type Resample } from './series-engine.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

const dayMs = 86_400_000
/** The Thursday 1970-01-01 is so many days after the start of its week. */
const daysSinceMonday = 3
const firstDayNumber = earliestMs / dayMs
const lastDayNumber = Math.floor(latestMs / dayMs)
const firstMonthNumber = -70 * 12
const lastMonthNumber = 330 * 12 - 1
/** Changes of the clock are so far from each other in whole hours; spans of hours are no shorter pieces of them. */
const hourStepMs = 900_000
const minuteStepMs = 60_000

/** The spans of time of a question as SQL. */
export interface SpanSql {
  /** A number that the moments of a span share. */
  key: string
  /** The begin of the span from its number in column `span`. */
  begin: string
  /** UTC milliseconds of the end of the span from its number in column `span`; no later than the year 2299 ends. */
  endMs: string
  /** The numbers of all spans from one to another as an array that may hold some of them several times. */
  between(this: void, first: string, last: string): string
}

/** @throws SeriesEngineError `invalid` for an origin that is no moment, or that spans of the unit cannot be counted from. */
export function checkOrigin(origin: number, unit: Resample['unit']): void {
  if (!Number.isSafeInteger(origin) || origin < earliestMs || origin > latestMs)
    throw new SeriesEngineError('invalid', 'The origin of spans lies in the years 1900 to 2299.')
  if (isOfMonths(unit) && new Date(origin).getUTCDate() !== 1)
    throw new SeriesEngineError(
      'invalid',
      `Spans of ${unit} begin on the first day of a month. Give an origin such as 2024-10-01 or 2024-10-01T06:00.`,
    )
}

/** Whether spans of days begin at the midnight of the clock. */
export function beginsAtMidnight({ origin = 0 }: Resample): boolean {
  return modulo(origin, dayMs) === 0
}

/** @param moment SQL of the moment whose span is wanted */
export function spanSql(resample: Resample, timeZone: string, moment: string): SpanSql {
  const { unit, amount } = resample
  if (unit === 'MINUTES' || unit === 'HOURS') return clockSpans(resample, timeZone, moment)
  const zoned = `toTimeZone(${moment}, {zone:String})`
  const { origin } = resample
  const timeOfDay = modulo(origin ?? 0, dayMs)
  const local = `fromUnixTimestamp64Milli(${localMsSql(moment)} - ${quoteInteger(timeOfDay)}, 'UTC')`
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

/** SQL of the begins `ts` of all spans from that of one moment to that of another. */
export function buildGridSql(
  resample: Resample,
  timeZone: string,
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
): string {
  const keyOf = (ms: number) => spanSql(resample, timeZone, quoteTimestamp(ms)).key
  const { between, begin } = spanSql(resample, timeZone, 'ts')
  return `SELECT ${begin} AS ts FROM (SELECT DISTINCT arrayJoin(${between(keyOf(firstMs), keyOf(lastMs))}) AS span)`
}

function clockSpans({ unit, amount, origin = 0 }: Resample, timeZone: string, moment: string): SpanSql {
  const width = amount * (unit === 'HOURS' ? 3_600_000 : 60_000)
  const lead = modulo(-origin, width)
  const isUtc = timeZone === 'UTC'
  const keyOf = (ms: string) => (isUtc ? floorSql(ms, width, lead) : wallClockFloorSql(ms, width, lead))
  const toMoment = (ms: string) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`
  // Where the clock goes back, what begins a width later may still be the same span.
  const next = keyOf(`(span + ${quoteInteger(width)})`)
  const end = isUtc
    ? `(span + ${quoteInteger(width)})`
    : `if(${next} > span, ${next}, ${keyOf(`(span + ${quoteInteger(2 * width)})`)})`
  const step = isUtc ? width : unit === 'HOURS' ? hourStepMs : minuteStepMs
  return {
    key: keyOf(`toUnixTimestamp64Milli(${moment})`),
    begin: notBeforeFirst(toMoment('span')),
    endMs: `least(${end}, ${quoteInteger(latestMs + 1)})`,
    between: (from, to) => {
      const moments = `range(toInt64(${from}), toInt64(${to}) + 1, ${quoteInteger(step)})`
      return isUtc ? moments : `arrayMap(ms -> ${keyOf('ms')}, ${moments})`
    },
  }
}

function isOfMonths(unit: Resample['unit']): boolean {
  return unit === 'MONTHS' || unit === 'YEARS'
}

/** The day or month of a time, counted from 1970. */
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

/** By how much the clock of the zone is ahead of UTC, in milliseconds. */
function offsetSql(ms: string): string {
  return `toInt64(timeZoneOffset(fromUnixTimestamp64Milli(${ms}, {zone:String}))) * 1000`
}

/** What the clock of the zone shows at a moment, in milliseconds as if it were UTC. */
function localMsSql(moment: string): string {
  return `(toUnixTimestamp64Milli(${moment}) + toInt64(timeZoneOffset(toTimeZone(${moment}, {zone:String}))) * 1000)`
}

/** The first moment at which the clock shows a time; where it leaps over it, the one as much later as it leaps. */
function fromLocalSql(local: string): string {
  const early = `(${local} - ${offsetSql(`(${local} - ${dayMs})`)})`
  const late = `(${local} - ${offsetSql(early)})`
  const isShown = (ms: string) => `${ms} + ${offsetSql(ms)} = ${local}`
  return `fromUnixTimestamp64Milli(if(${isShown(early)} OR NOT (${isShown(late)}), ${early}, ${late}), 'UTC')`
}

/**
 * The moment at which the clock showed the begin of the span. Where the clock was changed since, the offset of that time holds; an
 * hour that the clock shows twice is twice a span.
 */
function wallClockFloorSql(ms: string, width: number, lead: number): string {
  const offset = offsetSql(ms)
  const begin = `(${ms} - positiveModulo(${ms} + ${offset} + ${quoteInteger(lead)}, ${quoteInteger(width)}))`
  return `(${begin} + ${offset} - ${offsetSql(begin)})`
}

/** The date so many days or months after 1970-01-01. */
function dateSql(isMonths: boolean, number: string): string {
  return `${isMonths ? 'addMonths' : 'addDays'}(toDate32('1970-01-01'), ${number})`
}

function notBeforeFirst(moment: string): string {
  return `greatest(${moment}, ${quoteTimestamp(earliestMs)})`
}
