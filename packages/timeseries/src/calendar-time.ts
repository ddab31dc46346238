import type { TimeUnit } from './series-engine.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** First and last moment a point may have, in UTC milliseconds. */
export const earliestMs = Date.UTC(1900, 0, 1)
export const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/** Calendar arithmetic is the engine's, as it knows the zones. Working days are counted here and added as days. */
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
/** No clock leaps further; Samoa left out a day and its change of the clock. */
const longestLeapMinutes = minutesPerDay + 60

/**
 * SQL of a moment that carries its zone, moved by calendar time of that zone. Where the clock leaps over what it would show, the moment
 * is as much later as the clock leaps, as it is for dates of files.
 */
export function addTimeSql(
  moment: string,
  amount: number,
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>,
  timeZone: string,
): string {
  const add = (to: string) => `${addFunctions[unit]}(${to}, ${quoteInteger(amount)})`
  if (unit === 'MINUTES' || unit === 'HOURS') return add(moment)
  return overLeap(moment, add(moment), `toInt32(${add(`toDate32(${moment})`)})`, timeZone)
}

/** SQL of a moment that carries its zone, moved by a number of days that is SQL as well; see addTimeSql. */
export function addDaysSql(moment: string, days: string, timeZone: string): string {
  return overLeap(moment, `addDays(${moment}, ${days})`, `${dayNumberSql(moment)} + ${days}`, timeZone)
}

/** The engine goes back by as much as the clock leaps. `day` is the date that is meant, as a number. */
function overLeap(moment: string, moved: string, day: string, timeZone: string): string {
  if (timeZone === 'UTC') return moved
  const minutesOf = (at: string) => `toHour(${at}) * 60 + toMinute(${at})`
  const missing = `((${day} - ${dayNumberSql(moved)}) * ${minutesPerDay} + ${minutesOf(moment)} - (${minutesOf(moved)}))`
  // Beyond the first days dates are not what they should be.
  const isLeap = `${moved} >= ${quoteTimestamp(earliestMs + 2 * dayMs)} AND ${missing} BETWEEN 1 AND ${longestLeapMinutes}`
  return `addMinutes(${moved}, if(${isLeap}, ${missing}, 0))`
}

/** SQL of the date of a moment that carries its zone, in days since 1970. */
export function dayNumberSql(moment: string): string {
  return `toInt32(toDate32(${moment}))`
}
