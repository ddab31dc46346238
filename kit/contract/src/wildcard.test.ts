import { expect, test } from 'vitest'
import { wildcardMatcher } from './wildcard.ts'

test('a star matches any text, including empty text and line breaks; every other character matches itself', () => {
  const fits = (pattern: string, text: string) => wildcardMatcher(pattern)(text)
  expect(fits('brent', 'Brent')).toBe(true)
  expect(fits('b*t', 'Brent')).toBe(true)
  expect(fits('*', '')).toBe(true)
  expect(fits('a*b', 'a\nb')).toBe(true)
  expect(fits('a.b', 'axb')).toBe(false)
  expect(fits('ab*ba', 'aba')).toBe(false)
  expect(fits('*a*b*', 'xbxa')).toBe(false)
  expect(fits('**a**', 'bab')).toBe(true)
  expect(wildcardMatcher('b*t', { matchCase: true })('Brent')).toBe(false)
  expect(wildcardMatcher('B*t', { matchCase: true })('Brent')).toBe(true)
})

test('matches a pattern with many stars in linear time against a text that almost matches', () => {
  const isFitting = wildcardMatcher(`${'*a'.repeat(250)}*b`)
  expect(isFitting('a'.repeat(5000))).toBe(false)
})
