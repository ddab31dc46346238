import type { TimeUnit } from './series-engine.ts'
import { quoteInteger } from './sql-text.ts'

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

/** SQL of a moment that carries its zone, moved by calendar time of that zone. */
export function addTimeSql(moment: string, amount: number, unit: Exclude<TimeUnit, 'WORKING_DAYS'>): string {
  return `${addFunctions[unit]}(${moment}, ${quoteInteger(amount)})`
}

/** SQL of the date of a moment that carries its zone, in days since 1970. */
export function dayNumberSql(moment: string): string {
  return `toInt32(toDate32(${moment}))`
}
