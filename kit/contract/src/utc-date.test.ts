import { expect, test } from 'vitest'
import { isCalendarDate, utcDate } from './utc-date.ts'

test('returns the UTC date of Date objects and of epoch milliseconds', () => {
  expect(utcDate(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31')
  expect(utcDate(Date.UTC(2024, 1, 29))).toBe('2024-02-29')
  expect(() => utcDate(Number.NaN)).toThrow(RangeError)
})

test('accepts only existing calendar dates with four, two and two digits', () => {
  for (const date of ['2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31'])
    expect([date, isCalendarDate(date)]).toEqual([date, true])
  for (const text of [
    '2026-02-29',
    '2026-02-31',
    '2026-13-01',
    '2026-00-10',
    '2026-1-31',
    '2026-01-31T00:00',
    ' 2026-01-31',
    '',
  ])
    expect([text, isCalendarDate(text)]).toEqual([text, false])
})
