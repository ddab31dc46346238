import { expect, test } from 'vitest'
import { findSeparator } from './separator.ts'

test.each([
  ['a,b;c,d\n', ','],
  ['a;b\n1,5;2,5;3,5\n', ';'],
  ['a\tb\r\n', '\t'],
  ['a|b\r', '|'],
  ['"a, b, c";d\n', ';'],
  ['\n \na;b\n', ';'],
  ['one\n', ','],
])('of %j it is %j', (text, separator) => {
  expect(findSeparator(text, false)).toBe(separator)
})

test('is unknown until the first line with text has ended, or the whole text is there', () => {
  expect(findSeparator('a;b', false)).toBeUndefined()
  expect(findSeparator('"a\n', false)).toBeUndefined()
  expect(findSeparator('\n\n', false)).toBeUndefined()
  expect(findSeparator('a;b', true)).toBe(';')
  expect(findSeparator('', true)).toBe(',')
})
