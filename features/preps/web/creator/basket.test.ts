import { expect, test } from 'vitest'
import { newDataPrepSymbol } from '../../contract/index.ts'
import {
  basketOf,
  entryOfPattern,
  entryProblem,
  fillText,
  groupColumnWidth,
  movedBy,
  namedSymbols,
  offsetText,
  symbolSignature,
  toBasketEntry,
  withRestored,
  withoutSymbols,
} from './basket.ts'

const entry = (code: string, more = {}) =>
  newDataPrepSymbol({ groupName: 'g', symbols: { Code: code }, ...more })
const basket = ['A', 'B', 'C', 'D'].map((code) => toBasketEntry(entry(code)))
const codes = (items: readonly { entry: { symbols: object } }[]) =>
  items.map((item) => Object.values(item.entry.symbols).join()).join('')
const keysOf = (...positions: number[]) => new Set(positions.map((position) => basket[position]!.key))

test('DP-332 the group-name column is 8 px wide per character plus 38, but at least 106', () => {
  expect(groupColumnWidth([])).toBe(106)
  expect(groupColumnWidth(['12345678'])).toBe(106)
  expect(groupColumnWidth(['123456789'])).toBe(110)
  expect(groupColumnWidth(['a', 'a group with a name of 32 letters'])).toBe(302)
})

test.each([
  [[1], -1, 'BACD'],
  [[0], -1, 'ABCD'],
  [[0], 1, 'BACD'],
  [[3], 1, 'ABCD'],
  [[0, 2], 1, 'BACD'],
  [[1, 3], -Infinity, 'BDAC'],
  [[0], Infinity, 'BCDA'],
])('moves the entries %j by %i', (positions, by, expected) => {
  expect(codes(movedBy(basket, keysOf(...positions), by))).toBe(expected)
})

test('restores removed entries to their positions, once', () => {
  const removed = keysOf(1, 3)
  const rest = basket.filter(({ key }) => !removed.has(key))
  const back = withRestored(rest, basket, removed)
  expect(codes(back)).toBe('ABCD')
  expect(withRestored(back, basket, removed)).toEqual(back)
})

test('identifies a symbol by group and values in any order; a pattern is not a symbol', () => {
  expect(symbolSignature('g', { a: '1', b: '2' })).toBe(symbolSignature('g', { b: '2', a: '1' }))
  const pattern = toBasketEntry(entryOfPattern('g', { Code: 'A' }, ['Close']))
  const signature = symbolSignature('g', { Code: 'A' })
  expect(namedSymbols([pattern]).has(signature)).toBe(false)
  expect(namedSymbols(basket).has(signature)).toBe(true)
  expect(codes(withoutSymbols([pattern, ...basket], new Set([signature])))).toBe('ABCD')
})

test('DP-354 a pattern with all columns is a problem of its entry', () => {
  expect(entryProblem(entryOfPattern('g', {}, []), null)).toBeDefined()
  expect(entryProblem(entryOfPattern('g', {}, ['*']), null)).toBeDefined()
  expect(entryProblem(entryOfPattern('g', {}, ['Cl*']), null)).toBeUndefined()
  expect(entryProblem(newDataPrepSymbol({}), null)).toBeDefined()
  expect(entryProblem(newDataPrepSymbol({}), 'g')).toBeUndefined()
})

test.each([
  ['DAYS', '2', '2 days'],
  ['WORKING_DAYS', '-1', '-1 working day'],
  ['DAYS', '1.5', '—'],
  ['DAYS', 'x', '—'],
  ['DAYS', null, '—'],
  [null, '2', '—'],
])('the offset %s %s is displayed as %s', (offsetType, offsetAmount, text) => {
  expect(offsetText(entry('A', { offsetType, offsetAmount }))).toBe(text)
})

test.each([
  ['AVERAGE', '', 'None'],
  ['AVERAGE', '3', 'Average of 3'],
  ['PREVIOUS', null, 'Previous'],
  [null, null, 'None'],
])('the fill type %s with “%s” is displayed as %s', (fillType, avgPointsAmount, text) => {
  expect(fillText(entry('A', { fillType, avgPointsAmount }))).toBe(text)
})

test('entries have the counts that the server returned', () => {
  const symbols = [entry('A'), entryOfPattern('g', {}, ['Close'])]
  const items = basketOf({ symbols, resolved: [{ index: 1, totalSize: 24, items: [] }] })
  expect(items.map(({ symbolCount }) => symbolCount)).toEqual([undefined, 24])
})
