import { expect, test } from 'vitest'
import { isRecord } from './record.ts'

test('objects are records; arrays, null and other values are not', () => {
  expect([{}, { a: 1 }].every(isRecord)).toBe(true)
  expect([null, undefined, [], 'text', 1, true].some(isRecord)).toBe(false)
})
