import { expect, test } from 'vitest'
import { utcDate } from './utc-date.ts'

test('returns the UTC date of Date objects and of epoch milliseconds', () => {
  expect(utcDate(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31')
  expect(utcDate(Date.UTC(2024, 1, 29))).toBe('2024-02-29')
  expect(() => utcDate(Number.NaN)).toThrow(RangeError)
})
