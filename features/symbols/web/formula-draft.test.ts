import { expect, test } from 'vitest'
import { completeFormula, inputFaults, refusedInputs, suggestName, type InputDraft } from './formula-draft.ts'

function draft(name: string, changes: Partial<InputDraft> = {}): InputDraft {
  return { id: 1, name, groupName: 'Desk', symbol: { Code: 'A' }, column: 'Close', ...changes }
}

test('a formula is complete when every input is chosen and the expression has a meaning', () => {
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

test('names of inputs are looked at one by one', () => {
  const faults = inputFaults([draft('a'), draft('A '), draft('2x'), draft(''), draft('größe_2')])
  expect([...faults.keys()]).toEqual([1, 2, 3])
})

test('a name is made of the symbol, and is free', () => {
  expect(suggestName({ Code: 'BRENT', Period: 'D 1' }, [])).toBe('brent_d_1')
  expect(suggestName({ Code: 'BRENT' }, ['Brent', 'brent2'])).toBe('brent3')
  expect(suggestName({ Code: '1Y' }, [])).toBe('x1y')
  expect(suggestName({ Code: '€/$' }, [])).toBe('x')
  expect(suggestName({ Code: 'x'.repeat(90) }, [])).toHaveLength(30)
})

test('what the server refused is found by input and field', () => {
  const errors = { 'inputs[1].column': 'No.', expression: 'Hm.', 'inputs[0].symbols.Code': 'Who?' }
  expect([...refusedInputs(errors)]).toEqual([
    ['1.column', 'No.'],
    ['0.symbols', 'Who?'],
  ])
})
