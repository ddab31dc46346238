import { expect, test } from 'vitest'
import { limitChoices, type ChoiceLimit } from './choice-limit.ts'

const complete = { isSearched: false, isLoading: false }

function choices(count: number) {
  return Array.from({ length: count }, (_, index) => ({ value: `${index}`, label: `Hub ${index}` }))
}

function listed(count: number, search: string, limit: ChoiceLimit): string[] {
  const options = limitChoices(limit)({ options: choices(count), search, limit: Infinity })
  return options.map((option) => ('label' in option ? option.label : ''))
}

test('an incomplete list ends with the number of its choices, and typing finds the others', () => {
  const all = listed(1340, '', complete)
  expect(all).toHaveLength(201)
  expect(all.at(-1)).toBe('First 200 of 1,340. Type to search.')
  expect(listed(1340, 'hub 1339', complete)).toEqual(['Hub 1339'])
  expect(listed(1340, 'hub 1', complete).at(-1)).toBe('First 200 of 451. Type to search.')
})

test('a complete list has no note', () => {
  expect(listed(205, '', complete)).toHaveLength(205)
  expect(listed(3, '', { ...complete, total: 3 })).toEqual(['Hub 0', 'Hub 1', 'Hub 2'])
  expect(listed(0, '', { ...complete, total: 5 })).toEqual([])
})

test('a list from the server states the number of matches, except while a search is in progress', () => {
  const searched = { isSearched: true, isLoading: false, total: 22_683 }
  expect(listed(50, 'not in a label', searched).at(-1)).toBe('First 50 of 22,683. Type to search.')
  expect(listed(50, '', { ...searched, isLoading: true })).toHaveLength(50)
  expect(listed(50, 'hub 49', { ...searched, isLoading: true })).toEqual(['Hub 49'])
})

test('if the server has not counted all matches, the list states the counted number as a minimum', () => {
  const counted = { isSearched: true, isLoading: false, total: 1001, totalIsAtLeast: true }
  expect(listed(50, '', counted).at(-1)).toBe('First 50 of at least 1,001. Type to search.')
  // The field filters its own choices, all of which it has.
  const own = listed(1340, 'hub 1', { ...complete, totalIsAtLeast: true })
  expect(own.at(-1)).toBe('First 200 of 451. Type to search.')
})
