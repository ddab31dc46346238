/** Tells how far the wall clock of a zone is ahead of UTC at a moment, in milliseconds. */
export type ZoneOffset = (utcMs: number) => number

/** Largest distance from 1970 a date can have, in milliseconds. */
const LAST_DATE = 8.64e15

/** The offset of an IANA zone; that of UTC for a name nobody knows. */
export function zoneOffset(timeZone = 'UTC'): ZoneOffset {
  if (timeZone === 'UTC') return () => 0
  const format = wallClock(timeZone)
  if (!format) return () => 0
  return (utcMs) => {
    if (!(Math.abs(utcMs) <= LAST_DATE)) return 0
    const whole = Math.floor(utcMs / 1000) * 1000
    const part = Object.fromEntries(
      format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
    )
    return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!) - whole
  }
}

/** The moment at which the wall clock shows the given time (written as if it were UTC). */
export function fromWallClock(wallMs: number, offset: ZoneOffset): number {
  return wallMs - offset(wallMs - offset(wallMs))
}

function wallClock(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}
