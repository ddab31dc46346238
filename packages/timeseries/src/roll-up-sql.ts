import { columnName, datasetTable } from './dataset-tables.ts'
import { clickhouseType } from './native-block.ts'
import { buildPointSql, type PointColumn, type PointSelection } from './point-sql.ts'
import type { Resample } from './resample-aggregate.ts'
import type { ValueType } from './series-upload.ts'
import { beginsAtMidnight } from './span-sql.ts'
import { quoteInteger } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

const dayMs = 86_400_000
const hoursPerDay = 24
const minutesPerDay = 1440

/** A stored fact about the values of a column on a day. */
export type DayFactKind = 'first' | 'last' | 'min' | 'max' | 'sum' | 'count'

/** A fact about a column; in rows of days its column is `<kind><column>`. */
export interface DayFact {
  /** Statistic of the column. */
  kind: DayFactKind
  /** Index of the column. */
  columnIndex: number
}

/** A table of days that can replace the points it was computed from. */
export interface RollUp {
  /** Name of the table. */
  table: string
  /** Newest version that the roll-up covers; it covers all older ones, too. */
  version: number
  /** Ids of its columns. Other columns had no value in these versions. */
  columns: ReadonlySet<number>
  /** Whether there are newer versions. */
  isBehind: boolean
}

/** Returns the facts that are stored for a type. */
export function dayFactKinds(type: ValueType): readonly DayFactKind[] {
  const isNumber = type === 'double' || type === 'integer'
  return isNumber ? ['first', 'last', 'min', 'max', 'sum', 'count'] : ['first', 'last', 'count']
}

/** Returns whether no span begins or ends within a UTC day. */
export function isOfWholeDays(resample: Resample, timeZone: string): boolean {
  const { unit, amount } = resample
  if (timeZone !== 'UTC' || !beginsAtMidnight(resample)) return false
  if (unit === 'MINUTES') return amount % minutesPerDay === 0
  return unit !== 'HOURS' || amount % hoursPerDay === 0
}

/** Builds SQL that creates an empty table of days. */
export function createRollUpSql(table: string, columns: readonly { id: number; type: ValueType }[]): string {
  const facts = columns.flatMap(({ id, type }) =>
    dayFactKinds(type).map((kind) => `${storedName(kind, id)} ${factType(kind, type)} CODEC(ZSTD(1))`),
  )
  return `CREATE TABLE ${table} (${['sid UInt32 CODEC(ZSTD(1))', 'day Date32 CODEC(Delta, ZSTD(1))', ...facts].join(', ')})
    ENGINE = MergeTree ORDER BY (sid, day)
    SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 33554432`
}

/**
 * Builds SQL that returns the days of a selection of current points, as rows `sid, day, <kind><column>…`, each day once.
 * Days without points newer than the roll-up are read from it. The other days, and incomplete days at the ends of the range,
 * are computed from points. Returns undefined if the roll-up cannot be used for the selection.
 */
export function buildDaysSql(
  selection: PointSelection,
  rollUp: RollUp,
  facts: readonly DayFact[],
): string | undefined {
  const { range, seriesCondition, shift, computed, conditions = [] } = selection
  const isPlain =
    selection.corrections === 'false' && !shift && computed === undefined && conditions.length === 0
  if (!isPlain || range.count || range.versionFrom !== undefined) return undefined
  if (range.versionTo !== undefined && range.versionTo < rollUp.version) return undefined
  const { from, to } = range
  const firstDay = from === undefined ? undefined : Math.ceil(from / dayMs)
  const endDay = to === undefined ? undefined : Math.floor((to + 1) / dayMs)
  if (firstDay !== undefined && endDay !== undefined && firstDay >= endDay) return undefined

  const days = [
    seriesCondition,
    ...(firstDay === undefined ? [] : [`toInt32(day) >= ${quoteInteger(firstDay)}`]),
    ...(endDay === undefined ? [] : [`toInt32(day) < ${quoteInteger(endDay)}`]),
  ]
  const whole = {
    ...range,
    ...(firstDay === undefined ? {} : { from: firstDay * dayMs }),
    ...(endDay === undefined ? {} : { to: endDay * dayMs - 1 }),
  }
  const rest: PointSelection[] = []
  if (rollUp.isBehind) {
    const changed = `SELECT sid, toDate32(ts) FROM ${datasetTable(selection.dataset)} WHERE (${seriesCondition}) AND age < ${quoteInteger(-rollUp.version)}${range.versionTo === undefined ? '' : ` AND age >= ${quoteInteger(-range.versionTo)}`}`
    days.push(`(sid, day) NOT IN (${changed})`)
    const isChanged = `(${seriesCondition}) AND (sid, toDate32(ts)) IN (${changed})`
    rest.push({ ...selection, seriesCondition: isChanged, range: whole })
  }
  if (from !== undefined && from < whole.from!)
    rest.push({ ...selection, range: { ...range, to: whole.from! - 1 } })
  if (to !== undefined && to > whole.to!)
    rest.push({ ...selection, range: { ...range, from: whole.to! + 1 } })
  return [
    daysOfRollUp(rollUp, selection.columns, facts, days.map((condition) => `(${condition})`).join(' AND ')),
    ...rest.map((points) => daysOfPoints(points, facts)),
  ].join(' UNION ALL ')
}

/** Builds SQL that returns the days of points, as rows `sid, day, <kind><column>…`. */
export function daysOfPoints(selection: PointSelection, facts: readonly DayFact[]): string {
  const points = buildPointSql({ ...selection, isUnordered: true })
  const values = facts.map(
    ({ kind, columnIndex }) =>
      `${factOfPoints(kind, `v${columnIndex}`, selection.columns[columnIndex]!.type)} AS ${kind}${columnIndex}`,
  )
  return `SELECT ${['sid', 'toDate32(ts) AS day', ...values].join(', ')} FROM (${points}) GROUP BY sid, day`
}

function daysOfRollUp(
  { table, columns: known }: RollUp,
  columns: readonly PointColumn[],
  facts: readonly DayFact[],
  condition: string,
): string {
  const values = facts.map(({ kind, columnIndex }) => {
    const { id, type } = columns[columnIndex]!
    const isKnown = id !== undefined && known.has(id)
    return `${isKnown ? storedName(kind, id) : noFact(kind, type)} AS ${kind}${columnIndex}`
  })
  return `SELECT ${['sid', 'day', ...values].join(', ')} FROM ${table} WHERE ${condition}`
}

function factOfPoints(kind: DayFactKind, value: string, type: ValueType): string {
  switch (kind) {
    case 'first':
      return `argMin(${value}, ts)`
    case 'last':
      return `argMax(${value}, ts)`
    case 'sum':
      return sumSql(value, type)
    default:
      return `${kind}(${value})`
  }
}

function factType(kind: DayFactKind, type: ValueType): string {
  if (kind === 'count') return 'UInt64'
  return kind === 'sum' && type === 'integer' ? 'Nullable(Int128)' : clickhouseType(type)
}

/** Returns the fact of a day without a value. */
function noFact(kind: DayFactKind, type: ValueType): string {
  return kind === 'count' ? 'toUInt64(0)' : `CAST(NULL AS ${factType(kind, type)})`
}

function storedName(kind: DayFactKind, id: number): string {
  return `${kind}_${columnName(id)}`
}
