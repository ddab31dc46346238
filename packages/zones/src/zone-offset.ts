/** Cache of formats by requested name. Creating a format takes as long as a small query. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** About 600 names exist, but each spelling of a name is a separate entry. */
const maxFormats = 2000

/** Dates reach 8.64e15 ms from 1970; local dates may differ from UTC by up to a day. */
const lastMs = 8.64e15 - 86_400_000

/**
 * Returns the UTC offset of a zone at an instant, in milliseconds: 7,200,000 for Berlin in summer. Each call queries
 * the runtime; use `createZoneClock` for many instants.
 * @param utcMs instants beyond the range of dates are clamped; NaN returns NaN
 * @throws RangeError for an unknown time zone
 */
export function zoneOffsetMs(timeZone: string, utcMs: number): number {
  if (timeZone === 'UTC') return 0
  if (Number.isNaN(utcMs)) return Number.NaN
  const wholeMs = Math.floor(Math.max(-lastMs, Math.min(lastMs, utcMs)) / 1000) * 1000
  const part: Record<string, string> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(wholeMs)) part[type] = value
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year)
  // Date.UTC maps years below 100 to the twentieth century.
  const day = new Date(0).setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
  const time = (Number(part.hour) * 60 + Number(part.minute)) * 60 + Number(part.second)
  return day + time * 1000 - wholeMs
}

/** Returns whether the runtime knows an IANA name, regardless of case. Offsets such as `+02:00` are not names. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && canonicalZone(name) !== undefined
}

/** Returns the canonical name of a zone, for example `Asia/Calcutta` for `asia/kolkata`; undefined if it is unknown. */
export function canonicalZone(name: string): string | undefined {
  try {
    return formatOf(name).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Returns every zone of the runtime, UTC first. */
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
