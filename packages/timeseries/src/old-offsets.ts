import { zoneOffsetMs } from '@headwater/zones'
import { earliestMs } from './calendar-time.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Offsets of a zone before a moment, as this runtime knows them. */
export interface OldOffsets {
  /** UTC milliseconds. */
  until: number
  /** From when each offset holds, UTC milliseconds, ascending; the first holds at the first moment a point may have. */
  starts: readonly number[]
  /** Milliseconds that the clock is ahead of UTC. */
  offsets: readonly number[]
}

const dayMs = 86_400_000
const stepMs = 60 * dayMs
/** The last zone whose offset had odd seconds left it in 1972. */
const stepCount = Math.ceil((Date.UTC(1973, 0, 1) - earliestMs) / stepMs)
/** No offset holds for less. */
const shortestMs = 7 * dayMs

/**
 * The offsets of a zone in the time in which texts of the engine are not those that files of the zone are read by: it takes the seconds
 * of UTC for those of the zone, and knows the history of some zones that runtimes take for that of a neighbour.
 * @returns undefined where all texts are the same
 */
export async function readOldOffsets(
  connection: SqlConnection,
  timeZone: string,
): Promise<OldOffsets | undefined> {
  const moment = `fromUnixTimestamp64Milli(toInt64(${quoteInteger(earliestMs)} + number * ${quoteInteger(stepMs)}), 'UTC')`
  const rows = await connection.rows(
    `SELECT formatDateTime(${moment}, '%Y-%m-%dT%H:%i:%S', {zone:String}) AS text FROM numbers(${stepCount}) ORDER BY number`,
    { zone: timeZone },
  )
  const offsetAt = (ms: number) => zoneOffsetMs(timeZone, ms)
  const textAt = (ms: number) => new Date(ms + offsetAt(ms)).toISOString().slice(0, 19)
  const last = rows.findLastIndex(({ text }, step) => text !== textAt(earliestMs + step * stepMs))
  if (last < 0) return undefined
  return listOffsets(offsetAt, earliestMs + (last + 1) * stepMs)
}

/** SQL of the wall-clock time of an old moment, as a moment in UTC. */
export function oldLocalSql(moment: string, { starts, offsets }: OldOffsets): string {
  const ms = `toUnixTimestamp64Milli(${moment})`
  const list = (numbers: readonly number[]) =>
    `CAST([${numbers.map(quoteInteger).join(', ')}] AS Array(Int64))`
  const place = `greatest(arrayCount(start -> start <= ${ms}, ${list(starts)}), 1)`
  return `fromUnixTimestamp64Milli(${ms} + ${list(offsets)}[${place}], 'UTC')`
}

/** SQL of whether a moment is old. */
export function isOldSql(moment: string, { until }: OldOffsets): string {
  return `${moment} < ${quoteTimestamp(until)}`
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
