import { expect, test } from 'vitest'
import { addDays, addMonths, isIsoDate, weeksOf } from './calendar.ts'

test.each([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-1-3', false],
  ['31.01.2026', false],
  ['', false],
])('%j parses to the date %j', (text, expected) => {
  expect(isIsoDate(text)).toBe(expected)
})

test('adds days and months across the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', -2)).toBe('2025-11-30')
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
})

test('a month has six weeks from Monday to Sunday', () => {
  const weeks = weeksOf('2026-02-14')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([
    '2026-01-26',
    '2026-01-27',
    '2026-01-28',
    '2026-01-29',
    '2026-01-30',
    '2026-01-31',
    '2026-02-01',
  ])
  expect(weeks[5]![6]).toBe('2026-03-08')
})
