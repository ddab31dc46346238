import { expect, test } from 'vitest'
import { emptyContent, type InsightContent } from '../../contract/index.ts'
import { lastGroupOf, seriesGroupsOf } from './last-group.ts'

const series = (groupName: string) => ({ groupName, symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] })

function insight(more: Partial<InsightContent>): InsightContent {
  const tiles = ['a', 'b', 'c'].map((id) => ({ id, title: id, type: 'Chart' }))
  return { ...emptyContent(), tiles, ...more }
}

test('the last group is that of the last series in the last tile with series, otherwise that of the basket', () => {
  const basket = { items: [series('Shared')], settings: {} }
  const datapreps = { a: { symbols: [series('Gas')] }, b: { symbols: [series('Gas'), series('Oil')] } }
  expect(lastGroupOf(insight({ datapreps, basket }))).toBe('Oil')
  expect(lastGroupOf(insight({ basket }))).toBe('Shared')
  expect(lastGroupOf(insight({}))).toBeUndefined()
})

test('the first group is that of the first series; the largest group has the most series, including the basket', () => {
  const basket = { items: [series('Oil')], settings: {} }
  const datapreps = { a: { symbols: [series('Gas')] }, b: { symbols: [series('Oil')] } }
  expect(seriesGroupsOf(insight({ datapreps }))).toEqual({ first: 'Gas', most: 'Gas' })
  expect(seriesGroupsOf(insight({ datapreps, basket }))).toEqual({ first: 'Gas', most: 'Oil' })
  expect(seriesGroupsOf(insight({}))).toEqual({ first: undefined, most: undefined })
})
