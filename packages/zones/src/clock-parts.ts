import { zoneOffsetMs } from './zone-offset.ts'

/** Local date and time as text: two digits per part, four for the year. */
export interface ClockParts {
  /** Four digits. */
  year: string
  /** 01 to 12. */
  month: string
  /** 01 to 31. */
  day: string
  /** 00 to 23. */
  hour: string
  /** 00 to 59. */
  minute: string
  /** 00 to 59. */
  second: string
}

/**
 * Returns the local date and time of an instant in the years 0 to 9999.
 * @throws RangeError for an unknown time zone, and for an invalid date
 */
export function partsIn(date: Date, timeZone: string): ClockParts {
  const utcMs = date.getTime()
  const local = new Date(utcMs + zoneOffsetMs(timeZone, utcMs)).toISOString()
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = local.split(/[-T:.]/)
  return { year, month, day, hour, minute, second }
}

/**
 * Returns the local date of an instant in the years 0 to 9999, for example `2026-01-31`.
 * @throws RangeError for an unknown time zone, and for an invalid date
 */
export function localDate(date: Date, timeZone: string): string {
  const { year, month, day } = partsIn(date, timeZone)
  return `${year}-${month}-${day}`
}

/** Returns the UTC offset of a zone at an instant in whole minutes, rounded: 120 for Berlin in summer. */
export function offsetMinutes(timeZone: string, at: Date): number {
  return Math.round(zoneOffsetMs(timeZone, at.getTime()) / 60_000)
}
