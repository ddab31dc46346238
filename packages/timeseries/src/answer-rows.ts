import { buildAggregateSql } from './aggregate-sql.ts'
import type { AnswerColumn } from './answer-format.ts'
import { hasClock } from './clock-sql.ts'
import type { CombinedColumn } from './column-functions.ts'
import { buildFillSql, unionOf, type FillBranch, type FilledSource } from './fill-sql.ts'
import { clickhouseType } from './native-block.ts'
import type { OpenSelection } from './open-selections.ts'
import { buildMillisecondsSql, buildPointSql, type PointRange, type PointSelection } from './point-sql.ts'
import { areOfDays, buildResampleSql, dayFactsOf } from './resample-sql.ts'
import { clampEnd } from './resolve-range.ts'
import { buildDaysSql } from './roll-up-sql.ts'
import type { SeriesQuery } from './series-engine.ts'
import type { SeriesScope } from './series-scope.ts'
import { quoteInteger } from './sql-text.ts'
import type { ZonedQuery } from './time-zones.ts'

/** A question whose selections are open and whose range is known. */
export interface RowQuestion {
  query: ZonedQuery
  columns: readonly AnswerColumn[]
  selections: readonly OpenSelection[]
  range: PointRange
  /** How many labels a series has. */
  labelCount: number
  /** The points of a selection may come in any order. Default false. */
  isUnordered?: boolean
  /** Computed points and filled rows are read in the order of the answer, so that nothing sorts them. Default false. */
  isReadInOrder?: boolean
  /** Rows with their gaps filled, where a selection asks for it. */
  filled?: FilledSource
  /** The columns once more, where points are brought together by spans of time. */
  resampled?: readonly CombinedColumn[]
  /** The combined series, where series are combined. The labels of the selections then are the numbers of these. */
  aggregated?: AggregatedSeries
  /** Values beyond what a double holds stay as they are instead of being empty. Default false. */
  keepsOverflows?: boolean
}

/** Series that are combined, and the series and columns that they become. */
export interface AggregatedSeries {
  /** The columns of the response once more. */
  columns: readonly CombinedColumn[]
  /** The columns of the rows that are combined. */
  sourceColumns: readonly AnswerColumn[]
  /** The combined series, by their number. */
  scope: SeriesScope
  /** Whether values that are combined may be beyond what a double holds. */
  mayHaveOverflows: boolean
}

/**
 * The order of the rows is made in a subquery, where the planner takes it for superfluous; and a limit that it moves below
 * `LIMIT 1 BY` keeps the first rows of the first series instead of the newest of all.
 */
export const keepOrder = 'query_plan_remove_redundant_sorting = 0, query_plan_push_down_limit = 0'

/** All rows of the answer in their order, with columns `label0…, place, sid, ts, age, v0…`. */
export function orderedRowsSql(question: RowQuestion): string {
  const { query, selections } = question
  if (selections.length === 0) return emptyRows(question)
  const direction = query.order === 'desc' ? ' DESC' : ''
  const byTime = `ORDER BY ts${direction}, place, sid, age DESC`
  const bySeries = `ORDER BY place, sid, ts${direction}, age DESC`
  const isByTime = query.sortBy === 'time'
  if (question.aggregated || hasFill(selections)) {
    const { isReadInOrder } = question
    const order = isReadInOrder ? '' : isByTime ? byTime : bySeries
    const unordered = isReadInOrder ? question : { ...question, isUnordered: true }
    const rows = `SELECT * FROM (${rowsSql(unordered)}) ${order}${limitOf(query)}`
    return `SELECT ${labelsOf(question)}, * FROM (${rows})`
  }
  const branches = selections.map((selection, place) => {
    const labels = Array.from(
      { length: selection.labelCount },
      (_, index) => `${selection.scope.label(index)} AS label${index}`,
    )
    return `SELECT ${place} AS place, ${labels.join(', ')}, * FROM (${selectionRows(question, selection)})`
  })
  let sql = branches[0]!
  if (isByTime) sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ${byTime}`
  else if (branches.length > 1) sql = `SELECT * FROM (${branches.join(' UNION ALL ')}) ${bySeries}`
  const limit = limitOf(query)
  return limit === '' ? sql : `SELECT * FROM (${sql})${limit}`
}

/**
 * All rows of the answer before its limit, with columns `place, sid, ts, age, v0…`; those of one selection, and combined ones, series after
 * series in the order of time unless the question is for no order.
 */
export function rowsSql(question: RowQuestion): string {
  const { columns, filled, query, aggregated } = question
  if (question.selections.length === 0) return emptyRows(question)
  if (aggregated) return aggregatedRows(question, aggregated)
  const branches = branchesOf(question)
  if (!hasFill(question.selections)) return unionOf(branches)
  if (!filled) throw new TypeError('The gaps of the answer are not filled yet.')
  return inWindow(buildFillSql(branches, columns, filled, question), query)
}

function aggregatedRows(question: RowQuestion, aggregated: AggregatedSeries): string {
  const { aggregated: _, ...source } = question
  const { columns, sourceColumns, scope, mayHaveOverflows } = aggregated
  const keepsOverflows = mayHaveOverflows
  const rows = rowsSql({ ...source, columns: sourceColumns, isUnordered: true, keepsOverflows })
  const number = scope.isOneSeries ? '0' : `toUInt32OrZero(${labelSql(source, 0)})`
  return buildAggregateSql(rows, columns, { ...question, number, mayHaveOverflows })
}

/** The rows of each selection before gaps are filled, with columns `place, sid, ts, age, v0…`. */
export function branchesOf(question: RowQuestion): FillBranch[] {
  return question.selections.map((selection, place) => ({
    place,
    sql: `SELECT ${place} AS place, * FROM (${selectionRows(question, selection)})`,
    isAsked: askedColumns(question, selection),
    fill: selection.fill,
  }))
}

/** Whether a selection asks for a column of the answer, by its place. */
export function askedColumns({ resampled }: RowQuestion, { isAsked }: OpenSelection): readonly boolean[] {
  return resampled === undefined ? isAsked : resampled.map(({ source }) => isAsked[source] === true)
}

/** How many rows the answer has before its limit, as SQL of one row with a column `count`. */
export function countRowsSql(question: RowQuestion): string {
  const isByTime = question.query.layout === 'columns'
  const count = isByTime ? 'uniqExact(ts)' : 'count()'
  return `SELECT toFloat64(${count}) AS count FROM (${rowsSql({ ...question, isUnordered: true })})`
}

/** The points of the answer before gaps are filled and spans are made, in no order, with columns `place, sid, ts, age, v0…`. */
export function unfilledRowsSql(question: RowQuestion): string {
  const selections = question.selections.map((selection) => ({ ...selection, fill: undefined }))
  const { window: _, ...whole } = question.query
  const isChanged = whole.resample !== undefined || hasFill(question.selections)
  return rowsSql({ ...question, query: isChanged ? whole : question.query, selections })
}

/** SQL of a label of the series in columns `place` and `sid`. */
function labelSql({ selections, aggregated }: RowQuestion, index: number): string {
  if (selections.length === 0) return `''`
  if (aggregated) return aggregated.scope.label(index)
  if (selections.length === 1) return selections[0]!.scope.label(index)
  const cases = selections.map(({ scope }, place) => `place = ${place}, ${scope.label(index)}`)
  return `multiIf(${[...cases, `''`].join(', ')})`
}

/** SQL of the number of the series in columns `place` and `sid`. */
export function positionSql(question: RowQuestion): string {
  return `toUInt32OrZero(${labelSql(question, question.labelCount - 1)})`
}

/** `label0…` of rows with `place` and `sid`. */
export function labelsOf(question: RowQuestion): string {
  return Array.from(
    { length: question.labelCount },
    (_, index) => `${labelSql(question, index)} AS label${index}`,
  ).join(', ')
}

/** SQL of whether timestamps of the answer have milliseconds; asked beforehand, as to decide it per row costs a tenth of the stream. */
export function hasMilliseconds(question: RowQuestion): string {
  if (question.resampled) return '0'
  return (
    question.selections
      .filter(({ facts }) => !facts || facts.mayRevise || facts.mayHaveMilliseconds)
      .map((selection) => buildMillisecondsSql(toPointSelection(question, selection)))
      .join(' OR ') || '0'
  )
}

/** The points of one selection, series after series, with columns `sid, ts, age, v0…`. */
export function pointsOf(question: RowQuestion, selection: OpenSelection): string {
  return buildPointSql(toPointSelection(question, selection))
}

/** The rows of one selection, series after series, with columns `sid, ts, age, v0…`. */
function selectionRows(question: RowQuestion, selection: OpenSelection): string {
  const rows = rowsOfSelection(question, selection)
  return hasFill(question.selections) ? rows : inWindow(rows, question.query)
}

function rowsOfSelection(question: RowQuestion, selection: OpenSelection): string {
  const { query, resampled } = question
  const { resample } = query
  if (!resample || !resampled) return pointsOf(question, selection)
  const points = toPointSelection(question, selection)
  const { rollUp } = selection
  const days =
    rollUp && areOfDays(resampled) ? buildDaysSql(points, rollUp, dayFactsOf(resampled)) : undefined
  const source = days === undefined ? { points: buildPointSql({ ...points, isUnordered: true }) } : { days }
  const { isAsked } = selection
  const { keepsOverflows = false } = question
  return buildResampleSql({ ...query, resample }, resampled, source, { isAsked, keepsOverflows })
}

function toPointSelection(
  { query, range: asked, isUnordered = false, isReadInOrder = false }: RowQuestion,
  selection: OpenSelection,
): PointSelection {
  const { lastVersion } = selection
  const range =
    lastVersion === undefined
      ? asked
      : { ...asked, versionTo: Math.min(asked.versionTo ?? Infinity, lastVersion) }
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

/** The rows of the window of a question. */
function inWindow(rows: string, { window: { from, to } = {} }: SeriesQuery): string {
  // A cluster hands these conditions on to its shards, which do not understand every timestamp.
  const moment = 'toUnixTimestamp64Milli(ts)'
  const conditions = [
    ...(from === undefined ? [] : [`${moment} >= ${quoteInteger(Math.ceil(clampEnd(from)))}`]),
    ...(to === undefined ? [] : [`${moment} <= ${quoteInteger(Math.floor(clampEnd(to)))}`]),
  ]
  return conditions.length === 0 ? rows : `SELECT * FROM (${rows}) WHERE ${conditions.join(' AND ')}`
}

/** The columns that are made by functions, where the columns of the answer are. */
export function combinedOf({ aggregated, resampled }: RowQuestion): readonly CombinedColumn[] | undefined {
  return aggregated?.columns ?? resampled
}

/** Whether the rows of the answer are of one series at most. */
export function isOneSeries({ aggregated, selections }: RowQuestion): boolean {
  if (aggregated) return aggregated.scope.isOneSeries
  return selections.length === 1 && selections[0]!.scope.isOneSeries
}

export function hasFill(selections: readonly OpenSelection[]): boolean {
  return selections.some(({ fill }) => fill !== undefined)
}

/** SQL of the limit of a question. */
export function limitOf({ limit, offset = 0 }: SeriesQuery): string {
  if (limit === undefined && offset === 0) return ''
  return ` LIMIT ${quoteInteger(limit ?? Number.MAX_SAFE_INTEGER)} OFFSET ${quoteInteger(offset)}`
}

function emptyRows({ columns, labelCount }: RowQuestion): string {
  const labels = Array.from({ length: labelCount }, (_, index) => `'' AS label${index}, `)
  const values = columns.map(({ type }, index) => `, CAST(NULL AS ${clickhouseType(type)}) AS v${index}`)
  return `SELECT ${labels.join('')}0 AS place, toUInt32(0) AS sid, now64(3) AS ts, toInt64(0) AS age${values.join('')} WHERE 0`
}
