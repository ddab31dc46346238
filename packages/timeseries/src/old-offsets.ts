import { zoneOffsetMs } from '@headwater/zones'
import { earliestMs } from './calendar-time.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Offsets of a zone before a certain time, according to this runtime. */
export interface OldOffsets {
  /** End of the offsets, in UTC milliseconds. */
  until: number
  /** Start of each offset in UTC milliseconds, ascending; the first is the earliest timestamp of a point. */
  starts: readonly number[]
  /** UTC offsets in milliseconds. */
  offsets: readonly number[]
}

const dayMs = 86_400_000
const stepMs = 60 * dayMs
/** No zone has had an offset with seconds since 1972. */
const stepCount = Math.ceil((Date.UTC(1973, 0, 1) - earliestMs) / stepMs)
/** Minimum time between two changes of an offset. */
const shortestMs = 7 * dayMs

/**
 * Reads the offsets of a zone for the years in which the engine formats timestamps differently from the file reader. The
 * engine ignores the seconds of an offset, and it knows the history of some zones that runtimes treat as aliases of a
 * neighbouring zone.
 * @returns undefined if there is no difference
 */
export async function readOldOffsets(
  connection: SqlConnection,
  timeZone: string,
): Promise<OldOffsets | undefined> {
  const instant = `fromUnixTimestamp64Milli(toInt64(${quoteInteger(earliestMs)} + number * ${quoteInteger(stepMs)}), 'UTC')`
  const rows = await connection.rows(
    `SELECT formatDateTime(${instant}, '%Y-%m-%dT%H:%i:%S', {zone:String}) AS text FROM numbers(${stepCount}) ORDER BY number`,
    { zone: timeZone },
  )
  const offsetAt = (ms: number) => zoneOffsetMs(timeZone, ms)
  const textAt = (ms: number) => new Date(ms + offsetAt(ms)).toISOString().slice(0, 19)
  const last = rows.findLastIndex(({ text }, step) => text !== textAt(earliestMs + step * stepMs))
  if (last < 0) return undefined
  return listOffsets(offsetAt, earliestMs + (last + 1) * stepMs)
}

/** Builds SQL that converts an old instant to local time, as an instant in UTC. */
export function oldLocalSql(instant: string, { starts, offsets }: OldOffsets): string {
  const ms = `toUnixTimestamp64Milli(${instant})`
  const list = (numbers: readonly number[]) =>
    `CAST([${numbers.map(quoteInteger).join(', ')}] AS Array(Int64))`
  const index = `greatest(arrayCount(start -> start <= ${ms}, ${list(starts)}), 1)`
  return `fromUnixTimestamp64Milli(${ms} + ${list(offsets)}[${index}], 'UTC')`
}

/** Builds SQL that is true if an instant is old. */
export function isOldSql(instant: string, { until }: OldOffsets): string {
  return `${instant} < ${quoteTimestamp(until)}`
}

function listOffsets(offsetAt: (ms: number) => number, until: number): OldOffsets {
  const starts = [earliestMs]
  const offsets = [offsetAt(earliestMs)]
  for (let ms = earliestMs; ms < until; ms += shortestMs) {
    const before = offsetAt(ms)
    const after = offsetAt(ms + shortestMs)
    if (before === after) continue
    let low = ms / 1000
    let high = low + shortestMs / 1000
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle * 1000) === before) low = middle
      else high = middle
    }
    starts.push(high * 1000)
    offsets.push(after)
  }
  return { until, starts, offsets }
}
