import { earliestMs, latestMs } from './calendar-time.ts'
import { columnName, datasetTable, originName } from './dataset-tables.ts'
import { clickhouseType } from './native-block.ts'
import type { Corrections } from './query-options.ts'
import type { ValueType } from './series-upload.ts'
import type { ShiftSql } from './shift-sql.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** A column of the result and its source in one dataset; `id` is undefined if the dataset has no such column. */
export interface PointColumn {
  /** Id of the column in the dataset. */
  id: number | undefined
  /** Type of its values. */
  type: ValueType
  /** Whether its values have origins: see `originName`. Required for corrections and lower bounds of the version. */
  hasOrigin?: boolean
}

/** Selection of the points of one dataset. */
export interface PointRange {
  /** Inclusive lower bound of the timestamp in UTC milliseconds. Default: none. */
  from?: number
  /** Inclusive upper bound of the timestamp in UTC milliseconds. Default: none. */
  to?: number
  /** Inclusive lower bound of the version. Default: none. */
  versionFrom?: number
  /** Inclusive upper bound of the version. Default: none. */
  versionTo?: number
  /** Maximum number of timestamps per series, counted from the newest or the oldest. Default: no limit. */
  count?: { amount: number; end: 'newest' | 'oldest' }
}

/** A selection prepared for SQL. */
export interface PointSelection {
  /** Dataset of the points. */
  dataset: number
  /** SQL condition on `sid`. */
  seriesCondition: string
  /** Whether the condition matches only one series. */
  isOneSeries: boolean
  /** Columns, which become `v0`, `v1`, … */
  columns: readonly PointColumn[]
  /**
   * SQL that returns computed points `sid, ts, age, value`. They replace the points of the dataset; every column with an id
   * has this value.
   */
  computed?: string | undefined
  /** Points to read. */
  range: PointRange
  /** Versions to read. */
  corrections: Corrections
  /** Direction of the timestamps. */
  order: 'asc' | 'desc'
  /** Whether the points may come in any order. Default false. */
  isUnordered?: boolean
  /**
   * Conditions on `v0`, `v1`, … that a point must meet. They are evaluated after the version has been selected. Default:
   * none.
   */
  conditions?: readonly string[]
  /** Whether some of the conditions depend on the time of a point. Default false. */
  hasClock?: boolean
  /** Shift of the timestamps, applied before the range. */
  shift?: ShiftSql | undefined
  /** Newest version to use, if no two versions up to it have the same point. Default: unknown. */
  distinctUpTo?: number
}

/**
 * Builds a query for the points of one selection as rows `sid, ts, age, v0, v1, …` (`age` is the negated version), ordered
 * by series and time, the time in the requested direction. Rows without a value in the requested columns still hide older
 * versions, and are then dropped. The rows are in table order wherever possible, so that the engine streams without a sort.
 */
export function buildPointSql(selection: PointSelection): string {
  return selection.shift ? buildMovedSql(selection, selection.shift) : buildStoredSql(selection)
}

function buildStoredSql(selection: PointSelection): string {
  const { columns, range, corrections, order, computed } = selection
  const { count } = range
  const hasValue = columns.map((_, index) => `isNotNull(v${index})`).join(' OR ') || '0'
  const isWanted = [`(${hasValue})`, ...(selection.conditions ?? [])].join(' AND ')
  const values = columns.map((column, index) => `${valueOf(column, selection)} AS v${index}`)
  const points = computed ?? datasetTable(selection.dataset)
  const source = `SELECT ${['sid', 'ts', 'age', ...values].join(', ')} FROM ${points}`
  const direction = order === 'desc' ? ' DESC' : ''

  if (corrections === 'false') {
    const where = conditionOf([...seriesAndTime(selection), ...versions(range.versionFrom, range.versionTo)])
    const readFrom = count ? (count.end === 'newest' ? ' DESC' : '') : direction
    const seriesDirection = selection.isOneSeries ? readFrom : ''
    if (selection.distinctUpTo !== undefined && !count) {
      const all = conditionOf([
        ...seriesAndTime(selection),
        ...versions(range.versionFrom, Math.min(selection.distinctUpTo, range.versionTo ?? Infinity)),
        isWanted,
      ])
      return selection.isUnordered ? `${source} ${all}` : `${source} ${all} ORDER BY sid, ts${direction}`
    }
    const current = `SELECT * FROM (${source} ${where} ORDER BY sid${seriesDirection}, ts${readFrom}, age LIMIT 1 BY sid, ts) WHERE ${isWanted}`
    if (!count) return current
    const counted = `${current} LIMIT ${quoteInteger(count.amount)}${selection.isOneSeries ? '' : ' BY sid'}`
    return readFrom === direction ? counted : `SELECT * FROM (${counted}) ORDER BY sid, ts${direction}`
  }

  const lower = versions(range.versionFrom, undefined)
  const upper = versions(undefined, range.versionTo)
  const known = conditionOf([...seriesAndTime(selection), ...upper])
  let rows =
    corrections === 'only' ? buildCorrectedSql(selection, `${points} ${known}`) : `${source} ${known}`
  rows = `SELECT * FROM (${rows}) ${conditionOf([...lower, isWanted])}`
  if (count) {
    const rank = `dense_rank() OVER (PARTITION BY sid ORDER BY ts ${count.end === 'newest' ? 'DESC' : 'ASC'})`
    rows = `SELECT * EXCEPT position FROM (SELECT *, ${rank} AS position FROM (${rows})) WHERE position <= ${quoteInteger(count.amount)}`
  }
  return `SELECT * FROM (${rows}) ORDER BY sid, ts${direction}, age DESC`
}

/** Returns SQL of the value of a column. The value is empty if it does not belong to a requested version. */
function valueOf({ id, type, hasOrigin }: PointColumn, selection: PointSelection): string {
  if (id === undefined) return `CAST(NULL AS ${clickhouseType(type)})`
  if (selection.computed !== undefined) return 'toNullable(value)'
  const { corrections, range } = selection
  if (!hasOrigin || (corrections === 'false' && range.versionFrom === undefined)) return columnName(id)
  const origin = originName(id)
  const isOwn = `${origin} = 0`
  const isRequested =
    corrections === 'false' ? `${isOwn} OR ${origin} <= ${quoteInteger(-range.versionFrom!)}` : isOwn
  return `if(${isRequested}, ${columnName(id)}, NULL)`
}

/** Builds SQL that returns the values that a newer version of the same column has replaced, and the newer versions. */
function buildCorrectedSql(selection: PointSelection, points: string): string {
  const { columns, computed } = selection
  const own = columns.map(({ id, hasOrigin }) =>
    id !== undefined && hasOrigin && computed === undefined ? `${originName(id)} = 0` : '1',
  )
  const read = columns.flatMap((column, index) => [
    `${valueOf(column, selection)} AS value${index}`,
    `${own[index]!} AS own${index}`,
  ])
  const ofPoint = 'OVER (PARTITION BY sid, ts)'
  const values = columns.map(
    (_, index) =>
      `if(minIf(age, own${index}) ${ofPoint} < maxIf(age, isNotNull(value${index})) ${ofPoint}, value${index}, NULL) AS v${index}`,
  )
  return `SELECT ${['sid', 'ts', 'age', ...values].join(', ')} FROM (SELECT ${['sid', 'ts', 'age', ...read].join(', ')} FROM ${points})`
}

/**
 * Builds SQL that returns shifted points in order. Months of different lengths and daylight saving can swap points or give
 * them equal timestamps, so they are sorted again. If timestamps are equal, the later point wins.
 */
function buildMovedSql(selection: PointSelection, shift: ShiftSql): string {
  const { columns, range, order, isOneSeries } = selection
  const values = columns.map((_, index) => `v${index}`)
  const stored = { ...selection, range: shift.unmove(range) }
  const names = ['age', ...values].join(', ')
  const conditions = selection.conditions ?? []
  if (shift.keepsOrder && !selection.hasClock) {
    return `SELECT sid, ${shift.move('stored')} AS ts, ${names} FROM (SELECT sid, ts AS stored, ${names} FROM (${buildStoredSql(stored)}))`
  }
  const { count } = range
  delete stored.range.count
  // A point that is filtered out still hides an earlier one with the same timestamp.
  stored.conditions = []
  const direction = order === 'desc' ? ' DESC' : ''
  const readFrom = count ? (count.end === 'newest' ? ' DESC' : '') : direction
  const from = quoteTimestamp(range.from ?? earliestMs)
  const to = quoteTimestamp(range.to ?? latestMs)
  const moved = `SELECT sid, ${shift.move('stored')} AS moved, stored, ${names} FROM (SELECT sid, ts AS stored, ${names} FROM (${buildStoredSql(stored)}))`
  const ordered = `SELECT sid, moved AS ts, ${names} FROM (${moved}) WHERE moved >= ${from} AND moved <= ${to} ORDER BY sid, moved${readFrom}, stored DESC LIMIT 1 BY sid, moved`
  const chosen = conditions.length === 0 ? ordered : `SELECT * FROM (${ordered}) ${conditionOf(conditions)}`
  if (!count) return chosen
  const counted = `SELECT * FROM (${chosen}) LIMIT ${quoteInteger(count.amount)}${isOneSeries ? '' : ' BY sid'}`
  return readFrom === direction ? counted : `SELECT * FROM (${counted}) ORDER BY sid, ts${direction}`
}

/**
 * Builds SQL that is true if the timestamp of a point of the selection, regardless of its values, has or may have
 * milliseconds.
 */
export function buildMillisecondsSql(selection: PointSelection): string {
  if (selection.range.count || selection.computed !== undefined) return '1'
  const stored = selection.shift
    ? { ...selection, range: selection.shift.unmove(selection.range) }
    : selection
  const where = conditionOf([...seriesAndTime(stored), 'toUnixTimestamp64Milli(ts) % 1000 != 0'])
  return `(SELECT count() > 0 FROM (SELECT 1 FROM ${datasetTable(selection.dataset)} ${where} LIMIT 1))`
}

function seriesAndTime({ seriesCondition, range }: PointSelection): string[] {
  return [
    seriesCondition,
    ...(range.from === undefined ? [] : [`ts >= ${quoteTimestamp(range.from)}`]),
    ...(range.to === undefined ? [] : [`ts <= ${quoteTimestamp(range.to)}`]),
  ]
}

function versions(from: number | undefined, to: number | undefined): string[] {
  return [
    ...(from === undefined ? [] : [`age <= ${quoteInteger(-from)}`]),
    ...(to === undefined ? [] : [`age >= ${quoteInteger(-to)}`]),
  ]
}

function conditionOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}
