import { expect, test } from 'vitest'
import { rangeText } from './range-text.ts'

const given = { lastType: 'VALUES', lastTypeAmount: 500, dateFrom: null, dateTo: null } as const

test.each([
  [{ range: 'ALL' }, 'All'],
  [{ range: 'LAST' }, 'Last 500 values'],
  [{ range: 'NEXT', lastType: 'WORKING_DAYS', lastTypeAmount: 1 }, 'Next 1 working day'],
  [{ range: 'BETWEEN', dateFrom: '2024-01-31T00:00:00', dateTo: '2024-02-29' }, '2024-01-31 to 2024-02-29'],
  [{ range: 'BETWEEN', dateFrom: '2024-01-31' }, 'From 2024-01-31'],
  [{ range: 'BETWEEN', dateTo: '2024-01-31' }, 'Until 2024-01-31'],
  [{ range: 'BETWEEN' }, 'All'],
] as const)('the range %j is formatted as “%s”', (range, text) => {
  expect(rangeText({ ...given, ...range })).toBe(text)
})
