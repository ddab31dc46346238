import { buildAggregateSql } from './aggregate-sql.ts'
import type { ResultColumn } from './result-format.ts'
import { hasClock } from './clock-sql.ts'
import type { CombinedColumn } from './column-functions.ts'
import { buildFillSql, unionOf, type FillBranch, type FilledSource } from './fill-sql.ts'
import { clickhouseType } from './native-block.ts'
import type { OpenSelection } from './open-selections.ts'
import { buildMillisecondsSql, buildPointSql, type PointRange, type PointSelection } from './point-sql.ts'
import { areOfDays, buildResampleSql, dayFactsOf } from './resample-sql.ts'
import { clampEnd } from './resolve-range.ts'
import { buildDaysSql } from './roll-up-sql.ts'
import type { SeriesQuery } from './series-query.ts'
import type { SeriesScope } from './series-scope.ts'
import { quoteInteger } from './sql-text.ts'
import type { ZonedQuery } from './time-zones.ts'

/** A query with open selections and a resolved range. */
export interface RowQuery {
  /** The query. */
  query: ZonedQuery
  /** Columns of the result. */
  columns: readonly ResultColumn[]
  /** Open selections, in the order of the query. */
  selections: readonly OpenSelection[]
  /** Resolved bounds of timestamps and versions. */
  range: PointRange
  /** Number of labels per series. */
  labelCount: number
  /** Whether the points of a selection may come in any order. Default false. */
  isUnordered?: boolean
  /** Whether computed points and filled rows are already in the order of the result and need no sort. Default false. */
  isReadInOrder?: boolean
  /** Rows with filled gaps, if a selection requests a fill. */
  filled?: FilledSource
  /** The columns again, if points are resampled. */
  resampled?: readonly CombinedColumn[]
  /**
   * The combined series, if series are aggregated. The labels of the selections are then the numbers of the combined series.
   */
  aggregated?: AggregatedSeries
  /** Whether values beyond the range of a double stay infinite instead of becoming empty. Default false. */
  keepsOverflows?: boolean
}

/** Aggregated series: the source columns and the resulting series and columns. */
export interface AggregatedSeries {
  /** Columns of the result. */
  columns: readonly CombinedColumn[]
  /** Columns of the rows that are combined. */
  sourceColumns: readonly ResultColumn[]
  /** The combined series, by their number. */
  scope: SeriesScope
  /** Whether source values may exceed the range of a double. */
  canHaveOverflows: boolean
}

/**
 * Settings that preserve the order of a subquery, which the planner considers redundant. The planner would also move a limit
 * below `LIMIT 1 BY`; the result would then have the first rows of the first series instead of the newest rows of all
 * series.
 */
export const preserveOrder = 'query_plan_remove_redundant_sorting = 0, query_plan_push_down_limit = 0'

/** Builds SQL that returns all rows of the result in order, with columns `label0…, selection, sid, ts, age, v0…`. */
export function orderedRowsSql(rowQuery: RowQuery): string {
  const { query, selections } = rowQuery
  if (selections.length === 0) return emptyRows(rowQuery)
  const direction = query.order === 'desc' ? ' DESC' : ''
  const byTime = `ORDER BY ts${direction}, selection, sid, age DESC`
  const bySeries = `ORDER BY selection, sid, ts${direction}, age DESC`
  const isByTime = query.sortBy === 'time'
  if (rowQuery.aggregated || hasFill(selections)) {
    const { isReadInOrder } = rowQuery
    const order = isReadInOrder ? '' : isByTime ? byTime : bySeries
    const unordered = isReadInOrder ? rowQuery : { ...rowQuery, isUnordered: true }
    const rows = `SELECT * FROM (${rowsSql(unordered)}) ${order}${limitOf(query)}`
    return `SELECT ${labelsOf(rowQuery)}, * FROM (${rows})`
  }
  const branches = selections.map((selection, selectionIndex) => {
    const labels = Array.from(
      { length: selection.labelCount },
      (_, index) => `${selection.scope.label(index)} AS label${index}`,
    )
    return `SELECT ${selectionIndex} AS selection, ${labels.join(', ')}, * FROM (${selectionRows(rowQuery, selection)})`
  })
  let sql = branches[0]!
  if (isByTime) sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ${byTime}`
  else if (branches.length > 1) sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ${bySeries}`
  const limit = limitOf(query)
  return limit === '' ? sql : `SELECT * FROM (${sql})${limit}`
}

/**
 * Builds SQL that returns all rows of the result before its limit, with columns `selection, sid, ts, age, v0…`. Unless the
 * query is unordered, rows of one selection and combined rows are sorted by series and time.
 */
export function rowsSql(rowQuery: RowQuery): string {
  const { columns, filled, query, aggregated } = rowQuery
  if (rowQuery.selections.length === 0) return emptyRows(rowQuery)
  if (aggregated) return aggregatedRows(rowQuery, aggregated)
  const branches = branchesOf(rowQuery)
  if (!hasFill(rowQuery.selections)) return unionOf(branches)
  if (!filled) throw new TypeError('The gaps of the result are not filled yet.')
  return inWindow(buildFillSql(branches, columns, filled, rowQuery), query)
}

function aggregatedRows(rowQuery: RowQuery, aggregated: AggregatedSeries): string {
  const { aggregated: _, ...source } = rowQuery
  const { columns, sourceColumns, scope, canHaveOverflows } = aggregated
  const keepsOverflows = canHaveOverflows
  const rows = rowsSql({ ...source, columns: sourceColumns, isUnordered: true, keepsOverflows })
  const number = scope.isOneSeries ? '0' : `toUInt32OrZero(${labelSql(source, 0)})`
  return buildAggregateSql(rows, columns, { ...rowQuery, number, canHaveOverflows })
}

/** Returns the rows of each selection before gaps are filled, with columns `selection, sid, ts, age, v0…`. */
export function branchesOf(rowQuery: RowQuery): FillBranch[] {
  return rowQuery.selections.map((selection, selectionIndex) => ({
    selectionIndex,
    sql: `SELECT ${selectionIndex} AS selection, * FROM (${selectionRows(rowQuery, selection)})`,
    isRequested: requestedColumns(rowQuery, selection),
    fill: selection.fill,
  }))
}

/** Returns, for each column of the result, whether a selection requests it. */
export function requestedColumns(
  { resampled }: RowQuery,
  { isRequested }: OpenSelection,
): readonly boolean[] {
  return resampled === undefined ? isRequested : resampled.map(({ source }) => isRequested[source] === true)
}

/** Builds SQL that counts the rows of the result before its limit: one row with a column `count`. */
export function countRowsSql(rowQuery: RowQuery): string {
  const isByTime = rowQuery.query.layout === 'columns'
  const count = isByTime ? 'uniqExact(ts)' : 'count()'
  return `SELECT toFloat64(${count}) AS count FROM (${rowsSql({ ...rowQuery, isUnordered: true })})`
}

/**
 * Builds SQL that returns the points of the result before resampling and filling, unordered, with columns `selection, sid,
 * ts, age, v0…`.
 */
export function unfilledRowsSql(rowQuery: RowQuery): string {
  const selections = rowQuery.selections.map((selection) => ({ ...selection, fill: undefined }))
  const { window: _, ...whole } = rowQuery.query
  const isChanged = whole.resample !== undefined || hasFill(rowQuery.selections)
  return rowsSql({ ...rowQuery, query: isChanged ? whole : rowQuery.query, selections })
}

/** Returns SQL of a label of the series in the columns `selection` and `sid`. */
function labelSql({ selections, aggregated }: RowQuery, index: number): string {
  if (selections.length === 0) return `''`
  if (aggregated) return aggregated.scope.label(index)
  if (selections.length === 1) return selections[0]!.scope.label(index)
  const cases = selections.map(
    ({ scope }, selectionIndex) => `selection = ${selectionIndex}, ${scope.label(index)}`,
  )
  return `multiIf(${[...cases, `''`].join(', ')})`
}

/** Builds SQL that returns the number of the series in the columns `selection` and `sid`. */
export function positionSql(rowQuery: RowQuery): string {
  return `toUInt32OrZero(${labelSql(rowQuery, rowQuery.labelCount - 1)})`
}

/** Builds SQL of `label0…` for rows with `selection` and `sid`. */
export function labelsOf(rowQuery: RowQuery): string {
  return Array.from(
    { length: rowQuery.labelCount },
    (_, index) => `${labelSql(rowQuery, index)} AS label${index}`,
  ).join(', ')
}

/**
 * Builds SQL that is true if timestamps of the result have milliseconds. It is evaluated once, because a check for each row
 * would slow the stream down by a tenth.
 */
export function hasMilliseconds(rowQuery: RowQuery): string {
  if (rowQuery.resampled) return '0'
  return (
    rowQuery.selections
      .filter(({ facts }) => !facts || facts.mayRevise || facts.mayHaveMilliseconds)
      .map((selection) => buildMillisecondsSql(toPointSelection(rowQuery, selection)))
      .join(' OR ') || '0'
  )
}

/** Builds SQL that returns the points of one selection, ordered by series, with columns `sid, ts, age, v0…`. */
export function pointsOf(rowQuery: RowQuery, selection: OpenSelection): string {
  return buildPointSql(toPointSelection(rowQuery, selection))
}

/** Builds SQL that returns the rows of one selection, ordered by series, with columns `sid, ts, age, v0…`. */
function selectionRows(rowQuery: RowQuery, selection: OpenSelection): string {
  const rows = rowsOfSelection(rowQuery, selection)
  return hasFill(rowQuery.selections) ? rows : inWindow(rows, rowQuery.query)
}

function rowsOfSelection(rowQuery: RowQuery, selection: OpenSelection): string {
  const { query, resampled } = rowQuery
  const { resample } = query
  if (!resample || !resampled) return pointsOf(rowQuery, selection)
  const points = toPointSelection(rowQuery, selection)
  const { rollUp } = selection
  const days =
    rollUp && areOfDays(resampled) ? buildDaysSql(points, rollUp, dayFactsOf(resampled)) : undefined
  const source = days === undefined ? { points: buildPointSql({ ...points, isUnordered: true }) } : { days }
  const { isRequested } = selection
  const { keepsOverflows = false } = rowQuery
  return buildResampleSql({ ...query, resample }, resampled, source, { isRequested, keepsOverflows })
}

function toPointSelection(
  { query, range: requested, isUnordered = false, isReadInOrder = false }: RowQuery,
  selection: OpenSelection,
): PointSelection {
  const { lastVersion } = selection
  const range =
    lastVersion === undefined
      ? requested
      : { ...requested, versionTo: Math.min(requested.versionTo ?? Infinity, lastVersion) }
  return {
    dataset: selection.dataset,
    seriesCondition: selection.scope.condition,
    isOneSeries: selection.scope.isOneSeries,
    computed: selection.computed?.source,
    columns: selection.columns,
    range,
    corrections: query.corrections ?? 'false',
    order: query.order ?? 'asc',
    isUnordered: isUnordered || (isReadInOrder && selection.computed !== undefined),
    conditions: selection.conditions,
    hasClock: hasClock(query),
    shift: selection.shift,
    ...(selection.facts && !selection.facts.mayRevise ? { distinctUpTo: selection.facts.version } : {}),
  }
}

/** Restricts rows to the window of a query. */
function inWindow(rows: string, { window: { from, to } = {} }: SeriesQuery): string {
  // A cluster passes these conditions on to its shards, which do not parse every timestamp format.
  const instant = 'toUnixTimestamp64Milli(ts)'
  const conditions = [
    ...(from === undefined ? [] : [`${instant} >= ${quoteInteger(Math.ceil(clampEnd(from)))}`]),
    ...(to === undefined ? [] : [`${instant} <= ${quoteInteger(Math.floor(clampEnd(to)))}`]),
  ]
  return conditions.length === 0 ? rows : `SELECT * FROM (${rows}) WHERE ${conditions.join(' AND ')}`
}

/** Returns the columns computed by functions, if the result has any. */
export function combinedOf({ aggregated, resampled }: RowQuery): readonly CombinedColumn[] | undefined {
  return aggregated?.columns ?? resampled
}

/** Returns whether all rows of the result belong to at most one series. */
export function isOneSeries({ aggregated, selections }: RowQuery): boolean {
  if (aggregated) return aggregated.scope.isOneSeries
  return selections.length === 1 && selections[0]!.scope.isOneSeries
}

/** Returns whether a selection requests a fill. */
export function hasFill(selections: readonly OpenSelection[]): boolean {
  return selections.some(({ fill }) => fill !== undefined)
}

/** Builds the LIMIT clause of a query. */
export function limitOf({ limit, offset = 0 }: SeriesQuery): string {
  if (limit === undefined && offset === 0) return ''
  return ` LIMIT ${quoteInteger(limit ?? Number.MAX_SAFE_INTEGER)} OFFSET ${quoteInteger(offset)}`
}

function emptyRows({ columns, labelCount }: RowQuery): string {
  const labels = Array.from({ length: labelCount }, (_, index) => `'' AS label${index}, `)
  const values = columns.map(({ type }, index) => `, CAST(NULL AS ${clickhouseType(type)}) AS v${index}`)
  return `SELECT ${labels.join('')}0 AS selection, toUInt32(0) AS sid, now64(3) AS ts, toInt64(0) AS age${values.join('')} WHERE 0`
}
