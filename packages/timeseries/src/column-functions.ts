import { isNumeric, type AnswerColumn } from './answer-format.ts'
import { jsonColumnNames } from './column-names.ts'
import {
  SeriesEngineError,
  type Aggregate,
  type ResampleFunction,
  type SeriesQuery,
  type ValueType,
} from './series-engine.ts'
import { quoteNumber } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

/** The functions that need the timestamps of values. */
const functionsOfTime = ['first', 'last', 'time_weighted_mean'] as const
/** The functions that combine values. Percentiles belong to them as well. */
export const aggregateFunctions = ['sum', 'mean', 'min', 'max', 'count', 'median', 'stddev'] as const
export const resampleFunctions = [...functionsOfTime, ...aggregateFunctions] as const
/** Those whose result is one of the values, or a count. */
const exactFunctions: readonly ResampleFunction[] = ['first', 'last', 'min', 'max', 'count']
/** What texts and dates know. */
const functionsOfAll: readonly ResampleFunction[] = ['first', 'last', 'count']

/** A column of values that are combined by a function: of the points of a span, or of several series. */
export interface CombinedColumn extends AnswerColumn {
  /** Place of the column that it is made of. */
  source: number
  /** Type of its values. */
  sourceType: ValueType
  function: ResampleFunction
}

/** @throws SeriesEngineError `invalid` for an aggregate that makes no sense. */
export function checkAggregate({ functions }: Aggregate): void {
  checkFunctions(functions, aggregateFunctions, 'An aggregate')
}

/**
 * @param subject what has the functions
 * @throws SeriesEngineError `invalid` unless there are functions, all of them allowed and different.
 */
export function checkFunctions(
  asked: readonly ResampleFunction[],
  allowed: readonly string[],
  subject: string,
): void {
  const refuse = (message: string): never => {
    throw new SeriesEngineError('invalid', message)
  }
  const unknown = asked.find((each) => !allowed.includes(each) && percentOf(each) === undefined)
  if (unknown !== undefined) refuse(`${unknown} is none of the functions ${allowed.join(', ')}, p0 to p100.`)
  if (asked.length === 0) refuse(`${subject} needs one of the functions ${allowed.join(', ')}.`)
  if (new Set(asked).size < asked.length) refuse(`${subject} names a function twice.`)
}

/** The columns that functions make of others, in their order. A second column of a name keeps the sign of its type. */
export function combinedColumns(
  query: SeriesQuery,
  columns: readonly AnswerColumn[],
  functions: readonly ResampleFunction[],
): CombinedColumn[] {
  const names = jsonColumnNames({ ...query, format: 'NCSV', versionTexts: undefined }, columns)
  return columns.flatMap(({ type }, source) =>
    functions
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
export function canOverflow({ function: name, sourceType }: CombinedColumn): boolean {
  return sourceType === 'double' && !exactFunctions.includes(name)
}

/**
 * SQL of the values of a column combined by its function, for a `GROUP BY`. Empty values do not count. `time_weighted_mean` gives its
 * points only.
 */
export function combinedSql(value: string, { function: name, sourceType }: CombinedColumn): string {
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
    case 'stddev':
      return `if(count(${value}) > 1, stddevSampStable(${value}), NULL)`
    case 'time_weighted_mean':
      return `arraySort(groupArrayIf((toUnixTimestamp64Milli(ts), toFloat64(assumeNotNull(${value}))), isNotNull(${value})))`
    default:
      return `quantileExactInclusive(${quoteNumber(percentOf(name)! / 100)})(toFloat64(${value}))`
  }
}

/** The number of a percentile; undefined for other functions. */
function percentOf(name: ResampleFunction): number | undefined {
  if (name === 'median') return 50
  const [, text = ''] = /^p(\d{1,3}(?:\.\d{1,2})?)$/.exec(name) ?? []
  const percent = Number(text)
  return text === String(percent) && percent <= 100 ? percent : undefined
}

function resultType(name: ResampleFunction, type: ValueType): ValueType {
  if (name === 'count') return 'integer'
  return exactFunctions.includes(name) || name === 'sum' ? type : 'double'
}
