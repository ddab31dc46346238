import {
  canOverflow,
  checkFunctions,
  combinedSql,
  resampleFunctions,
  type CombinedColumn,
} from './column-functions.ts'
import { checkFill } from './fill-sql.ts'
import type { DayFact, DayFactKind } from './roll-up-sql.ts'
import {
  SeriesEngineError,
  type Fill,
  type Resample,
  type ResampleFunction,
  type SeriesQuery,
} from './series-engine.ts'
import { checkOrigin, spanSql } from './span-sql.ts'
import { finiteSql } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

const maxAmount = 1000
const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
/** Those that can be made of facts of days. */
const functionsOfDays: readonly ResampleFunction[] = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count']

/** @throws SeriesEngineError `invalid` for spans and functions that make no sense. */
export function checkResample({ unit, amount, functions: asked, origin, fill }: Resample): void {
  if (!units.includes(unit)) throw refusal(`Spans have one of the units ${units.join(', ')}, not ${unit}.`)
  if (!Number.isInteger(amount) || amount < 1 || amount > maxAmount) {
    throw refusal(`A span has ${amount} ${unit}; allowed are whole numbers from 1 to ${maxAmount}.`)
  }
  checkFunctions(asked, resampleFunctions, 'A span')
  if (origin !== undefined) checkOrigin(origin, unit)
  if (fill?.kind === 'average') throw refusal('Spans are not filled with the mean of those before.')
  if (fill) checkFill(fill)
}

/** Whether a column may be empty in all spans, though it is made of one with values, or of one that gets zeros. */
export function mayBeEmpty({ function: name }: CombinedColumn, fill: Fill | undefined): boolean {
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

/** About how many spans so much time has. */
export function countSpans({ unit, amount }: Resample, ms: number): number {
  return ms / (amount * unitMs[unit]) + 2
}

/** Whether columns can be made of facts of days. */
export function areOfDays(columns: readonly CombinedColumn[]): boolean {
  return columns.every((column) => functionsOfDays.includes(column.function))
}

/** What the spans are made of: rows `sid, ts, v0…` of points, or rows `sid, day, <kind><place>…` of UTC days, in any order. */
export type SpanSource = { points: string } | { days: string }

/** The facts of days that spans are made of. */
export function dayFactsOf(columns: readonly CombinedColumn[]): DayFact[] {
  const kinds = new Map<number, Set<DayFactKind>>()
  for (const { source, function: name } of columns) {
    const own = kinds.get(source) ?? new Set(['count'])
    own.add(name === 'mean' ? 'sum' : (name as DayFactKind))
    kinds.set(source, own)
  }
  return [...kinds].flatMap(([place, own]) => [...own].map((kind) => ({ kind, place })))
}

/**
 * SQL of the spans of points in their order, as rows `sid, ts, age, v0…`.
 * @param isAsked whether the points are asked for a column of theirs; of others there is no count
 * @param keepsOverflows values beyond what a double holds stay as they are, so that they can be counted; else they are empty
 */
export function buildResampleSql(
  { resample, timeZone = 'UTC', order }: SeriesQuery & { resample: Resample },
  columns: readonly CombinedColumn[],
  source: SpanSource,
  { isAsked, keepsOverflows = false }: { isAsked: readonly boolean[]; keepsOverflows?: boolean },
): string {
  const isOfDays = 'days' in source
  const { key, begin, endMs } = spanSql(resample, timeZone, isOfDays ? `toDateTime64(day, 3, 'UTC')` : 'ts')
  const facts = columns.map((column, index) => {
    const isCounted = column.function !== 'count' || isAsked[column.source]
    const made = isOfDays ? factOfDays(column) : combinedSql(`v${column.source}`, column)
    const mayEnd = canOverflow(column) && !keepsOverflows && column.function !== 'time_weighted_mean'
    const fact = mayEnd ? finiteSql(made) : made
    return `${isCounted ? fact : 'CAST(NULL AS Nullable(Int64))'} AS fact${index}`
  })
  const sources = [...new Set(columns.map(({ source }) => source))]
  const hasFact =
    sources.map((place) => (isOfDays ? `sum(count${place}) > 0` : `count(v${place}) > 0`)).join(' OR ') || '0'
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

/** The last value of the spans before, of arrays of (milliseconds, value). */
function lastHeldSql(points: string): string {
  return `last_value(if(empty(${points}), NULL, toNullable(${points}[-1].2))) IGNORE NULLS`
}

/** The mean of an array of (milliseconds, value) by how long each value holds, after the value that the span begins with. */
function timeWeightedSql(points: string, held: string): string {
  const begin = 'toUnixTimestamp64Milli(begin)'
  const all = `if(isNull(${held}), ${points}, arrayPushFront(${points}, (${begin}, assumeNotNull(${held}))))`
  const from = `arrayMap(point -> point.1, ${all})`
  const to = `arrayResize(arrayPushBack(arrayPopFront(${from}), toInt64(endMs)), length(${from}))`
  // Shares of the time instead of milliseconds, so that a large value stays one that a double holds.
  const parts = `arrayMap((point, until) -> point.2 * ((until - point.1) / (toInt64(endMs) - ${all}[1].1)), ${all}, ${to})`
  return `if(empty(${points}), NULL, arrayReduce('sumKahan', ${parts}))`
}

/** What `combinedSql` gives, of facts of days; see roll-up-sql.ts and areOfDays. */
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
      throw new RangeError(`${name} is not made of days.`)
  }
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
