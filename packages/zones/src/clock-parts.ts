import { zoneOffsetMs } from './zone-offset.ts'

/** What the clocks of a zone show, each part as text in two digits, the year in four. */
export interface ClockParts {
  year: string
  month: string
  day: string
  hour: string
  minute: string
  second: string
}

/**
 * What the clocks of a zone show at a moment of the years 0 to 9999.
 * @throws RangeError for a name that is no time zone, and for an invalid date
 */
export function partsIn(date: Date, timeZone: string): ClockParts {
  const utcMs = date.getTime()
  const local = new Date(utcMs + zoneOffsetMs(timeZone, utcMs)).toISOString()
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = local.split(/[-T:.]/)
  return { year, month, day, hour, minute, second }
}

/** How far the clocks of a zone are ahead of UTC at a moment, in whole minutes: Berlin in summer is 120. */
export function offsetMinutes(timeZone: string, at: Date): number {
  return Math.round(zoneOffsetMs(timeZone, at.getTime()) / 60_000)
}
