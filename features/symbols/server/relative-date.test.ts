import { expect, test } from 'vitest'
import { parseRelativeDate } from './relative-date.ts'

/** A Sunday, one hour after clocks in Warsaw went forward. */
const now = Date.parse('2024-03-31T01:40:20.500Z')
const read = (text: string, isEnd = false) => {
  const instant = parseRelativeDate(text, 'Europe/Warsaw', now, isEnd)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

test.each([
  ['now', '2024-03-31T01:40:20.500Z'],
  [' NOW-1d ', '2024-03-30T02:40:20.500Z'],
  ['now-24h', '2024-03-30T01:40:20.500Z'],
  ['now-1M', '2024-02-29T02:40:20.500Z'],
  ['now-1m', '2024-03-31T01:39:20.500Z'],
  ['now-1y+2d-90m', '2023-04-02T00:10:20.500Z'],
])('parses %s on the clock of the zone', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  ['now/m', '2024-03-31T01:40:00.000Z', '2024-03-31T01:40:59.999Z'],
  ['now/h', '2024-03-31T01:00:00.000Z', '2024-03-31T01:59:59.999Z'],
  ['now/d', '2024-03-30T23:00:00.000Z', '2024-03-31T21:59:59.999Z'],
  ['now/w', '2024-03-24T23:00:00.000Z', '2024-03-31T21:59:59.999Z'],
  ['now-1M/M', '2024-01-31T23:00:00.000Z', '2024-02-29T22:59:59.999Z'],
  ['now/y', '2023-12-31T23:00:00.000Z', '2024-12-31T22:59:59.999Z'],
])('%s is the start of the unit as a start and its end as an end', (text, begin, end) => {
  expect([read(text), read(text, true)]).toEqual([begin, end])
})

test.each(['now-', 'now-1', 'now-1q', 'now-1D', 'now/x', 'now-999999y', 'today', '2024-01-01'])(
  '%s is not a relative date',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)
