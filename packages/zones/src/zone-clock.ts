import { zoneOffsetMs } from './zone-offset.ts'

const dayMs = 86_400_000
const bucketMs = 7 * dayMs

/**
 * Converts between UTC and the local time of a zone. Local times are the UTC milliseconds of the same date and time.
 */
export interface ZoneClock {
  /** Returns the UTC offset at an instant, in milliseconds. */
  offsetAt(this: void, utcMs: number): number
  /** Returns the local time of an instant. */
  toLocal(this: void, utcMs: number): number
  /**
   * Returns the instant of a local time. A time skipped by daylight saving moves forward by the length of the gap
   * (02:30 becomes 03:30); for a repeated time it returns the first instant.
   */
  toUtc(this: void, localMs: number): number
  /** Returns all instants of a local time, ascending: none for a skipped time, two for a repeated one. */
  instantsOf(this: void, localMs: number): number[]
}

const utcClock: ZoneClock = {
  offsetAt: () => 0,
  toLocal: (utcMs) => utcMs,
  toUtc: (localMs) => localMs,
  instantsOf: (localMs) => [localMs],
}

/**
 * Creates a clock for an IANA zone. It queries the runtime once for each week that occurs in the data and caches the result, so
 * converting sorted times is cheap. No zone changes its offset twice within a week.
 * @throws RangeError for an unknown time zone
 */
export function createZoneClock(timeZone: string): ZoneClock {
  if (timeZone.toUpperCase() === 'UTC') return utcClock
  const measure = (utcMs: number) => zoneOffsetMs(timeZone, utcMs)
  // Fails on creation, not on first use.
  measure(0)
  const buckets = new Map<number, OffsetBucket>()
  let lastIndex = Number.NaN
  let last: OffsetBucket = { before: 0, after: 0, changesAt: Infinity }
  /** Range of local times in which the offset is constant, at least a day away from any change. */
  const plain = { from: Infinity, to: -Infinity, offset: 0 }

  function offsetAt(utcMs: number): number {
    const index = Math.floor(utcMs / bucketMs)
    if (index !== lastIndex) {
      last = buckets.get(index) ?? measureBucket(measure, index)
      buckets.set(index, last)
      lastIndex = index
    }
    return utcMs < last.changesAt ? last.before : last.after
  }

  function toUtc(localMs: number): number {
    if (localMs >= plain.from && localMs < plain.to) return localMs - plain.offset
    const before = offsetAt(localMs - dayMs)
    const after = offsetAt(localMs + dayMs)
    if (last.changesAt === Infinity && before === after)
      Object.assign(plain, {
        from: lastIndex * bucketMs + dayMs,
        to: (lastIndex + 1) * bucketMs - dayMs,
        offset: after,
      })
    if (before === after || offsetAt(localMs - before) === before) return localMs - before
    return offsetAt(localMs - after) === after ? localMs - after : localMs - before
  }

  function instantsOf(localMs: number): number[] {
    // Of two instants, the one computed with the offset of the day before is the earlier one.
    const offsets = new Set([offsetAt(localMs - dayMs), offsetAt(localMs + dayMs)])
    return [...offsets]
      .map((offset) => localMs - offset)
      .filter((utcMs) => utcMs + offsetAt(utcMs) === localMs)
  }

  return { offsetAt, toLocal: (utcMs) => utcMs + offsetAt(utcMs), toUtc, instantsOf }
}

/** Offsets within one week. */
interface OffsetBucket {
  before: number
  after: number
  changesAt: number
}

function measureBucket(measure: (utcMs: number) => number, index: number): OffsetBucket {
  let low = index * bucketMs
  let high = low + bucketMs
  const before = measure(low)
  const after = measure(high)
  if (before === after) return { before, after, changesAt: Infinity }
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (measure(middle) === before) low = middle
    else high = middle
  }
  return { before, after, changesAt: high }
}
