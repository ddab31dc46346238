import type { TimeUnit } from './query-options.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Earliest timestamp of a point, in UTC milliseconds: the start of 1677. */
export const earliestMs = Date.UTC(1677, 0, 1)
/** Latest timestamp of a point, in UTC milliseconds: the end of 2299. */
export const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/**
 * Functions of the engine for calendar arithmetic, because it knows the zones. Working days are counted here and added
 * as days.
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
/** Maximum length of a skipped local time: Samoa skipped a day along with its daylight saving change. */
const longestLeapMinutes = minutesPerDay + 60

/**
 * Builds SQL that moves a zoned instant by calendar time of its zone. A skipped local time moves forward by the length
 * of the gap, as for dates in files.
 */
export function addTimeSql(
  instant: string,
  amount: number,
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>,
  timeZone: string,
): string {
  const add = (to: string) => `${addFunctions[unit]}(${to}, ${quoteInteger(amount)})`
  if (unit === 'MINUTES' || unit === 'HOURS') return add(instant)
  return overLeap(instant, add(instant), `toInt32(${add(`toDate32(${instant})`)})`, timeZone)
}

/** Builds SQL that moves a zoned instant by a number of days, which is SQL as well; see addTimeSql. */
export function addDaysSql(instant: string, days: string, timeZone: string): string {
  return overLeap(instant, `addDays(${instant}, ${days})`, `${dayNumberSql(instant)} + ${days}`, timeZone)
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
 * Returns the earliest date that an engine can store, in UTC milliseconds: earlier versions of ClickHouse clamp dates before
 * 1900 without a message.
 */
export async function readEarliestMs(connection: Pick<SqlConnection, 'rows'>): Promise<number> {
  const instant = quoteTimestamp(earliestMs)
  const [row] = await connection.rows(
    `SELECT formatDateTime(${instant}, '%Y-%m-%d', 'UTC') AS text, ${dayNumberSql(instant)} AS day`,
  )
  const isExact = row?.text === '1677-01-01' && Number(row.day) === earliestMs / dayMs
  return isExact ? earliestMs : Date.UTC(1900, 0, 1)
}

/** Builds SQL of the date of a zoned instant, in days since 1970. */
export function dayNumberSql(instant: string): string {
  return `toInt32(toDate32(${instant}))`
}
