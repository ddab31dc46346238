import { expect, test } from 'vitest'
import { changedFields, draftOf } from './metadata-draft.ts'

const stored = { Desk: 'oil', Tags: ['a', 'b'], Region: 'North' }

test('only edited, new and removed metadata is sent', () => {
  const draft = draftOf(stored)
  expect(draft).toEqual([
    { name: 'Desk', value: 'oil' },
    { name: 'Tags', value: 'a, b' },
    { name: 'Region', value: 'North' },
  ])
  expect(changedFields(stored, draft)).toEqual([])
  const edited = [
    { name: 'Desk', value: 'gas' },
    { name: 'Tags', value: 'a, b' },
    { name: 'Unit', value: 't' },
    { name: ' ', value: 'without a name' },
  ]
  expect(changedFields(stored, edited)).toEqual([
    { name: 'Desk', value: 'gas' },
    { name: 'Unit', value: 't' },
    { name: 'Region', value: '' },
  ])
})

test('a name that appears twice is sent, so that the server reports it', () => {
  const twice = [...draftOf(stored), { name: 'Desk', value: 'oil' }]
  expect(changedFields(stored, twice)).toEqual([
    { name: 'Desk', value: 'oil' },
    { name: 'Desk', value: 'oil' },
  ])
})
