import { addTimeSql, dayNumberSql, earliestMs, latestMs } from './calendar-time.ts'
import type { PointRange } from './point-sql.ts'
import type { TimeUnit } from './query-options.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'
import { WorkingDays } from './working-days.ts'

/**
 * Resolves the range of a query to numbers.
 * @param findNewest returns the newest timestamp of the selected series within a range; undefined if there is none
 * @throws SeriesEngineError `invalid` for an invalid range
 */
export async function resolveRange(
  connection: SqlConnection,
  query: SeriesQuery,
  findNewest: (range: PointRange) => Promise<number | undefined>,
): Promise<PointRange> {
  const range = query.range ?? { kind: 'ALL' }
  const known: PointRange = query.asOf === undefined ? {} : { versionTo: clampVersion(query.asOf) }
  if (range.kind === 'ALL') return known
  if (range.kind === 'BETWEEN') return applyBounds(query, known, range.from, range.to)
  if (!Number.isSafeInteger(range.amount) || range.amount < 1) {
    throw new SeriesEngineError(
      'invalid',
      `The amount of the range is ${range.amount}; it must be a whole number from 1.`,
    )
  }
  if (range.kind === 'NEXT' && range.anchor === undefined) {
    throw new SeriesEngineError('invalid', 'The range NEXT needs an anchor: the timestamp where it starts.')
  }
  if (range.unit === 'VALUES') {
    const count = { amount: range.amount, end: range.kind === 'LAST' ? 'newest' : 'oldest' } as const
    if (range.anchor === undefined) return { ...known, count }
    const anchor = clampEnd(range.anchor)
    return {
      ...known,
      count,
      ...(range.kind === 'LAST' ? { to: Math.floor(anchor) } : { from: Math.floor(anchor) + 1 }),
    }
  }
  if (query.delta && range.anchor === undefined) {
    throw new SeriesEngineError(
      'invalid',
      'A range by insertion time needs an anchor: the timestamp from which it is counted.',
    )
  }
  const anchor = range.anchor ?? (await findNewest(known))
  if (anchor === undefined) return known
  const amount = range.kind === 'LAST' ? -range.amount : range.amount
  const end = await addTime(connection, query, Math.floor(clamp(anchor)), amount, range.unit)
  return range.kind === 'LAST'
    ? applyBounds(query, known, end + 1, Math.floor(anchor))
    : applyBounds(query, known, Math.floor(anchor) + 1, end)
}

function applyBounds(query: SeriesQuery, known: PointRange, from?: number, to?: number): PointRange {
  if (Number.isNaN(from ?? 0) || Number.isNaN(to ?? 0)) {
    throw new SeriesEngineError('invalid', 'An end of the range is not a timestamp.')
  }
  const range = { ...known }
  if (query.delta) {
    if (from !== undefined) range.versionFrom = clampVersion(Math.ceil(clampEnd(from)) * 1000)
    if (to !== undefined) {
      range.versionTo = Math.min(
        clampVersion(Math.floor(clampEnd(to)) * 1000 + 999),
        known.versionTo ?? Number.MAX_SAFE_INTEGER,
      )
    }
  } else {
    if (from !== undefined) range.from = Math.ceil(clampEnd(from))
    if (to !== undefined) range.to = Math.floor(clampEnd(to))
  }
  return range
}

/** Moves an instant by calendar time in the zone of the query. */
async function addTime(
  connection: SqlConnection,
  query: SeriesQuery,
  fromMs: number,
  amount: number,
  unit: TimeUnit,
): Promise<number> {
  const zone = query.timeZone ?? 'UTC'
  const instant = `fromUnixTimestamp64Milli(toInt64(${quoteInteger(fromMs)}), {zone:String})`
  const read = async (sql: string) => {
    const [row] = await connection.rows(`SELECT toFloat64(${sql}) AS value`, { zone })
    return Number(row?.value)
  }
  if (unit !== 'WORKING_DAYS') {
    const limited = Math.max(-210_000_000, Math.min(210_000_000, amount))
    return clampEnd(await read(`toUnixTimestamp64Milli(${addTimeSql(instant, limited, unit, zone)})`))
  }
  const days = new WorkingDays(query.calendar)
  const date = await read(dayNumberSql(instant))
  const target = days.add(date, amount)
  if (target === undefined) return amount < 0 ? earliestMs - 1 : latestMs + 1
  return clampEnd(await read(`toUnixTimestamp64Milli(${addTimeSql(instant, target - date, 'DAYS', zone)})`))
}

/** Intersects a range with a window. Only for ranges that do not count points. */
export function inWindow(range: PointRange, { from, to }: NonNullable<SeriesQuery['window']>): PointRange {
  const bounds = {
    ...(from === undefined ? {} : { from: Math.max(range.from ?? -Infinity, Math.ceil(clampEnd(from))) }),
    ...(to === undefined ? {} : { to: Math.min(range.to ?? Infinity, Math.floor(clampEnd(to))) }),
  }
  return { ...range, ...bounds }
}

/**
 * Clamps an end of a range. An end that excludes all points becomes the instant just before the earliest or after the latest
 * timestamp.
 */
export function clampEnd(ms: number): number {
  return Math.max(earliestMs - 1, Math.min(latestMs + 1, ms))
}

function clamp(ms: number): number {
  return Math.max(earliestMs, Math.min(latestMs, ms))
}

/** Rounds down to whole microseconds, within the values that a number stores exactly (up to the year 2255). */
function clampVersion(microseconds: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(microseconds)))
}
