import { expect, test } from 'vitest'
import { beginningOf, linesIn } from './text.ts'

test('truncates a text at the limit without splitting a character', () => {
  expect(beginningOf('abc', 3)).toBe('abc')
  expect(beginningOf('abc', 2)).toBe('ab')
  expect(beginningOf('ab😀', 4)).toBe('ab😀')
  expect(beginningOf('ab😀', 3)).toBe('ab')
})

test('returns trimmed lines and omits empty ones', () => {
  expect(linesIn(' a \r\n\n  \nb')).toEqual(['a', 'b'])
})
