import { expect, test } from 'vitest'
import { emptyContent } from '@headwater/tile-data/contract'
import {
  basketOf,
  basketProblem,
  basketSymbols,
  itemProblem,
  moved,
  newItem,
  swapped,
  withAdded,
} from '@headwater/tile-data/core'

const item = (Code: string, ...valueColumnNames: string[]) =>
  newItem({ groupName: 'G', symbols: { Code }, valueColumnNames })
const codes = (items: readonly { symbols: Record<string, string> }[]) =>
  items.map(({ symbols }) => symbols.Code)

test('IN-285 IN-286 IN-287 an item stores all its fields; a star makes it a pattern', () => {
  const direct = {
    groupName: 'G',
    symbols: { Code: 'B' },
    metadata: {},
    valueColumnNames: ['x'],
    type: 'SYMBOL',
    pattern: false,
    query: '',
    patternExactMatch: false,
    symbolValuesExactMatch: false,
    source: '',
    previewAccess: false,
  }
  expect(item('B', 'x')).toEqual(direct)
  expect(item('B*', 'x')).toEqual({ ...direct, symbols: { Code: 'B*' }, type: 'PATTERN', pattern: true })
  const patterns = {
    items: [{ ...item('B*', 'x'), patternExactMatch: true }],
    settings: basketOf(emptyContent()).settings,
  }
  expect(basketSymbols(patterns)).toEqual([
    {
      groupName: 'G',
      symbols: { Code: 'B*' },
      valueColumnNames: ['x'],
      pattern: true,
      patternExactMatch: true,
      symbolValuesExactMatch: false,
    },
  ])
})

test('the readable parts of a damaged stored basket are used', () => {
  const basket = {
    items: [{ groupName: 'G', symbols: { Code: 'B' } }, { symbols: {} }, null],
    settings: { range: 'ALL' },
  }
  expect(basketOf({ ...emptyContent(), basket })).toMatchObject({
    items: [{ groupName: 'G', previewAccess: false }],
    settings: { range: 'ALL', lastTypeAmount: 500 },
  })
  for (const odd of [undefined, null, 7, [], { items: 'x', settings: 3 }])
    expect(basketOf({ ...emptyContent(), basket: odd }).items).toEqual([])
})

test('IN-289 added columns extend the item of their symbol; a new symbol is added last', () => {
  const items = withAdded([item('A', 'x'), item('B', 'x')], [item('A', 'y'), item('C', 'x')])
  expect(codes(items)).toEqual(['A', 'B', 'C'])
  expect(items[0]!.valueColumnNames).toEqual(['x', 'y'])
  expect(withAdded([item('A')], [item('A', 'y')])[0]!.valueColumnNames).toEqual([])
})

test('IN-288 columns cannot be added to a read-only item', () => {
  const locked = { ...item('A', 'x'), previewAccess: true }
  expect(withAdded([locked], [item('A', 'y')])).toEqual([locked, item('A', 'y')])
})

test('IN-289 items can be reordered, and their symbol can be replaced', () => {
  const items = [item('A', 'x'), item('B', 'x')]
  expect(codes(moved(items, 0, 1))).toEqual(['B', 'A'])
  expect(moved(items, 0, -1)).toBe(items)
  const next = swapped(items, 1, { groupName: 'H', symbols: { Code: 'C' } })
  expect(next[1]).toMatchObject({ groupName: 'H', symbols: { Code: 'C' }, valueColumnNames: ['x'] })
})

test('IN-291 a pattern with all columns is rejected', () => {
  const message = 'Pattern symbols with all columns selected are not supported.'
  expect(itemProblem(item('B*'))).toBe(message)
  expect(itemProblem(item('B*', '*'))).toBe(message)
  expect(itemProblem(item('B*', 'x'))).toBeUndefined()
  expect(itemProblem(item('B'))).toBeUndefined()
})

test('a basket whose range ends before it begins, or with a pattern of all columns, cannot be applied', () => {
  const between = (from: string, to: string) =>
    basketOf({ ...emptyContent(), basket: { items: [], settings: { range: 'BETWEEN', from, to } } })
  expect(basketProblem(between('2005-01-01', '2009-01-01'))).toBeUndefined()
  expect(basketProblem(between('2009-01-01', ''))).toBeUndefined()
  expect(basketProblem(between('2009-01-01', '2005-01-01'))).toBe(
    'The range of the basket ends before it begins. Correct its dates under SETTINGS.',
  )
  const pattern = { ...between('', ''), items: [item('B*')] }
  expect(basketProblem(pattern)).toBe('Pattern symbols with all columns selected are not supported.')
})
