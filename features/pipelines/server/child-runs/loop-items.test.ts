import { expect, test } from 'vitest'
import { itemsOf, linesOfFile, problemOfLoop } from './loop-items.ts'

test('items can come from a list, lines of text, or a range of numbers or dates', () => {
  expect(itemsOf({ items: 'a, b,,c' })).toEqual(['a', 'b', 'c'])
  expect(itemsOf({ each: 'list', items: '["a, b", 2]' })).toEqual(['a, b', '2'])
  expect(itemsOf({ each: 'lines', items: 'a, b\r\n\n c \n' })).toEqual(['a, b', 'c'])
  expect(itemsOf({ each: 'range', from: '0', to: '0.3', step: '0.1' })).toEqual(['0', '0.1', '0.2', '0.3'])
  expect(itemsOf({ each: 'range', from: '3', to: '1', step: '-1' })).toEqual(['3', '2', '1'])
  expect(itemsOf({ each: 'range', from: '2026-02-27', to: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
})

test('a loop has at most 10,000 items of 10,000 characters and 2,000,000 characters in total, and 1 to 10 concurrent runs', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n')
  expect(itemsOf({ each: 'lines', items: lines(10_000) })).toHaveLength(10_000)
  expect(itemsOf({ each: 'lines', items: lines(10_001) })).toContain('at most 10,000 items')
  expect(itemsOf({ each: 'range', from: '1', to: '10000' })).toHaveLength(10_000)
  expect(problemOfLoop({ each: 'range', from: '1', to: '1e300' })).toContain('at most 10,000')
  expect(itemsOf({ items: 'x'.repeat(10_001) })).toContain('more than 10,000 characters')
  const large = Array.from({ length: 300 }, () => 'x'.repeat(9000)).join('\n')
  expect(itemsOf({ each: 'lines', items: large })).toContain('more than 2,000,000 characters in total')
  for (const parallel of ['0', '11', '1.5', 'many'])
    expect(problemOfLoop({ parallel })).toBe('`parallel` must be a whole number from 1 to 10.')
  expect(problemOfLoop({ parallel: '10', items: 'a' })).toBeUndefined()
  for (const range of [
    { from: 'a', to: '2' },
    { from: '', to: '2' },
    { from: '1', to: '2026-01-01' },
    { from: '2', to: '1' },
    { from: '1', to: '2', step: '0' },
    { from: '2026-01-01', to: '2026-01-03', step: '0.5' },
  ] as Record<string, string>[])
    expect(problemOfLoop({ each: 'range', ...range })).toEqual(expect.any(String))

  async function* file(...chunks: string[]) {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  expect(await linesOfFile(file('a\r', '\nb', 'c\n\nd'))).toEqual(['a', 'bc', 'd'])
  expect(await linesOfFile(file(lines(10_001)))).toContain('at most 10,000 items')
  expect(await linesOfFile(file(large, '\n', large))).toContain('more than 2,000,000 characters in total')
  expect(await linesOfFile(file('x'.repeat(20_000)))).toContain('more than 10,000 characters')
})

test('a file that arrives as one chunk with 500,000 lines has too many items', async () => {
  const chunks = (async function* () {
    yield Buffer.from('a\n'.repeat(500_000))
  })()
  expect(await linesOfFile(chunks)).toContain('at most 10,000 items')
})
