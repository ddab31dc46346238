import { createZoneClock } from '@headwater/ncsv'

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * Reads an ISO date or date-time, which is local to a zone unless it carries an offset.
 * @param dayEnd whether a date alone means the last millisecond of its day instead of the first
 * @returns UTC milliseconds; undefined if it is no date
 */
export function parseLocalDate(text: string, timeZone: string, dayEnd: boolean): number | undefined {
  const match = isoDate.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match
  const isDay = hour === undefined
  const time = isDay
    ? dayEnd
      ? ([23, 59, 59, 999] as const)
      : ([0, 0, 0, 0] as const)
    : ([Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0'))] as const)
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), ...time)
  const isReal =
    new Date(local).toISOString().startsWith(`${year}-${month}-${day}`) &&
    time[0] < 24 &&
    time[1] < 60 &&
    time[2] < 60
  if (!isReal) return undefined
  if (offset === undefined) return createZoneClock(timeZone).toUtc(local)
  return local - offsetMs(offset)
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const sign = offset.startsWith('-') ? -1 : 1
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000
}
