import { addDaysSql, addTimeSql, dayNumberSql, earliestMs, latestMs } from './calendar-time.ts'
import { bytesOf } from './native-block.ts'
import type { PointRange } from './point-sql.ts'
import { openTemporaryJoin } from './temporary-join.ts'
import type { TimeUnit } from './query-options.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { Selection, SeriesQuery } from './series-query.ts'
import type { SqlConnection } from './sql-connection.ts'
import { firstDay, lastDay, WorkingDays } from './working-days.ts'

const dayMs = 86_400_000
const maxAmount = 1_000_000
/**
 * Maximum difference between a calendar period and its mean length, because of months of different lengths, leap years and
 * daylight saving.
 */
const slackMs = 8 * dayMs

/** Length of a unit in milliseconds, on average over 400 years. */
const meanMs: Record<Exclude<TimeUnit, 'WORKING_DAYS'>, number> = {
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: dayMs,
  WEEKS: 7 * dayMs,
  MONTHS: (146_097 / 4800) * dayMs,
  YEARS: (146_097 / 400) * dayMs,
}

/** Shift of the timestamps of a selection. */
export interface ShiftSql {
  /** Returns SQL that shifts a stored timestamp. */
  move(timestamp: string): string
  /** Whether a shift never gives points equal timestamps or changes their order. */
  keepsOrder: boolean
  /**
   * Returns the range of stored timestamps that are shifted into `range`. The result is exact if the order is preserved;
   * otherwise it can be too wide.
   */
  unmove(range: PointRange): PointRange
  /** Drops the temporary table. */
  drop(): Promise<void>
}

/**
 * Opens the shift of a selection.
 * @throws SeriesEngineError `invalid` for an amount that is not allowed
 */
export async function openShift(
  connection: SqlConnection,
  { amount, unit }: NonNullable<Selection['shift']>,
  { timeZone = 'UTC', calendar }: SeriesQuery,
): Promise<ShiftSql> {
  if (!Number.isInteger(amount) || amount === 0 || Math.abs(amount) > maxAmount) {
    throw new SeriesEngineError(
      'invalid',
      `A selection is shifted by ${amount}; it must be a whole number from -${maxAmount} to ${maxAmount} other than 0.`,
    )
  }
  if (unit === 'WORKING_DAYS')
    return openWorkingDayShift(connection, amount, new WorkingDays(calendar), timeZone)
  const keepsOrder = unit === 'MINUTES' || unit === 'HOURS' || (timeZone === 'UTC' && unit in wholeDays)
  const movedMs = amount * meanMs[unit]
  return {
    move: (timestamp) => `toTimeZone(${addTimeSql(zoned(timestamp), amount, unit, timeZone)}, 'UTC')`,
    keepsOrder,
    unmove: (range) => unmoveRange(range, (ms) => ms - movedMs, keepsOrder ? 0 : slackMs),
    drop: async () => {},
  }
}

const wholeDays = { DAYS: true, WEEKS: true }

async function openWorkingDayShift(
  connection: SqlConnection,
  amount: number,
  days: WorkingDays,
  timeZone: string,
): Promise<ShiftSql> {
  const targets: [from: number, to: number][] = []
  for (let day = firstDay; day <= lastDay; day++) {
    const target = days.add(day, amount)
    if (target !== undefined) targets.push([day, target])
  }
  const columns = [
    { name: 'day', type: 'Int32' },
    { name: 'moved', type: 'Int32' },
  ]
  const temporary = await openTemporaryJoin(connection, columns, targets.length, (from, to) => [
    [bytesOf(Int32Array.from(targets.slice(from, to), ([day]) => day))],
    [bytesOf(Int32Array.from(targets.slice(from, to), ([day, target]) => target - day))],
  ])
  // Two more days on both sides, for non-working days at the ends and for the zone.
  const unmoveDay = (ms: number, spare: number) => {
    const day = Math.floor(ms / dayMs)
    const source = days.add(day, -amount + spare) ?? (spare - amount < 0 ? firstDay : lastDay)
    return source * dayMs
  }
  return {
    move: (timestamp) =>
      `toTimeZone(${addDaysSql(zoned(timestamp), temporary.lookUp('moved', dayNumberSql(zoned(timestamp))), timeZone)}, 'UTC')`,
    keepsOrder: false,
    // Excludes days without a target: in local time of any zone they would leave the years of the engine.
    unmove: (range) => ({
      ...range,
      from: Math.max(
        unmoveDay(range.from ?? earliestMs, -3) - 2 * dayMs,
        ((targets[0]?.[0] ?? lastDay) + 1) * dayMs,
      ),
      to: Math.min(
        unmoveDay(range.to ?? latestMs, 3) + 3 * dayMs,
        (targets.at(-1)?.[0] ?? firstDay) * dayMs - 1,
      ),
    }),
    drop: temporary.drop,
  }
}

function unmoveRange(range: PointRange, unmove: (ms: number) => number, slack: number): PointRange {
  return {
    ...range,
    from: clamp(Math.floor(unmove(range.from ?? earliestMs) - slack)),
    to: clamp(Math.ceil(unmove(range.to ?? latestMs) + slack)),
  }
}

/** Clamps to the years of the engine. One millisecond beyond each end is allowed, because there are no points. */
function clamp(ms: number): number {
  return Math.max(earliestMs - 1, Math.min(latestMs + 1, ms))
}

function zoned(timestamp: string): string {
  return `toTimeZone(${timestamp}, {zone:String})`
}
