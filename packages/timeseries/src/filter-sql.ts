import type { ResultColumn } from './result-format.ts'
import type { ValueFilter } from './query-options.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ValueType } from './series-upload.ts'
import type { SqlParams } from './sql-connection.ts'
import { textArray } from './sql-params.ts'
import { quoteNumber } from './sql-text.ts'

const maxFilters = 100
const maxItems = 10_000
const maxCharacters = 60_000

const textOperators: readonly ValueFilter['operator'][] = ['contains', 'startsWith', 'endsWith']

const comparisons = {
  equals: '=',
  notEquals: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
}

/** Conditions on values as SQL. */
export interface FilterSql {
  /**
   * Returns the conditions on the rows of a selection.
   * @param isRequested for each column of the result, whether the selection requests it
   */
  conditionsOf(isRequested: readonly boolean[]): string[]
  /** Parameters of the conditions. */
  params: SqlParams
}

/**
 * Compiles conditions on the columns `v0`, `v1`, … of rows.
 * @throws SeriesEngineError `invalid` for a value that does not fit the operator or the column
 */
export function createFilterSql(
  filters: readonly ValueFilter[],
  columns: readonly ResultColumn[],
): FilterSql {
  checkSizes(filters)
  const params: Record<string, SqlParams[string]> = {}
  const compiled = filters.map((filter, filterIndex) => {
    const isOfEmpty = filter.operator === 'isEmpty' || filter.operator === 'notEquals'
    const conditions = columns.map(({ name, type }, index) => {
      if (name !== filter.column) return undefined
      if (type !== 'string' && isForTexts(filter, columns)) return isOfEmpty ? '1' : '0'
      const condition = compileFilter(filter, type, index, `filter${filterIndex}_${index}`)
      Object.assign(params, condition.params)
      return condition.sql
    })
    return (isRequested: readonly boolean[]) => {
      const own = conditions.filter((condition, index) => condition !== undefined && isRequested[index])
      if (own.length === 0) return isOfEmpty ? '1' : '0'
      return `(${own.join(isOfEmpty ? ' AND ' : ' OR ')})`
    }
  })
  return { conditionsOf: (isRequested) => compiled.map((conditionOf) => conditionOf(isRequested)), params }
}

/**
 * Returns whether a filter applies only to string columns with its name, because its value is neither a number nor a date.
 */
function isForTexts({ column, operator, value }: ValueFilter, columns: readonly ResultColumn[]): boolean {
  const hasTexts = columns.some(({ name, type }) => name === column && type === 'string')
  if (!hasTexts || operator === 'isEmpty' || operator === 'isNotEmpty') return false
  const items = (Array.isArray(value) ? value : [value]) as readonly (string | number | undefined)[]
  return textOperators.includes(operator) || items.some((item) => Number.isNaN(toNumber(item ?? '')))
}

interface Condition {
  sql: string
  params?: SqlParams
}

function compileFilter(filter: ValueFilter, type: ValueType, index: number, name: string): Condition {
  const { operator } = filter
  const value = `v${index}`
  switch (operator) {
    case 'isEmpty':
      return { sql: `isNull(${value})` }
    case 'isNotEmpty':
      return { sql: `isNotNull(${value})` }
    case 'in':
      return compileList(filter, type, value, name)
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return compilePart(filter, type, value, name, operator)
  }
  const ofEmpty = operator === 'notEquals' ? 1 : 0
  const item = singleValue(filter)
  if (type !== 'string') {
    const number = numberOf(filter, item)
    return {
      sql: `ifNull(${numericSql(value, type)} ${comparisons[operator]} ${quoteNumber(number)}, ${ofEmpty})`,
    }
  }
  return {
    sql: `ifNull(${value} ${comparisons[operator]} {${name}:String}, ${ofEmpty})`,
    params: { [name]: String(item) },
  }
}

function compileList(filter: ValueFilter, type: ValueType, value: string, name: string): Condition {
  if (!Array.isArray(filter.value)) throw refusal(filter, 'takes a list of values')
  const items = filter.value as readonly (string | number)[]
  if (items.length === 0) return { sql: '0' }
  if (type === 'string') {
    const texts = textArray(name, items.map(String))
    return { sql: `ifNull(${value} IN (SELECT arrayJoin(${texts.sql})), 0)`, params: texts.params }
  }
  const numbers = items.map((item) => quoteNumber(numberOf(filter, item))).join(', ')
  // Adding 0 turns -0 into 0, because a set distinguishes the two.
  return { sql: `ifNull(toFloat64(${numericSql(value, type)}) + 0. IN (${numbers}), 0)` }
}

function compilePart(
  filter: ValueFilter,
  type: ValueType,
  value: string,
  name: string,
  operator: 'contains' | 'startsWith' | 'endsWith',
): Condition {
  if (type !== 'string') throw refusal(filter, 'requires text columns')
  const text = `lowerUTF8({${name}:String})`
  const lower = `lowerUTF8(${value})`
  const sql = operator === 'contains' ? `position(${lower}, ${text}) > 0` : `${operator}(${lower}, ${text})`
  return { sql: `ifNull(${sql}, 0)`, params: { [name]: String(singleValue(filter)) } }
}

function numericSql(value: string, type: ValueType): string {
  return type === 'date' ? `toUnixTimestamp64Milli(${value})` : value
}

function singleValue(filter: ValueFilter): string | number {
  const { value } = filter
  if (typeof value === 'string' || typeof value === 'number') return value
  throw refusal(filter, 'takes one value')
}

function numberOf(filter: ValueFilter, item: string | number): number {
  const number = toNumber(item)
  if (Number.isFinite(number)) return number
  throw refusal(
    filter,
    `compares a column of numbers or dates, but “${String(item).slice(0, 40)}” is neither`,
  )
}

function toNumber(item: string | number): number {
  return typeof item === 'number' ? item : item.trim() === '' ? Number.NaN : Number(item)
}

function checkSizes(filters: readonly ValueFilter[]): void {
  let items = 0
  let characters = 0
  for (const { value } of filters) {
    for (const item of Array.isArray(value) ? (value as readonly (string | number)[]) : [value]) {
      items++
      if (typeof item === 'string') characters += item.length
    }
  }
  if (filters.length > maxFilters || items > maxItems || characters > maxCharacters) {
    throw new SeriesEngineError(
      'invalid',
      `There are ${filters.length} filters with ${items} values of ${characters} characters; allowed are ${maxFilters} filters, ${maxItems} values and ${maxCharacters} characters.`,
    )
  }
}

function refusal({ column, operator }: ValueFilter, why: string): SeriesEngineError {
  return new SeriesEngineError('invalid', `The filter ${operator} of “${column.slice(0, 40)}” ${why}.`)
}
