import { expect, test } from 'vitest'
import { functionRules, parseExpression } from '@headwater/formula'
import {
  completeFormula,
  exampleWith,
  inputFaults,
  insertExpression,
  missingField,
  refusedInputs,
  suggestName,
  type InputDraft,
} from './formula-draft.ts'

function draft(name: string, changes: Partial<InputDraft> = {}): InputDraft {
  return { id: 1, name, groupName: 'Desk', symbol: { Code: 'A' }, column: 'Close', ...changes }
}

test('a formula is complete when every input is selected and the expression is valid', () => {
  const whole = { expression: 'a * 2', join: 'INNER', inputs: [draft('a')] } as const
  expect(completeFormula(whole)).toEqual({
    expression: 'a * 2',
    join: 'INNER',
    inputs: [{ name: 'a', groupName: 'Desk', symbols: { Code: 'A' }, column: 'Close' }],
  })
  expect(completeFormula({ ...whole, expression: 'a *' })).toBeUndefined()
  expect(completeFormula({ ...whole, inputs: [draft('a', { column: null })] })).toBeUndefined()
  expect(completeFormula({ ...whole, inputs: [] })).toBeUndefined()
  expect(completeFormula({ ...whole, inputs: [draft('a'), draft('A')] })).toBeUndefined()
})

test('validates each name of an input', () => {
  const faults = inputFaults([draft('a'), draft('A '), draft('2x'), draft(''), draft('größe_2')])
  expect([...faults.keys()]).toEqual([1, 2, 3])
})

test('suggests an unused name from the symbol', () => {
  expect(suggestName({ Code: 'BRENT', Period: 'D 1' }, [])).toBe('brent_d_1')
  expect(suggestName({ Code: 'BRENT' }, ['Brent', 'brent2'])).toBe('brent3')
  expect(suggestName({ Code: '1Y' }, [])).toBe('x1y')
  expect(suggestName({ Code: '€/$' }, [])).toBe('x')
  expect(suggestName({ Code: 'x'.repeat(90) }, [])).toHaveLength(30)
})

test('returns server errors by input and field', () => {
  const errors = { 'inputs[1].column': 'No.', expression: 'Hm.', 'inputs[0].symbols.Code': 'Who?' }
  expect([...refusedInputs(errors)]).toEqual([
    ['1.column', 'No.'],
    ['0.symbols', 'Who?'],
  ])
})

test('the first empty field of an input is reported, in the order in which the fields are filled in', () => {
  expect(missingField(draft('', { groupName: null, symbol: null, column: null }))).toBe('groupName')
  expect(missingField(draft('', { symbol: null, column: null }))).toBe('symbols')
  expect(missingField(draft('', { column: null }))).toBe('column')
  expect(missingField(draft(' '))).toBe('name')
  expect(missingField(draft('a'))).toBeUndefined()
})

test.each([
  ['', 0, 0, 'abs(x)', 'abs(x)'],
  ['brent - ', 8, 8, 'brent - abs(x)', 'brent - abs(x)'],
  ['brent', 5, 5, 'brent abs(x)', 'brent abs(x)'],
  ['2 * (wti)', 5, 8, '2 * (abs(x))', '2 * (abs(x)'],
  ['wti', 0, 0, 'abs(x) wti', 'abs(x)'],
])('an example inserted into %j from %i to %i gives %j', (text, from, to, expected, before) => {
  const inserted = insertExpression(text, 'abs(x)', { from, to })
  expect(inserted).toEqual({ text: expected, caret: before.length })
})

test('every example of a function is an expression of one input with any name', () => {
  for (const { example } of Object.values(functionRules))
    for (const name of ['x', 'exp', '_brent'])
      expect(parseExpression(exampleWith(example, name), [name]).fault, example).toBeUndefined()
  expect(exampleWith('exp(x / 100)', 'brent')).toBe('exp(brent / 100)')
  expect(exampleWith('x - lag(x, 1)')).toBe('x - lag(x, 1)')
})
