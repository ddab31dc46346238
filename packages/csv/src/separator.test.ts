import { expect, test } from 'vitest'
import { findSeparator } from './separator.ts'

test.each([
  ['a,b;c,d\n', ','],
  ['a;b\n1,5;2,5;3,5\n', ';'],
  ['a\tb\r\n', '\t'],
  ['a|b\r', '|'],
  ['"a, b, c";d\n', ';'],
  ['\n \na;b\n', ';'],
  ['Rohr 5";Preis\n1;2\n', ';'],
  ['a;"b,"",c\n,";d\n', ';'],
  ['one\n', ','],
])('detects the separator of %j as %j', (text, separator) => {
  expect(findSeparator(text, false)).toBe(separator)
})

test('returns undefined until the first non-empty line is complete, or the text is whole', () => {
  expect(findSeparator('a;b', false)).toBeUndefined()
  expect(findSeparator('"a\n', false)).toBeUndefined()
  expect(findSeparator('\n\n', false)).toBeUndefined()
  expect(findSeparator('a;b', true)).toBe(';')
  expect(findSeparator('', true)).toBe(',')
})
