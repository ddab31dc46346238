import {
  canOverflow,
  checkFunctions,
  combinedSql,
  resampleFunctions,
  type CombinedColumn,
} from './column-functions.ts'
import { checkFill } from './fill-sql.ts'
import type { DayFact, DayFactKind } from './roll-up-sql.ts'
import type { Fill } from './query-options.ts'
import type { Resample, ResampleFunction } from './resample-aggregate.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import { checkOrigin, spanSql } from './span-sql.ts'
import { finiteSql } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

const maxAmount = 1000
const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
/** Functions that can be computed from daily facts. */
const functionsOfDays: readonly ResampleFunction[] = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count']

/**
 * Checks spans and their functions.
 * @throws SeriesEngineError `invalid`
 */
export function checkResample({ unit, amount, functions: requested, origin, fill }: Resample): void {
  if (!units.includes(unit)) throw refusal(`Spans can have the units ${units.join(', ')}, not ${unit}.`)
  if (!Number.isInteger(amount) || amount < 1 || amount > maxAmount) {
    throw refusal(`A span has ${amount} ${unit}; it must be a whole number from 1 to ${maxAmount}.`)
  }
  checkFunctions(requested, resampleFunctions, 'A span')
  if (origin !== undefined) checkOrigin(origin, unit)
  if (fill?.kind === 'average') throw refusal('Spans cannot be filled with the mean of earlier spans.')
  if (fill) checkFill(fill)
}

/** Returns whether a column can be empty in all spans although its source has values, or can be filled with zeros. */
export function canBeEmpty({ function: name }: CombinedColumn, fill: Fill | undefined): boolean {
  return name === 'stddev' || (name === 'count' && fill?.kind === 'zero')
}

const unitMs = {
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
  WEEKS: 604_800_000,
  MONTHS: 2_628_000_000,
  YEARS: 31_536_000_000,
}

/** Estimates the number of spans in a period. */
export function countSpans({ unit, amount }: Resample, ms: number): number {
  return ms / (amount * unitMs[unit]) + 2
}

/** Returns whether columns can be computed from daily facts. */
export function areOfDays(columns: readonly CombinedColumn[]): boolean {
  return columns.every((column) => functionsOfDays.includes(column.function))
}

/**
 * Source of the spans: rows `sid, ts, v0…` of points, or rows `sid, day, <kind><column>…` of UTC days, in any order.
 */
export type SpanSource = { points: string } | { days: string }

/** Returns the daily facts that the spans need. */
export function dayFactsOf(columns: readonly CombinedColumn[]): DayFact[] {
  const kinds = new Map<number, Set<DayFactKind>>()
  for (const { source, function: name } of columns) {
    const own = kinds.get(source) ?? new Set(['count'])
    own.add(name === 'mean' ? 'sum' : (name as DayFactKind))
    kinds.set(source, own)
  }
  return [...kinds].flatMap(([columnIndex, own]) => [...own].map((kind) => ({ kind, columnIndex })))
}

/**
 * Builds SQL that returns the spans of points in order, as rows `sid, ts, age, v0…`.
 * @param isRequested for each source column, whether the points have it; other columns get no count
 * @param keepsOverflows whether values beyond the range of a double stay infinite, so that they can be counted; default
 * false: they become empty
 */
export function buildResampleSql(
  { resample, timeZone = 'UTC', order }: SeriesQuery & { resample: Resample },
  columns: readonly CombinedColumn[],
  source: SpanSource,
  { isRequested, keepsOverflows = false }: { isRequested: readonly boolean[]; keepsOverflows?: boolean },
): string {
  const isOfDays = 'days' in source
  const { key, begin, endMs } = spanSql(resample, timeZone, isOfDays ? `toDateTime64(day, 3, 'UTC')` : 'ts')
  const facts = columns.map((column, index) => {
    const isCounted = column.function !== 'count' || isRequested[column.source]
    const made = isOfDays ? factOfDays(column) : combinedSql(`v${column.source}`, column)
    const isChecked = canOverflow(column) && !keepsOverflows && column.function !== 'time_weighted_mean'
    const fact = isChecked ? finiteSql(made) : made
    return `${isCounted ? fact : 'CAST(NULL AS Nullable(Int64))'} AS fact${index}`
  })
  const sources = [...new Set(columns.map(({ source }) => source))]
  const hasFact =
    sources
      .map((columnIndex) => (isOfDays ? `sum(count${columnIndex}) > 0` : `count(v${columnIndex}) > 0`))
      .join(' OR ') || '0'
  const spans = `SELECT ${['sid', `${key} AS span`, ...facts].join(', ')} FROM (${isOfDays ? source.days : source.points}) GROUP BY sid, span HAVING ${hasFact}`
  const ordered = (rows: string) => `${rows} ORDER BY sid, ts${order === 'desc' ? ' DESC' : ''}`
  const heads = ['sid', `${begin} AS ts`, 'toInt64(-1) AS age']
  const weighted = columns.flatMap((column, index) =>
    column.function === 'time_weighted_mean' ? [index] : [],
  )
  const values = columns.map((_, index) => `fact${index} AS v${index}`)
  if (weighted.length === 0) return ordered(`SELECT ${[...heads, ...values].join(', ')} FROM (${spans})`)
  const held = weighted.map((index) => `${lastHeldSql(`fact${index}`)} OVER before AS held${index}`)
  const all = `SELECT ${['*', `${endMs} AS endMs`, `${begin} AS begin`, ...held].join(', ')} FROM (${spans})
    WINDOW before AS (PARTITION BY sid ORDER BY span ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`
  const means = columns.map((_, index) =>
    weighted.includes(index)
      ? `${finiteSql(timeWeightedSql(`fact${index}`, `held${index}`))} AS v${index}`
      : `fact${index} AS v${index}`,
  )
  return ordered(`SELECT ${['sid', 'begin AS ts', 'toInt64(-1) AS age', ...means].join(', ')} FROM (${all})`)
}

/** Returns SQL of the last value of the previous spans, from arrays of (milliseconds, value). */
function lastHeldSql(points: string): string {
  return `last_value(if(empty(${points}), NULL, toNullable(${points}[-1].2))) IGNORE NULLS`
}

/**
 * Returns SQL of the mean of an array of (milliseconds, value), weighted by how long each value holds. The value at the
 * start of the span is included.
 */
function timeWeightedSql(points: string, held: string): string {
  const begin = 'toUnixTimestamp64Milli(begin)'
  const all = `if(isNull(${held}), ${points}, arrayPushFront(${points}, (${begin}, assumeNotNull(${held}))))`
  const from = `arrayMap(point -> point.1, ${all})`
  const to = `arrayResize(arrayPushBack(arrayPopFront(${from}), toInt64(endMs)), length(${from}))`
  // Shares of time instead of milliseconds, so that a large value does not overflow.
  const parts = `arrayMap((point, until) -> point.2 * ((until - point.1) / (toInt64(endMs) - ${all}[1].1)), ${all}, ${to})`
  return `if(empty(${points}), NULL, arrayReduce('sumKahan', ${parts}))`
}

/** Returns SQL that computes the same as `combinedSql`, from daily facts; see roll-up-sql.ts and areOfDays. */
function factOfDays({ source, function: name, sourceType }: CombinedColumn): string {
  const sum = sumSql(`sum${source}`, sourceType)
  switch (name) {
    case 'first':
      return `argMin(first${source}, day)`
    case 'last':
      return `argMax(last${source}, day)`
    case 'min':
    case 'max':
      return `${name}(${name}${source})`
    case 'sum':
      return sourceType === 'integer' ? `accurateCastOrNull(${sum}, 'Int64')` : sum
    case 'mean':
      return `toFloat64(${sum}) / sum(count${source})`
    case 'count':
      return `toInt64(sum(count${source}))`
    default:
      throw new RangeError(`${name} cannot be computed from days.`)
  }
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
