import { expect, test } from 'vitest'
import { taskParam } from '../contract/index.ts'
import { knownInputs } from './known-inputs.ts'

test('inputs are known before the run unless they have a reference or an expression; empty values count only if they are set', () => {
  const param = (name: string, given: object) => taskParam.parse({ name, type: 'INPUT', ...given })
  const params = [
    param('given', { value: 'a' }),
    param('default', { defaultValue: 'b' }),
    param('reference', { value: '${0b6f0e3c-2f5a-4f0e-9d6b-6f1a0c7e2b11}' }),
    param('expression', { value: '1 + 1', mode: 'expression' }),
    param('empty', {}),
    param('output', { type: 'OUTPUT', value: 'c' }),
  ]
  expect(knownInputs(params)).toEqual({ given: 'a', default: 'b' })
  expect(knownInputs(params, ({ name }) => name === 'empty')).toEqual({ given: 'a', default: 'b', empty: '' })
})
