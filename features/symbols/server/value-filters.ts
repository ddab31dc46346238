import { invalidInput, type AppError } from '@headwater/contract'
import type { ValueFilter, ValueType } from '@headwater/timeseries'
import { needsValue, type DataFilter, type FilterOperator } from '../contract/index.ts'
import { isoLocal, parseLocalDate } from './local-date.ts'

/** A condition on the value of a symbol key or of metadata. */
export interface SymbolCondition {
  /** Whether it is a symbol key or metadata. */
  kind: 'symbol' | 'metadata'
  /** Name of the key in lower case. */
  name: string
  /** Operator. */
  operator: FilterOperator
  /** Values to compare with; several only with IN, none with IS_EMPTY and IS_NOT_EMPTY. */
  values: string[]
  /** Path in the query, for errors. */
  at: string
}

/** A condition on a value column. */
export interface ColumnCondition {
  /** The condition. */
  filter: DataFilter
  /** Path in the query, for errors, for example `filters[2]`. */
  at: string
}

/** Conditions of a query, split into those on symbols and those on points. */
export interface SplitFilters {
  /** Conditions on symbols. */
  symbols: SymbolCondition[]
  /** Conditions on value columns. */
  columns: ColumnCondition[]
}

/** Splits conditions into those on symbols and those on value columns. */
export function splitFilters(filters: readonly DataFilter[]): SplitFilters {
  const split: SplitFilters = { symbols: [], columns: [] }
  for (const [index, filter] of filters.entries()) {
    const [, kind, name] = /^(symbol|metadata)s?\.(.+)$/is.exec(filter.name) ?? []
    if (kind === undefined || name === undefined) {
      split.columns.push({ filter, at: `filters[${index}]` })
    } else {
      const { operator } = filter
      split.symbols.push({
        kind: kind.toLowerCase() === 'metadata' ? 'metadata' : 'symbol',
        name: name.toLowerCase(),
        operator,
        values: !needsValue(operator) ? [] : valuesOf(filter).map(String),
        at: `filters[${index}]`,
      })
    }
  }
  return split
}

/**
 * Converts a condition on date metadata to the stored form of dates.
 * @throws AppError for a string operator, or a value that is not a date
 */
export function toDateCondition(condition: SymbolCondition, timeZone: string): SymbolCondition {
  const { name, operator, values, at } = condition
  if (textOperators.has(operator)) throw wrongOperator(at, operator, name, 'date')
  const dayEnd = endsDay(operator)
  return {
    ...condition,
    values: values.map((value) => {
      const date = parseLocalDate(value, timeZone, dayEnd)
      if (date === undefined && value !== '') throw wrongValue(at, value, name, 'date')
      return date === undefined ? '' : isoLocal(date)
    }),
  }
}

/**
 * Converts a condition on a column for the engine.
 * @param type type of the column; undefined for one that does not exist, which counts as empty
 * @throws AppError for a value or operator that does not fit the type
 */
export function toValueFilter(
  { filter, at }: ColumnCondition,
  type: ValueType | undefined,
  timeZone: string,
): ValueFilter {
  const { name: column, operator } = filter
  const isEmptyText = filter.value === ''
  if (operator === 'IS_EMPTY' || (operator === 'EQUALS' && isEmptyText))
    return { column, operator: 'isEmpty' }
  if (operator === 'IS_NOT_EMPTY' || (operator === 'NOT_EQUALS' && isEmptyText))
    return { column, operator: 'isNotEmpty' }
  if (textOperators.has(operator) && type !== undefined && type !== 'string')
    throw wrongOperator(at, operator, column, type)
  const dayEnd = endsDay(operator)
  const values = valuesOf(filter).map((value) => {
    const typed = typedValue(value, type, timeZone, dayEnd)
    if (typed !== undefined) return typed
    throw wrongValue(at, value, column, type)
  })
  return { column, operator: engineOperators[operator], value: operator === 'IN' ? values : values[0]! }
}

/** Returns whether a date without a time means the end of the day. */
function endsDay(operator: FilterOperator): boolean {
  return operator === 'LESS_OR_EQUAL' || operator === 'GREATER'
}

function wrongOperator(at: string, operator: string, column: string, type: ValueType): AppError {
  const message = `${operator} applies to text columns; ${column} holds ${type === 'date' ? 'dates' : 'numbers'}.`
  return invalidInput([{ field: `${at}.operator`, message }])
}

function wrongValue(
  at: string,
  value: string | number | boolean,
  column: string,
  type: ValueType | undefined,
): AppError {
  const wanted =
    type === 'date' ? 'a date such as 2024-01-31 or 2024-01-31T16:00:00' : 'a number such as 12.5'
  const message = `“${value}” does not fit the column ${column}. Write ${wanted}.`
  return invalidInput([{ field: `${at}.value`, message }])
}

const textOperators: ReadonlySet<FilterOperator> = new Set(['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'])

const engineOperators = {
  EQUALS: 'equals',
  NOT_EQUALS: 'notEquals',
  LESS: 'less',
  LESS_OR_EQUAL: 'lessOrEqual',
  GREATER: 'greater',
  GREATER_OR_EQUAL: 'greaterOrEqual',
  CONTAINS: 'contains',
  STARTS_WITH: 'startsWith',
  ENDS_WITH: 'endsWith',
  IN: 'in',
} as const

/** Returns the values of a condition; with IN, a string can contain several, separated by commas. */
function valuesOf({ operator, value }: DataFilter): (string | number | boolean)[] {
  if (Array.isArray(value)) return value
  if (operator === 'IN' && typeof value === 'string') return value.split(',').map((part) => part.trim())
  return [value ?? '']
}

/** Converts a value to the type of a column; undefined if it does not fit. */
function typedValue(
  value: string | number | boolean,
  type: ValueType | undefined,
  timeZone: string,
  dayEnd: boolean,
): string | number | undefined {
  if (type === undefined || type === 'string') return String(value)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return undefined
  if (type === 'date') return parseLocalDate(value, timeZone, dayEnd)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : undefined
}
