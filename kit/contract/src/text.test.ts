import { expect, test } from 'vitest'
import { beginningOf } from './text.ts'

test('the beginning of a text is as long as it may be, and no character of it is cut in half', () => {
  expect(beginningOf('abc', 3)).toBe('abc')
  expect(beginningOf('abc', 2)).toBe('ab')
  expect(beginningOf('ab😀', 4)).toBe('ab😀')
  expect(beginningOf('ab😀', 3)).toBe('ab')
})
