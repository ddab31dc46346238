import { expect, test } from 'vitest'
import { dependentsText } from './usage-text.ts'

const pipeline = (name: string) => ({ kind: 'pipeline' as const, name })

test('a dialog that deletes an object lists what uses it, and only counts what the user cannot read', () => {
  const insight = { kind: 'insight' as const, name: 'Oil' }
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0 })).toBe('Nothing else uses it.')
  expect(dependentsText({ entries: [pipeline('A')], totalSize: 1, hidden: 0 })).toBe(
    '1 pipeline uses it and will stop working: “A”.',
  )
  expect(dependentsText({ entries: [pipeline('A'), pipeline('B'), insight], totalSize: 3, hidden: 2 })).toBe(
    '2 pipelines and 1 insight use it and will stop working: “A”, “B” and “Oil”. 2 objects that you cannot read use it, too.',
  )
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 1 })).toBe(
    '1 object that you cannot read uses it and will stop working.',
  )
})

test('a dialog that deletes a file with series states that whatever uses the series loses values', () => {
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0, withSeries: true })).toBe(
    'Nothing uses the file itself. Insights, data preps and formulas with its series lose the deleted values.',
  )
  expect(dependentsText({ entries: [pipeline('A')], totalSize: 1, hidden: 0, withSeries: true })).toBe(
    '1 pipeline uses it and will stop working: “A”. Insights, data preps and formulas with its series lose the deleted values.',
  )
})

test('at most five names are listed, with the number of the others', () => {
  const entries = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(pipeline)
  expect(dependentsText({ entries, totalSize: 7, hidden: 0 })).toBe(
    '7 pipelines use it and will stop working: “A”, “B”, “C”, “D”, “E” and 2 others.',
  )
  expect(dependentsText({ entries, totalSize: 1500, hidden: 0 })).toBe(
    '1,500 objects use it and will stop working: “A”, “B”, “C”, “D”, “E” and 1,495 others.',
  )
})
