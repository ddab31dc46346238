import { expect, test } from 'vitest'
import { taskParam } from '../../contract/index.ts'
import type { TaskDraft } from './task-draft.ts'
import { parseSample, sampleTextOf } from './sample.ts'

const params = [
  { name: 'Script', valueType: 'SCRIPT', value: 'print(1)' },
  { name: 'Text', value: '1' },
  { name: 'Count', valueType: 'NUMBER', defaultValue: '2.5' },
  { name: 'Flag', valueType: 'BOOLEAN', value: 'True' },
  { name: 'List', valueType: 'LIST', value: '["a", "b"]' },
  { name: 'Codes', valueType: 'LIST', value: 'a, b' },
  { name: 'Before', value: '${11111111-1111-4111-8111-111111111111}' },
  { name: 'Formula', mode: 'expression', value: '1 + 1' },
  { name: 'Output', type: 'OUTPUT' },
].map((param) => taskParam.parse(param))

const draft = { kindParams: params.slice(0, 1), ownParams: params.slice(1) } as unknown as TaskDraft

test('a sample contains the input values by type, and null where a run provides them', () => {
  expect(JSON.parse(sampleTextOf(draft))).toEqual({
    Text: '1',
    Count: 2.5,
    Flag: true,
    List: ['a', 'b'],
    Codes: 'a, b',
    Before: null,
    Formula: null,
  })
  expect(JSON.parse(sampleTextOf(draft, { Before: 'of the run', Count: '7' }))).toMatchObject({
    Text: '1',
    Count: 7,
    Before: 'of the run',
  })
})

test('a sample must be a JSON object of limited length', () => {
  expect(parseSample(' ')).toEqual({})
  expect(parseSample('{"Text": 1}')).toEqual({ Text: 1 })
  expect(parseSample('[1]')).toBe('Enter a JSON object with the input values by name.')
  expect(parseSample('{"Text": }')).toContain('The sample is not valid JSON: ')
  expect(parseSample(`"${'x'.repeat(1_000_000)}"`)).toBe(
    'The sample has 1,000,002 characters; at most 1,000,000 are allowed.',
  )
})
