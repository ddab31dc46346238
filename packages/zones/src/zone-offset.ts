/** By name as given: to make a format takes as long as a small query does. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 names, each of which may come in any letter case. */
const maxFormats = 2000

/** Dates reach 8.64e15 milliseconds from 1970; the clocks of a zone show other dates up to a day before. */
const lastMs = 8.64e15 - 86_400_000

/**
 * How far the clocks of a zone are ahead of UTC at a moment, in milliseconds: Berlin in summer is 7,200,000. Each call asks the runtime;
 * a clock of `createZoneClock` is quicker for many moments.
 * @param utcMs a moment beyond all dates has the offset of the last one; NaN has none, which is NaN
 * @throws RangeError for a name that is no time zone
 */
export function zoneOffsetMs(timeZone: string, utcMs: number): number {
  if (timeZone === 'UTC') return 0
  if (Number.isNaN(utcMs)) return Number.NaN
  const wholeMs = Math.floor(Math.max(-lastMs, Math.min(lastMs, utcMs)) / 1000) * 1000
  const part: Record<string, string> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(wholeMs)) part[type] = value
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year)
  // Date.UTC takes a year below 100 for one of the twentieth century.
  const day = new Date(0).setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
  const time = (Number(part.hour) * 60 + Number(part.minute)) * 60 + Number(part.second)
  return day + time * 1000 - wholeMs
}

/** Whether the runtime knows an IANA name, in any letter case. Offsets such as `+02:00` are no names. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && canonicalZone(name) !== undefined
}

/** The name by which the runtime knows a zone, for example `Asia/Calcutta` for `asia/kolkata`; undefined if it knows none. */
export function canonicalZone(name: string): string | undefined {
  try {
    return formatOf(name).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Every zone that the runtime lists, UTC first. */
export function allZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size < maxFormats) formats.set(timeZone, format)
  return format
}
