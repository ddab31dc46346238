import { expect, test } from 'vitest'
import { dependentsText } from './usage-text.ts'

const pipeline = (name: string) => ({ kind: 'pipeline' as const, name })

test('a dialog that deletes an object lists the objects that use it, and only counts those that the user cannot read', () => {
  const insight = { kind: 'insight' as const, name: 'Oil' }
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0 })).toBe('Nothing else uses it.')
  expect(dependentsText({ entries: [pipeline('A')], totalSize: 1, hidden: 0 })).toBe(
    '1 pipeline uses it and will stop working: “A”.',
  )
  expect(dependentsText({ entries: [pipeline('A'), pipeline('B'), insight], totalSize: 3, hidden: 2 })).toBe(
    '2 pipelines and 1 insight use it and will stop working: “A”, “B” and “Oil”. 2 objects that you cannot read also use it.',
  )
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 1 })).toBe(
    '1 object that you cannot read uses it and will stop working.',
  )
})

test('a dialog that deletes a file with series lists the objects that use the file or its series', () => {
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0, withSeries: true })).toBe(
    'Nothing uses the file or its series by name. Objects that select its series by a pattern are not listed.',
  )
  expect(dependentsText({ entries: [pipeline('A')], totalSize: 1, hidden: 0, withSeries: true })).toBe(
    '1 pipeline uses the file or its series and will lose the deleted data: “A”. Objects that select its series by a pattern are not listed.',
  )
})

test('the sentences name several deleted files in the plural', () => {
  const several = { totalSize: 1, hidden: 1, isOne: false }
  expect(dependentsText({ entries: [pipeline('A')], ...several })).toBe(
    '1 pipeline uses them and will stop working: “A”. 1 object that you cannot read also uses them.',
  )
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0, isOne: false })).toBe(
    'Nothing else uses them.',
  )
  expect(dependentsText({ entries: [], totalSize: 0, hidden: 0, isOne: false, withSeries: true })).toBe(
    'Nothing uses the files or their series by name. Objects that select their series by a pattern are not listed.',
  )
})

test('lists at most five names, then the number of remaining ones', () => {
  const entries = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(pipeline)
  expect(dependentsText({ entries, totalSize: 7, hidden: 0 })).toBe(
    '7 pipelines use it and will stop working: “A”, “B”, “C”, “D”, “E” and 2 others.',
  )
  expect(dependentsText({ entries, totalSize: 1500, hidden: 0 })).toBe(
    '1,500 objects use it and will stop working: “A”, “B”, “C”, “D”, “E” and 1,495 others.',
  )
})
