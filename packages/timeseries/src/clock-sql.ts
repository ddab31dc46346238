import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import { quoteInteger } from './sql-text.ts'

const minutesPerDay = 1440
const maxHours = 24

/** Builds conditions on `ts` for the hours of the day and days of the week that a query selects. */
export function clockConditions({ hours, weekdays }: SeriesQuery): string[] {
  const clock = 'toTimeZone(ts, {zone:String})'
  const minute = `(toInt32(toHour(${clock})) * 60 + toMinute(${clock}))`
  const parts = hours?.map(({ from, to }) => {
    const isAfter = `${minute} >= ${quoteInteger(from)}`
    const isBefore = `${minute} < ${quoteInteger(to)}`
    return `(${isAfter} ${from < to ? 'AND' : 'OR'} ${isBefore})`
  })
  return [
    ...(parts ? [`(${parts.join(' OR ')})`] : []),
    ...(weekdays ? [`toDayOfWeek(${clock}) IN (${weekdays.map(quoteInteger).join(', ')})`] : []),
  ]
}

/** Returns whether a query selects only some hours or days of the week. */
export function hasClock({ hours, weekdays }: SeriesQuery): boolean {
  return hours !== undefined || weekdays !== undefined
}

/**
 * Checks the hours and days of the week of a query.
 * @throws SeriesEngineError `invalid` if they do not exist
 */
export function checkClock({ hours, weekdays }: SeriesQuery): void {
  const isMinute = (minute: number) => Number.isInteger(minute) && minute >= 0 && minute <= minutesPerDay
  const isRange = ({ from, to }: { from: number; to: number }) => isMinute(from) && isMinute(to)
  if (hours && (hours.length === 0 || hours.length > maxHours || !hours.every(isRange)))
    throw new SeriesEngineError(
      'invalid',
      `Hours must be 1 to ${maxHours} pairs of minutes from 0 to ${minutesPerDay}.`,
    )
  const isDay = (day: number) => Number.isInteger(day) && day >= 1 && day <= 7
  if (weekdays && (weekdays.length === 0 || !weekdays.every(isDay)))
    throw new SeriesEngineError(
      'invalid',
      'Days of the week must be numbers from 1, Monday, to 7, Sunday; at least one.',
    )
}
