import { expect, test } from 'vitest'
import { sharedDecimals, formatTimestamp, hasTimeOfDay } from './table-cells.ts'

test.each([
  ['2026-01-31T00:00:00', '2026-01-31', '2026-01-31 00:00:00'],
  ['2026-01-31T07:30:00', '2026-01-31 07:30:00', '2026-01-31 07:30:00'],
  ['2026-01-31T00:00:00.000', '2026-01-31', '2026-01-31 00:00:00.000'],
  ['31.01.2026', '31.01.2026', '31.01.2026'],
  ['BRENT', 'BRENT', 'BRENT'],
  ['', '', ''],
])('formats the timestamp %j as %j, and as %j in a column with times', (text, alone, withTimes) => {
  expect(formatTimestamp(text)).toBe(alone)
  expect(formatTimestamp(text, { keepsMidnight: true })).toBe(withTimes)
})

test('a time of day is any time except midnight', () => {
  expect(['2026-01-31T00:00:00', '2026-01-31T00:00:01', '2026-01-31', 'x'].map(hasTimeOfDay)).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test.each([
  [[1, 2.5, 3.25], 6, 2],
  [[0.1 + 0.2], 6, 1],
  [[1 / 3], 6, 6],
  [[null, 'x', undefined], 6, 0],
  [[1e-9], 6, 0],
])('%j with at most %i decimals are displayed with %i', (values, most, decimals) => {
  expect(sharedDecimals(values, most)).toBe(decimals)
})
