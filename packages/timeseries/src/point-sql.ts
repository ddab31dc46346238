import { columnName, datasetTable } from './dataset-tables.ts'
import { clickhouseType } from './native-block.ts'
import type { Corrections, ValueType } from './series-engine.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** A column of the answer and where it comes from in one dataset; `id` is undefined if the dataset has no such column. */
export interface PointColumn {
  id: number | undefined
  type: ValueType
}

/** Which points of one dataset, in numbers. */
export interface PointRange {
  /** Bounds of the timestamp in UTC milliseconds, both belong to it. */
  from?: number
  to?: number
  /** Bounds of the version, both belong to it. */
  versionFrom?: number
  versionTo?: number
  /** Only so many timestamps of each series, from the newest or from the oldest on. */
  count?: { amount: number; end: 'newest' | 'oldest' }
}

/** One selection as SQL needs it. */
export interface PointSelection {
  dataset: number
  /** SQL condition on `sid`. */
  seriesCondition: string
  /** True if the condition holds for one series only. */
  isOneSeries: boolean
  /** They become `v0`, `v1`, … */
  columns: readonly PointColumn[]
  range: PointRange
  corrections: Corrections
  order: 'asc' | 'desc'
  /** No two versions up to this one have the same point, and newer ones are not wanted. Undefined = not known. */
  distinctUpTo?: number
}

/**
 * A query for the points of one selection as rows `sid, ts, age, v0, v1, …` (`age` is the version with its sign turned), series after series, each in the asked direction.
 * Rows without a value in the asked columns are left out, after they have hidden older versions.
 *
 * The order is that of the table wherever possible, so that the engine streams and sorts nothing.
 */
export function buildPointSql(selection: PointSelection): string {
  const { columns, range, corrections, order } = selection
  const { count } = range
  const hasValue = columns.map((_, index) => `isNotNull(v${index})`).join(' OR ') || '0'
  const values = columns.map(({ id, type }, index) =>
    id === undefined
      ? `CAST(NULL AS ${clickhouseType(type)}) AS v${index}`
      : `${columnName(id)} AS v${index}`,
  )
  const source = `SELECT ${['sid', 'ts', 'age', ...values].join(', ')} FROM ${datasetTable(selection.dataset)}`
  const direction = order === 'desc' ? ' DESC' : ''

  if (corrections === 'false') {
    const where = conditionOf([...seriesAndTime(selection), ...versions(range.versionFrom, range.versionTo)])
    const readFrom = count ? (count.end === 'newest' ? ' DESC' : '') : direction
    const seriesDirection = selection.isOneSeries ? readFrom : ''
    if (selection.distinctUpTo !== undefined && !count) {
      const all = conditionOf([
        ...seriesAndTime(selection),
        ...versions(range.versionFrom, Math.min(selection.distinctUpTo, range.versionTo ?? Infinity)),
        `(${hasValue})`,
      ])
      return `${source} ${all} ORDER BY sid, ts${direction}`
    }
    const current = `SELECT * FROM (${source} ${where} ORDER BY sid${seriesDirection}, ts${readFrom}, age LIMIT 1 BY sid, ts) WHERE ${hasValue}`
    if (!count) return current
    const counted = `${current} LIMIT ${quoteInteger(count.amount)}${selection.isOneSeries ? '' : ' BY sid'}`
    return readFrom === direction ? counted : `SELECT * FROM (${counted}) ORDER BY sid, ts${direction}`
  }

  const lower = versions(range.versionFrom, undefined)
  const upper = versions(undefined, range.versionTo)
  let rows =
    corrections === 'only'
      ? `SELECT * EXCEPT versionCount FROM (SELECT *, count() OVER (PARTITION BY sid, ts) AS versionCount FROM (${source} ${conditionOf([...seriesAndTime(selection), ...upper])})) WHERE versionCount > 1`
      : `${source} ${conditionOf([...seriesAndTime(selection), ...upper])}`
  rows = `SELECT * FROM (${rows}) ${conditionOf([...lower, `(${hasValue})`])}`
  if (count) {
    const rank = `dense_rank() OVER (PARTITION BY sid ORDER BY ts ${count.end === 'newest' ? 'DESC' : 'ASC'})`
    rows = `SELECT * EXCEPT place FROM (SELECT *, ${rank} AS place FROM (${rows})) WHERE place <= ${quoteInteger(count.amount)}`
  }
  return `SELECT * FROM (${rows}) ORDER BY sid, ts${direction}, age DESC`
}

/** SQL that is true if a point of the selection, whatever its values, has milliseconds; unknown counts as true. */
export function buildMillisecondsSql(selection: PointSelection): string {
  if (selection.range.count) return '1'
  const where = conditionOf([...seriesAndTime(selection), 'toUnixTimestamp64Milli(ts) % 1000 != 0'])
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
