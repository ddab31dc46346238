import { describe, expect, test } from 'vitest'
import type { ValueType } from '../../contract/index.ts'
import { visibleParams, type ConditionedParam } from './conditions.ts'
import { findOperator } from './operators.ts'

/** Returns whether a parameter with a condition on a parameter with this value is visible. */
function isVisible(actual: string, operator: string, value = '', valueType: ValueType = 'TEXT'): boolean {
  const params: ConditionedParam[] = [
    { name: 'Mode', value: actual, defaultValue: '', valueType },
    { name: 'Detail', value: '', defaultValue: '', condition: { paramName: 'Mode', operator, value } },
  ]
  return visibleParams(params).has('Detail')
}

describe('DP-410 equals and not equals', () => {
  test.each([
    ['csv', 'equals', 'csv', true],
    ['csv', 'equals', 'json', false],
    ['1.0', 'equals', '1', true],
    ['', 'equals', '', true],
    ['', 'equals', '0', false],
    ['csv', 'not equals', 'json', true],
    ['csv', 'not equals', 'csv', false],
    ['', 'not equals', 'csv', true],
  ])('“%s” %s “%s” is %s', (actual, operator, value, expected) => {
    expect(isVisible(actual, operator, value)).toBe(expected)
  })
})

describe('DP-411 greater, less, less or equal, greater or equal', () => {
  test.each([
    ['10', ['>', '>='], '9'],
    ['9', ['<', '<='], '10'],
    ['-0.5', ['<', '<='], '1e2'],
    ['9', ['>=', '<='], '9.0'],
    ['2026-02-01', ['>', '>='], '2026-01-31'],
    ['apple', ['<', '<='], 'Pear'],
    ['', [], '5'],
    ['5', [], ''],
  ])('“%s” satisfies exactly the comparisons %s with “%s”', (actual, expected, value) => {
    const held = ['>', '<', '<=', '>='].filter((operator) => isVisible(actual, operator, value))
    expect(held).toEqual(
      ['>', '<', '<=', '>='].filter((operator) => (expected as string[]).includes(operator)),
    )
  })
})

describe('DP-412 not null and is null', () => {
  test.each([
    ['a', true],
    ['0', true],
    ['false', true],
    ['', false],
    ['  ', false],
  ])('“%s” is not null: %s, and is null otherwise', (actual, expected) => {
    expect(isVisible(actual, 'not null')).toBe(expected)
    expect(isVisible(actual, 'is null')).toBe(!expected)
  })
})

describe('DP-413 one of a comma-separated list', () => {
  test.each([
    ['json', 'csv, json ,xml', true],
    ['XML', 'csv,json,xml', true],
    ['2', '1,2.0', true],
    ['js', 'csv,json', false],
    ['', 'csv,,json', false],
    ['csv,json', 'csv,json', false],
  ])('“%s” is one of “%s”: %s', (actual, list, expected) => {
    expect(isVisible(actual, 'one of', list)).toBe(expected)
  })
})

describe('DP-414 includes and not includes', () => {
  test.each([
    ['prices of brent', 'Brent', 'TEXT', true],
    ['prices', 'brent', 'TEXT', false],
    ['', 'brent', 'TEXT', false],
    ['["Brent","WTI"]', 'wti', 'LIST', true],
    ['Brent, WTI', 'wti', 'LIST', true],
    ['["Brent","WTI"]', 'bren', 'LIST', false],
  ] as const)('“%s” includes “%s” as %s: %s, and does not include it otherwise', (...row) => {
    const [actual, value, valueType, expected] = row
    expect(isVisible(actual, 'includes', value, valueType)).toBe(expected)
    expect(isVisible(actual, 'not includes', value, valueType)).toBe(!expected)
  })
})

describe('DP-415 every operator is accepted in many spellings', () => {
  test.each([
    ['equals', ['=', '==', '===', 'EQ', 'is', 'Equal to', 'equals', 'is_equal_to']],
    ['notEquals', ['!=', '!==', '<>', 'ne', 'NOT_EQUALS', 'notEquals', 'is not', 'not-equal']],
    ['greater', ['>', 'gt', 'GREATER', 'greater than', 'greaterThan', 'above']],
    ['greaterOrEqual', ['>=', '≥', 'gte', 'ge', 'GREATER_OR_EQUAL', 'greater than or equal to', 'at least']],
    ['less', ['<', 'lt', 'LESS', 'less than', 'lessThan', 'below']],
    ['lessOrEqual', ['<=', '≤', 'lte', 'le', 'LESS_OR_EQUAL', 'less than or equal to', 'at most']],
    ['notNull', ['not null', 'NOT_NULL', 'notNull', 'is not null', 'not empty', 'exists']],
    ['isNull', ['is null', 'IS_NULL', 'isNull', 'null', 'empty', 'is empty']],
    ['oneOf', ['one of', 'ONE_OF', 'oneOf', 'in', 'any of', 'is one of']],
    ['includes', ['includes', 'INCLUDES', 'contains', 'has', 'include']],
    ['notIncludes', ['not includes', 'NOT_INCLUDES', '!includes', '!contains', 'does not include']],
  ])('%s', (operator, texts) => {
    expect(texts.map(findOperator)).toEqual(texts.map(() => operator))
  })

  test('other strings are not operators, and their conditions are never met', () => {
    expect(['', 'equalish', 'constructor', '__proto__', '>>'].map(findOperator)).toEqual(
      Array.from({ length: 5 }),
    )
    expect(isVisible('a', 'equalish', 'a')).toBe(false)
  })
})

describe('DP-417 comparisons ignore case', () => {
  test.each([
    ['ON', 'equals', 'on', true],
    ['on', 'not equals', 'ON', false],
    ['B', 'greater', 'a', true],
    ['a', 'less', 'B', true],
    ['ON', 'one of', 'off,on', true],
    ['SWITCHED ON', 'includes', 'on', true],
    ['switched on', 'not includes', 'ON', false],
  ])('“%s” %s “%s” ignores case: %s', (actual, operator, value, expected) => {
    expect(isVisible(actual, operator, value)).toBe(expected)
  })
})

const conditioned = (name: string, paramName: string, operator = 'equals', value = 'on') => ({
  name,
  value: 'on',
  defaultValue: '',
  condition: { paramName, operator, value },
})

test('DP-418 a parameter is hidden if the parameter in its condition is missing', () => {
  for (const operator of ['equals', 'not equals', 'is null', 'not includes', '<', 'one of'])
    expect([...visibleParams([conditioned('Detail', 'Mode', operator, 'x')])]).toEqual([])
  const mode = { name: 'Mode', value: 'on', defaultValue: '' }
  expect([...visibleParams([mode, conditioned('Detail', 'Mode')])]).toEqual(['Mode', 'Detail'])
})

test('a hidden parameter hides the parameters that depend on it, and parameters in a cycle are hidden', () => {
  const off = { name: 'Mode', value: 'off', defaultValue: '' }
  expect([...visibleParams([off, conditioned('A', 'Mode'), conditioned('B', 'A')])]).toEqual(['Mode'])
  expect([...visibleParams([conditioned('A', 'B'), conditioned('B', 'A'), conditioned('C', 'C')])]).toEqual(
    [],
  )
})

test('an empty value counts as its default, and an unknown value shows the parameters that depend on it', () => {
  const mode = { name: 'Mode', value: '', defaultValue: 'on' }
  expect(visibleParams([mode, conditioned('A', 'Mode')]).has('A')).toBe(true)
  const linked = { name: 'Mode', value: '', defaultValue: '', isUnknown: true }
  expect(visibleParams([linked, conditioned('A', 'Mode')]).has('A')).toBe(true)
})
