import { utcDate } from '@headwater/contract'
import { createZoneClock } from '@headwater/zones'

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Earliest supported date. */
const earliestDay = Date.UTC(1900, 0, 1)

/**
 * Parses an ISO date or date-time, local to a time zone unless it has an offset.
 * @param dayEnd whether a date alone means the last millisecond of its day instead of the first
 * @returns UTC milliseconds; undefined if it is not a date
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
  // Date.UTC interprets years below 100 as years of the twentieth century.
  const local = new Date(Date.UTC(2000, 0, 1, ...time)).setUTCFullYear(
    Number(year),
    Number(month) - 1,
    Number(day),
  )
  const isReal =
    new Date(local).toISOString().startsWith(`${year}-${month}-${day}`) &&
    time[0] < 24 &&
    time[1] < 60 &&
    time[2] < 60
  if (!isReal) return undefined
  if (offset === undefined) return createZoneClock(timeZone).toUtc(local)
  return local - offsetMs(offset)
}

/** Formats a local time without its zone: `2024-01-31T16:00:00`, with milliseconds if they are not zero. */
export function isoLocal(localMs: number): string {
  return new Date(localMs).toISOString().replace(/(\.000)?Z$/, '')
}

/**
 * Parses a time of day, `16:30` or `16:30:00`.
 * @returns milliseconds since midnight; undefined if it is not a time
 */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hour, minute, second = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.0+)?$/.exec(text.trim()) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

/**
 * Returns the latest time, not after `now`, at which the clock of a zone shows a time of day. If a day has this time
 * twice, the second one counts; a day that skips it is ignored.
 * @param timeOfDay milliseconds since midnight
 * @param now UTC milliseconds
 * @returns UTC milliseconds
 */
export function latestAtTimeOfDay(timeOfDay: number, timeZone: string, now: number): number {
  const { toLocal, instantsOf } = createZoneClock(timeZone)
  const midnight = Math.floor(toLocal(now) / dayMs) * dayMs
  for (let back = 0; ; back++) {
    const wanted = midnight - back * dayMs + timeOfDay
    const instants = instantsOf(wanted).filter((instant) => instant <= now)
    if (instants.length > 0) return Math.max(...instants)
  }
}

/**
 * Returns the date in a zone, moved by days, months and years; if the month is too short, its last day.
 * @returns `yyyy-MM-dd`
 */
export function localDay(
  utcMs: number,
  timeZone: string,
  { d = 0, m = 0, y = 0 }: { d?: number; m?: number; y?: number } = {},
): string {
  const today = new Date(createZoneClock(timeZone).toLocal(utcMs))
  const month = today.getUTCMonth() + m + 12 * y
  const lastOfMonth = new Date(Date.UTC(today.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(today.getUTCDate(), m === 0 && y === 0 ? 31 : lastOfMonth) + d
  const moved = new Date(Math.max(earliestDay, Date.UTC(today.getUTCFullYear(), month, day)))
  return utcDate(moved)
}

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const sign = offset.startsWith('-') ? -1 : 1
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000
}
