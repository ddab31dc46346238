import type { TimeUnit } from './query-options.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Earliest timestamp of a point, in UTC milliseconds: the start of 1677. */
export const earliestMs = Date.UTC(1677, 0, 1)
/** Latest timestamp of a point, in UTC milliseconds: the end of 2299. */
export const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/**
 * Calendar functions of the engine, which knows the time zones. Working days are counted here and added as days.
 */
const addFunctions: Record<Exclude<TimeUnit, 'WORKING_DAYS'>, string> = {
  MINUTES: 'addMinutes',
  HOURS: 'addHours',
  DAYS: 'addDays',
  WEEKS: 'addWeeks',
  MONTHS: 'addMonths',
  YEARS: 'addYears',
}

const dayMs = 86_400_000
const minutesPerDay = 1440
/** Maximum length of a gap in local time: Samoa skipped a day together with its daylight saving change. */
const longestLeapMinutes = minutesPerDay + 60

/**
 * Builds SQL that adds calendar time to an instant, in the zone of the instant. A skipped local time moves forward by the
 * length of the gap, as for dates in files.
 */
export function addTimeSql(
  instant: string,
  amount: number,
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>,
  timeZone: string,
): string {
  const add = (to: string) => `${addFunctions[unit]}(${to}, ${quoteInteger(amount)})`
  if (unit === 'MINUTES' || unit === 'HOURS' || (timeZone === 'UTC' && unit in fixedLengths))
    return add(instant)
  return bySecond(instant, (second) =>
    overLeap(second, add(second), `toInt32(${add(`toDate32(${second})`)})`, timeZone),
  )
}

/** Units that have the same length everywhere in UTC. */
const fixedLengths = { DAYS: true, WEEKS: true }

/**
 * Moves the whole second of an instant, then adds its milliseconds. Before 1970 the engine truncates milliseconds towards
 * zero, so it would count the last millisecond of a month to the next month.
 */
function bySecond(instant: string, move: (second: string) => string): string {
  const rest = `positiveModulo(toUnixTimestamp64Milli(${instant}), 1000)`
  return `addMilliseconds(${move(`subtractMilliseconds(${instant}, ${rest})`)}, ${rest})`
}

/** Builds SQL that adds days to an instant, see addTimeSql. `days` is SQL as well. */
export function addDaysSql(instant: string, days: string, timeZone: string): string {
  if (timeZone === 'UTC') return `addDays(${instant}, ${days})`
  return bySecond(instant, (second) =>
    overLeap(second, `addDays(${second}, ${days})`, `${dayNumberSql(second)} + ${days}`, timeZone),
  )
}

/** Corrects the result of the engine, which moves a skipped time backwards. `day` is the intended date, as a number. */
function overLeap(instant: string, moved: string, day: string, timeZone: string): string {
  if (timeZone === 'UTC') return moved
  const minutesOf = (at: string) => `toHour(${at}) * 60 + toMinute(${at})`
  const missing = `((${day} - ${dayNumberSql(moved)}) * ${minutesPerDay} + ${minutesOf(instant)} - (${minutesOf(moved)}))`
  // The engine computes dates before these days incorrectly.
  const isLeap = `${moved} >= ${quoteTimestamp(earliestMs + 2 * dayMs)} AND ${missing} BETWEEN 1 AND ${longestLeapMinutes}`
  return `addMinutes(${moved}, if(${isLeap}, ${missing}, 0))`
}

/**
 * Returns the earliest date that an engine can store, in UTC milliseconds. Old versions of ClickHouse clamp dates before
 * 1900 without an error.
 */
export async function readEarliestMs(connection: Pick<SqlConnection, 'rows'>): Promise<number> {
  const instant = quoteTimestamp(earliestMs)
  const [row] = await connection.rows(
    `SELECT formatDateTime(${instant}, '%Y-%m-%d', 'UTC') AS text, ${dayNumberSql(instant)} AS day`,
  )
  const isExact = row?.text === '1677-01-01' && Number(row.day) === earliestMs / dayMs
  return isExact ? earliestMs : Date.UTC(1900, 0, 1)
}

/** Builds SQL that returns the local date of an instant, in days since 1970. */
export function dayNumberSql(instant: string): string {
  return `toInt32(toDate32(${instant}))`
}
