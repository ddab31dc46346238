import { isNumeric, jsonColumnNames, type AnswerColumn } from './answer-format.ts'
import { dayNumberSql, earliestMs } from './calendar-time.ts'
import type { DayFact, DayFactKind } from './roll-up-sql.ts'
import {
  SeriesEngineError,
  type Resample,
  type ResampleFunction,
  type SeriesQuery,
  type ValueType,
} from './series-engine.ts'
import { finiteSql, quoteInteger, quoteTimestamp } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

const maxAmount = 1000
const units = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
const functions = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count'] as const
/** What texts and dates know. */
const functionsOfAll: readonly ResampleFunction[] = ['first', 'last', 'count']
/** The Thursday 1970-01-01 is so many days after the start of its week. */
const daysSinceMonday = 3
const firstDayNumber = earliestMs / 86_400_000
const firstMonthNumber = -70 * 12

/** A column of a resampled answer. */
export interface ResampledColumn extends AnswerColumn {
  /** Place of the column of the points that it is made of. */
  source: number
  /** Type of its values. */
  sourceType: ValueType
  function: ResampleFunction
}

/** @throws SeriesEngineError `invalid` for spans and functions that make no sense. */
export function checkResample({ unit, amount, functions: asked }: Resample): void {
  if (!units.includes(unit)) throw refusal(`Spans have one of the units ${units.join(', ')}, not ${unit}.`)
  if (!Number.isInteger(amount) || amount < 1 || amount > maxAmount) {
    throw refusal(`A span has ${amount} ${unit}; allowed are whole numbers from 1 to ${maxAmount}.`)
  }
  const unknown = asked.find((each) => !functions.includes(each))
  if (unknown !== undefined) throw refusal(`${unknown} is none of the functions ${functions.join(', ')}.`)
  if (asked.length === 0) throw refusal(`Spans need one of the functions ${functions.join(', ')}.`)
  if (new Set(asked).size < asked.length) throw refusal('A function of the spans is named twice.')
}

/** The columns of a resampled answer, in their order. A second column of a name keeps the sign of its type. */
export function resampledColumns(query: SeriesQuery, columns: readonly AnswerColumn[]): ResampledColumn[] {
  const asked = query.resample?.functions ?? []
  const names = jsonColumnNames({ ...query, format: 'NCSV', versionTexts: undefined }, columns)
  return columns.flatMap(({ type }, source) =>
    asked
      .filter((name) => isNumeric(type) || functionsOfAll.includes(name))
      .map((name) => ({
        name: `${names[source]}_${name}`,
        type: resultType(name, type),
        source,
        sourceType: type,
        function: name,
      })),
  )
}

/** Whether the values of a column may be beyond what a double holds, though those that they are made of are not. */
export function canOverflow({ function: name, sourceType }: ResampledColumn): boolean {
  return sourceType === 'double' && (name === 'sum' || name === 'mean')
}

/** What the spans are made of: rows `sid, ts, v0…` of points, or rows `sid, day, <kind><place>…` of UTC days, in any order. */
export type SpanSource = { points: string } | { days: string }

/** The facts of days that spans are made of. */
export function dayFactsOf(columns: readonly ResampledColumn[]): DayFact[] {
  const kinds = new Map<number, Set<DayFactKind>>()
  for (const { source, function: name } of columns) {
    const own = kinds.get(source) ?? new Set(['count'])
    own.add(name === 'mean' ? 'sum' : name)
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
  columns: readonly ResampledColumn[],
  source: SpanSource,
  { isAsked, keepsOverflows = false }: { isAsked: readonly boolean[]; keepsOverflows?: boolean },
): string {
  const isOfDays = 'days' in source
  const { key, begin } = spanSql(resample, timeZone, isOfDays ? `toDateTime64(day, 3, 'UTC')` : 'ts')
  const facts = columns.map((column, index) => {
    const isCounted = column.function !== 'count' || isAsked[column.source]
    const made = isOfDays ? factOfDays(column) : factOfPoints(`v${column.source}`, column)
    const fact = canOverflow(column) && !keepsOverflows ? finiteSql(made) : made
    return `${isCounted ? fact : 'CAST(NULL AS Nullable(Int64))'} AS fact${index}`
  })
  const sources = [...new Set(columns.map(({ source }) => source))]
  const hasFact =
    sources.map((place) => (isOfDays ? `sum(count${place}) > 0` : `count(v${place}) > 0`)).join(' OR ') || '0'
  const spans = `SELECT ${['sid', `${key} AS span`, ...facts].join(', ')} FROM (${isOfDays ? source.days : source.points}) GROUP BY sid, span HAVING ${hasFact}`
  const values = columns.map((_, index) => `fact${index} AS v${index}`)
  return `SELECT ${['sid', `${begin} AS ts`, 'toInt64(-1) AS age', ...values].join(', ')} FROM (${spans}) ORDER BY sid, ts${order === 'desc' ? ' DESC' : ''}`
}

/** SQL of a number that the moments of a span share, and of the begin of the span from its number in column `span`. */
function spanSql(
  { unit, amount }: Resample,
  timeZone: string,
  moment: string,
): { key: string; begin: string } {
  const zoned = `toTimeZone(${moment}, {zone:String})`
  switch (unit) {
    case 'MINUTES':
    case 'HOURS': {
      const width = amount * (unit === 'HOURS' ? 3_600_000 : 60_000)
      const key =
        timeZone === 'UTC' ? floorSql(`toUnixTimestamp64Milli(${moment})`, width) : wallClockFloorSql(width)
      return { key, begin: notBeforeFirst(`fromUnixTimestamp64Milli(span, 'UTC')`) }
    }
    case 'DAYS':
      return { key: floorSql(dayNumberSql(zoned), amount), begin: dateSql('DAYS', firstDayNumber) }
    case 'WEEKS':
      return {
        key: floorSql(dayNumberSql(zoned), amount * 7, daysSinceMonday),
        begin: dateSql('DAYS', firstDayNumber),
      }
    case 'MONTHS':
    case 'YEARS': {
      const month = `((toInt32(toYear(${zoned})) - 1970) * 12 + toMonth(${zoned}) - 1)`
      const width = amount * (unit === 'YEARS' ? 12 : 1)
      return { key: floorSql(month, width), begin: dateSql('MONTHS', firstMonthNumber) }
    }
  }
}

const momentSql = 'toUnixTimestamp64Milli(ts)'

function floorSql(number: string, width: number, lead = 0): string {
  return `(${number} - positiveModulo(${number} + ${quoteInteger(lead)}, ${quoteInteger(width)}))`
}

/**
 * The moment at which the clock showed the begin of the span. Where the clock was changed since, the offset of that time holds; an
 * hour that the clock shows twice is twice a span.
 */
function wallClockFloorSql(width: number): string {
  const offset = 'toInt64(timeZoneOffset(toTimeZone(ts, {zone:String}))) * 1000'
  const begin = `(${momentSql} - positiveModulo(${momentSql} + ${offset}, ${quoteInteger(width)}))`
  const offsetThen = `toInt64(timeZoneOffset(fromUnixTimestamp64Milli(${begin}, {zone:String}))) * 1000`
  return `(${begin} + ${offset} - ${offsetThen})`
}

/** The first moment of a date, so many days or months after 1970-01-01. */
function dateSql(unit: 'DAYS' | 'MONTHS', first: number): string {
  const epoch = `toDate32('1970-01-01')`
  const number = `greatest(span, ${quoteInteger(first)})`
  const date = unit === 'DAYS' ? `addDays(${epoch}, ${number})` : `addMonths(${epoch}, ${number})`
  return notBeforeFirst(`toTimeZone(toDateTime64(${date}, 3, {zone:String}), 'UTC')`)
}

function notBeforeFirst(moment: string): string {
  return `greatest(${moment}, ${quoteTimestamp(earliestMs)})`
}

/** Empty values do not count. */
function factOfPoints(value: string, { function: name, sourceType }: ResampledColumn): string {
  const sum = sumSql(value, sourceType)
  switch (name) {
    case 'first':
      return `argMin(${value}, ts)`
    case 'last':
      return `argMax(${value}, ts)`
    case 'min':
    case 'max':
      return `${name}(${value})`
    case 'sum':
      return sourceType === 'integer' ? `accurateCastOrNull(${sum}, 'Int64')` : sum
    case 'mean':
      return `toFloat64(${sum}) / count(${value})`
    case 'count':
      return `toInt64(count(${value}))`
  }
}

/** The same of facts of days; see roll-up-sql.ts. */
function factOfDays({ source, function: name, sourceType }: ResampledColumn): string {
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
  }
}

function resultType(name: ResampleFunction, type: ValueType): ValueType {
  if (name === 'count') return 'integer'
  return name === 'mean' ? 'double' : type
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
