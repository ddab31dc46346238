import { expect, test } from 'vitest'
import { beginningOf, linesIn } from './text.ts'

test('cuts a text at the limit without splitting a character', () => {
  expect(beginningOf('abc', 3)).toBe('abc')
  expect(beginningOf('abc', 2)).toBe('ab')
  expect(beginningOf('ab😀', 4)).toBe('ab😀')
  expect(beginningOf('ab😀', 3)).toBe('ab')
})

test('returns lines without empty ones and without space around them', () => {
  expect(linesIn(' a \r\n\n  \nb')).toEqual(['a', 'b'])
})
