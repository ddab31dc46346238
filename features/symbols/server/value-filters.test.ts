import { expect, test } from 'vitest'
import type { ValueType } from '@headwater/timeseries'
import { dataQuery, type DataQueryInput } from '../contract/index.ts'
import { splitFilters, toValueFilter } from './value-filters.ts'

type Given = NonNullable<DataQueryInput['filters']>[number]

function filterOf(given: Given, type: ValueType | undefined = 'double') {
  const [condition] = splitFilters(dataQuery.parse({ filters: [given] }).filters).columns
  return toValueFilter(condition!, type, 'Europe/Berlin')
}

test('IN-336 filters on symbols. and metadata. select symbols, others select points', () => {
  const { filters } = dataQuery.parse({
    filters: [
      { name: 'Close', operator: '>', value: 5 },
      { name: 'symbols.Code', operator: 'in', value: 'A, B' },
      { name: 'Metadata.Unit', operator: 'is empty' },
    ],
  })
  expect(splitFilters(filters)).toMatchObject({
    columns: [{ filter: { name: 'Close' }, at: 'filters[0]' }],
    symbols: [
      { kind: 'symbol', name: 'code', operator: 'IN', values: ['A', 'B'] },
      { kind: 'metadata', name: 'unit', operator: 'IS_EMPTY', values: [] },
    ],
  })
})

test.each([
  ['=', 'equals'],
  ['!=', 'notEquals'],
  ['<', 'less'],
  ['<=', 'lessOrEqual'],
  ['>', 'greater'],
  ['>=', 'greaterOrEqual'],
  ['not equals', 'notEquals'],
  ['Greater-or-equal', 'greaterOrEqual'],
  [undefined, 'equals'],
])('IN-336 the operator %s means %s; text is read as a number for a column of numbers', (operator, meant) => {
  expect(filterOf({ name: 'Close', operator, value: '2.5' })).toEqual({
    column: 'Close',
    operator: meant,
    value: 2.5,
  })
})

test('IN-336 values are read as the type of their column, dates in the time zone of the query', () => {
  const date = (operator: string, value: string) => filterOf({ name: 'Due', operator, value }, 'date').value
  expect(date('<', '2024-07-01')).toBe(Date.parse('2024-06-30T22:00:00Z'))
  expect(date('<=', '2024-07-01')).toBe(Date.parse('2024-07-01T21:59:59.999Z'))
  expect(filterOf({ name: 'Note', operator: 'contains', value: 5 }, 'string')).toEqual({
    column: 'Note',
    operator: 'contains',
    value: '5',
  })
  expect(filterOf({ name: 'Close', operator: 'in', value: ['1', 2] })).toEqual({
    column: 'Close',
    operator: 'in',
    value: [1, 2],
  })
  expect(filterOf({ name: 'Close', operator: '=', value: '' })).toEqual({
    column: 'Close',
    operator: 'isEmpty',
  })
  expect(filterOf({ name: 'Close', operator: '!=', value: '' })).toEqual({
    column: 'Close',
    operator: 'isNotEmpty',
  })
})

test.each([
  [{ name: 'Close', value: 'high' }, 'filters[0].value'],
  [{ name: 'Close', operator: 'contains', value: '5' }, 'filters[0].operator'],
])('%j does not fit a column of numbers', (given, field) => {
  expect(() => filterOf(given)).toThrow(
    expect.objectContaining({ status: 400, validationErrors: [expect.objectContaining({ field })] }),
  )
})

test.each([
  [{ filters: [{ name: 'A', operator: 'LIKE', value: 1 }] }, 'filters.0.operator'],
  [{ filters: [{ name: 'A', operator: '<' }] }, 'filters.0.value'],
  [{ filters: [{ name: 'A', operator: '<', value: [1] }] }, 'filters.0.value'],
  [{ filters: [{ operator: '<', value: 1 }] }, 'filters.0.name'],
  [{ filters: Array.from({ length: 101 }, () => ({ name: 'A', value: 1 })) }, 'filters'],
])('rejects %j with the name of the field', (body, field) => {
  expect(dataQuery.safeParse(body).error!.issues[0]!.path.join('.')).toBe(field)
})

test('IN-336 “greater than a day” means after its end; “greater than or equal to a day” means from its start', () => {
  const date = (operator: string) => filterOf({ name: 'Due', operator, value: '2024-07-01' }, 'date').value
  expect(date('>')).toBe(Date.parse('2024-07-01T21:59:59.999Z'))
  expect(date('>=')).toBe(Date.parse('2024-06-30T22:00:00Z'))
})
