const bucketMs = 7 * 86_400_000
const dayMs = 86_400_000

/** Names that were asked for and are zones: to make a format of a zone takes as long as a small query does. */
const knownNames = new Set<string>()
/** There are some 600 names, each of which may come in any letter case. */
const maxKnownNames = 2000

/** True for an IANA name this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (knownNames.has(name)) return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  if (knownNames.size < maxKnownNames) knownNames.add(name)
  return true
}

/** Turns wall-clock time of a zone into UTC, and back. */
export interface ZoneClock {
  /**
   * @param localMs the wall-clock time as if it were UTC, in milliseconds.
   * @returns UTC milliseconds. A time skipped by daylight saving moves forward by the length of the gap (02:30 becomes 03:30);
   * of a time that comes twice the first one is taken.
   */
  toUtc(this: void, localMs: number): number
  /** The wall-clock time at a moment, in UTC milliseconds, as if it were UTC. */
  toLocal(this: void, utcMs: number): number
}

/** A clock for an IANA zone. Offsets come from Intl, asked once per week of data, so that sorted dates cost next to nothing. */
export function createZoneClock(timeZone: string): ZoneClock {
  if (timeZone.toUpperCase() === 'UTC') return { toUtc: (localMs) => localMs, toLocal: (utcMs) => utcMs }
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const buckets = new Map<number, OffsetBucket>()
  let lastIndex = Number.NaN
  let last: OffsetBucket = { before: 0, after: 0, changesAt: Number.POSITIVE_INFINITY }

  function offsetAt(utcMs: number): number {
    const index = Math.floor(utcMs / bucketMs)
    if (index !== lastIndex) {
      last = buckets.get(index) ?? measureBucket(format, index)
      buckets.set(index, last)
      lastIndex = index
    }
    return utcMs < last.changesAt ? last.before : last.after
  }

  function toUtc(localMs: number): number {
    const before = offsetAt(localMs - dayMs)
    const after = offsetAt(localMs + dayMs)
    if (before === after || offsetAt(localMs - before) === before) return localMs - before
    return offsetAt(localMs - after) === after ? localMs - after : localMs - before
  }

  return { toUtc, toLocal: (utcMs) => utcMs + offsetAt(utcMs) }
}

/** Offsets within one week; a zone changes its offset at most once in it. */
interface OffsetBucket {
  before: number
  after: number
  changesAt: number
}

function measureBucket(format: Intl.DateTimeFormat, index: number): OffsetBucket {
  let low = index * bucketMs
  let high = low + bucketMs
  const before = measureOffset(format, low)
  const after = measureOffset(format, high)
  if (before === after) return { before, after, changesAt: Number.POSITIVE_INFINITY }
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (measureOffset(format, middle) === before) low = middle
    else high = middle
  }
  return { before, after, changesAt: high }
}

function measureOffset(format: Intl.DateTimeFormat, utcMs: number): number {
  const part: Record<string, string> = {}
  for (const { type, value } of format.formatToParts(utcMs)) part[type] = value
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year)
  const local = Date.UTC(
    year,
    Number(part.month) - 1,
    Number(part.day),
    Number(part.hour),
    Number(part.minute),
    Number(part.second),
  )
  return local - Math.floor(utcMs / 1000) * 1000
}
