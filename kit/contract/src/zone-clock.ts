/** What the clocks of a zone show, each part as text in two digits, the year in four. */
export interface ClockParts {
  year: string
  month: string
  day: string
  hour: string
  minute: string
  second: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone show at a moment. */
export function partsIn(date: Date, zone: string): ClockParts {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return Object.fromEntries(
    format.formatToParts(date).map((part) => [part.type, part.value]),
  ) as unknown as ClockParts
}

/** The offset of a zone from UTC at a moment, in minutes: Berlin in summer is 120. */
export function offsetMinutes(zone: string, at: Date): number {
  const parts = partsIn(at, zone)
  const wall = Date.UTC(
    Number(parts.year),
    Number(parts.month) - 1,
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  )
  return Math.round((wall - Math.floor(at.getTime() / 1000) * 1000) / 60_000)
}
