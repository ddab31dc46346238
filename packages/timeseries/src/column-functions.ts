import { isNumeric, type ResultColumn } from './result-format.ts'
import { jsonColumnNames } from './column-names.ts'
import type { Aggregate, ResampleFunction } from './resample-aggregate.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesQuery } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { quoteNumber } from './sql-text.ts'
import { sumSql } from './sum-sql.ts'

/** Functions that need the timestamps of values. */
const functionsOfTime = ['first', 'last', 'time_weighted_mean'] as const
/** Functions that combine values. Percentiles are allowed as well. */
export const aggregateFunctions = ['sum', 'mean', 'min', 'max', 'count', 'median', 'stddev'] as const
/** Functions that combine the points of a span. Percentiles are allowed as well. */
export const resampleFunctions = [...functionsOfTime, ...aggregateFunctions] as const
/** Functions whose result is one of the values, or a count. */
const exactFunctions: readonly ResampleFunction[] = ['first', 'last', 'min', 'max', 'count']
/** Functions for strings and dates. */
const functionsOfAll: readonly ResampleFunction[] = ['first', 'last', 'count']

/** A column of values combined by a function, over the points of a span or over several series. */
export interface CombinedColumn extends ResultColumn {
  /** Index of the source column. */
  source: number
  /** Type of the source values. */
  sourceType: ValueType
  /** Function that combines them. */
  function: ResampleFunction
}

/**
 * Checks an aggregate.
 * @throws SeriesEngineError `invalid`
 */
export function checkAggregate({ functions }: Aggregate): void {
  checkFunctions(functions, aggregateFunctions, 'An aggregate')
}

/**
 * Checks a list of functions.
 *
 * @param subject subject of the messages, such as “A span”
 * @throws SeriesEngineError `invalid` if the list is empty, or has duplicate or unknown functions
 */
export function checkFunctions(
  requested: readonly ResampleFunction[],
  allowed: readonly string[],
  subject: string,
): void {
  const refuse = (message: string): never => {
    throw new SeriesEngineError('invalid', message)
  }
  const unknown = requested.find((each) => !allowed.includes(each) && percentOf(each) === undefined)
  if (unknown !== undefined)
    refuse(`${unknown} is not one of the functions ${allowed.join(', ')}, p0 to p100.`)
  if (requested.length === 0) refuse(`${subject} needs one of the functions ${allowed.join(', ')}.`)
  if (new Set(requested).size < requested.length) refuse(`${subject} names a function twice.`)
}

/**
 * Returns the columns that result from applying functions to columns, in order. A second column with the same name gets a
 * type suffix.
 */
export function combinedColumns(
  query: SeriesQuery,
  columns: readonly ResultColumn[],
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

/** Returns whether the values of a column may exceed the range of a double although their source values do not. */
export function canOverflow({ function: name, sourceType }: CombinedColumn): boolean {
  return sourceType === 'double' && !exactFunctions.includes(name)
}

/**
 * Builds SQL that combines the values of a column, for a `GROUP BY`. Empty values are ignored. `time_weighted_mean` returns
 * only its points.
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

/** Returns the number of a percentile; undefined for other functions. */
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
