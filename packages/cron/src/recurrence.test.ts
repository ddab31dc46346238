import { expect, test } from 'vitest'
import { describeRecurrence, nextRecurrences, type NonWorkingDays, type Recurrence } from './index.ts'
import { isNonWorkingDay } from './recurrence.ts'

const next = (rule: Recurrence, after: string, count = 3, nonWorkingDays?: NonWorkingDays) =>
  nextRecurrences(rule, new Date(after), count, nonWorkingDays).map((instant) =>
    instant.toISOString().slice(0, 16),
  )

const christmas: NonWorkingDays = {
  weekend: [6, 7],
  holidays: new Set(['2026-12-25', '2026-12-28', '2027-01-01']),
}
const calendar = (days: string, more: object = {}) =>
  ({ kind: 'CALENDAR', times: ['07:00'], days, timeZone: 'UTC', ...more }) as Recurrence
const interval = (every: number, unit: string, more: object = {}) =>
  ({ kind: 'INTERVAL', every, unit, start: '2026-03-01T08:00', timeZone: 'UTC', ...more }) as Recurrence

test.each([
  [calendar('EVERY_DAY'), ['2026-12-23T07:00', '2026-12-24T07:00', '2026-12-25T07:00']],
  [
    calendar('EVERY_DAY', { times: ['18:30', '07:00'] }),
    ['2026-12-22T18:30', '2026-12-23T07:00', '2026-12-23T18:30'],
  ],
  [calendar('WEEKDAYS', { weekdays: [1, 7] }), ['2026-12-27T07:00', '2026-12-28T07:00', '2027-01-03T07:00']],
  [calendar('BUSINESS_DAYS'), ['2026-12-23T07:00', '2026-12-24T07:00', '2026-12-29T07:00']],
  [calendar('FIRST_DAY_OF_MONTH'), ['2027-01-01T07:00', '2027-02-01T07:00', '2027-03-01T07:00']],
  [calendar('LAST_DAY_OF_MONTH'), ['2026-12-31T07:00', '2027-01-31T07:00', '2027-02-28T07:00']],
  [calendar('FIRST_BUSINESS_DAY_OF_MONTH'), ['2027-01-04T07:00', '2027-02-01T07:00', '2027-03-01T07:00']],
  [calendar('LAST_BUSINESS_DAY_OF_MONTH'), ['2026-12-31T07:00', '2027-01-29T07:00', '2027-02-26T07:00']],
  [
    calendar('EVERY_DAY', { onFreeDay: 'SKIP' }),
    ['2026-12-23T07:00', '2026-12-24T07:00', '2026-12-29T07:00'],
  ],
  [
    calendar('FIRST_DAY_OF_MONTH', { onFreeDay: 'NEXT_BUSINESS_DAY' }),
    ['2027-01-04T07:00', '2027-02-01T07:00', '2027-03-01T07:00'],
  ],
  [
    calendar('LAST_DAY_OF_MONTH', { onFreeDay: 'PREVIOUS_BUSINESS_DAY' }),
    ['2026-12-31T07:00', '2027-01-29T07:00', '2027-02-26T07:00'],
  ],
  [
    calendar('WEEKDAYS', { weekdays: [5], onFreeDay: 'PREVIOUS_BUSINESS_DAY' }),
    ['2026-12-24T07:00', '2026-12-31T07:00', '2027-01-08T07:00'],
  ],
])('returns the next occurrences of %j', (rule, expected) => {
  expect(next(rule, '2026-12-22T07:00Z', 3, christmas)).toEqual(expected)
})

test('several occurrences that move to the same business day count once', () => {
  const rule = calendar('EVERY_DAY', { onFreeDay: 'NEXT_BUSINESS_DAY' })
  expect(next(rule, '2026-12-24T07:00Z', 2, christmas)).toEqual(['2026-12-29T07:00', '2026-12-30T07:00'])
})

test('a search that starts between the nominal and the moved day finds the moved occurrence', () => {
  const later = calendar('WEEKDAYS', { weekdays: [6], onFreeDay: 'NEXT_BUSINESS_DAY' })
  expect(next(later, '2026-12-27T12:00Z', 1, christmas)).toEqual(['2026-12-29T07:00'])
  const earlier = calendar('FIRST_DAY_OF_MONTH', { onFreeDay: 'PREVIOUS_BUSINESS_DAY' })
  expect(next(earlier, '2026-12-30T12:00Z', 2, christmas)).toEqual(['2026-12-31T07:00', '2027-02-01T07:00'])
})

test('without a holiday calendar, Saturdays and Sundays are non-working days', () => {
  expect(next(calendar('BUSINESS_DAYS'), '2026-12-24T08:00Z')).toEqual([
    '2026-12-25T07:00',
    '2026-12-28T07:00',
    '2026-12-29T07:00',
  ])
})

test.each([
  [
    interval(90, 'MINUTES'),
    '2026-03-01T09:00Z',
    ['2026-03-01T09:30', '2026-03-01T11:00', '2026-03-01T12:30'],
  ],
  [interval(6, 'HOURS'), '2026-02-01T00:00Z', ['2026-03-01T08:00', '2026-03-01T14:00', '2026-03-01T20:00']],
  [interval(2, 'DAYS'), '2026-03-01T08:00Z', ['2026-03-03T08:00', '2026-03-05T08:00', '2026-03-07T08:00']],
  [interval(2, 'WEEKS'), '2026-03-20T00:00Z', ['2026-03-29T08:00', '2026-04-12T08:00', '2026-04-26T08:00']],
  [
    interval(1, 'DAYS', { onFreeDay: 'SKIP' }),
    '2026-03-06T09:00Z',
    ['2026-03-09T08:00', '2026-03-10T08:00', '2026-03-11T08:00'],
  ],
  [
    interval(1, 'WEEKS', { onFreeDay: 'NEXT_BUSINESS_DAY' }),
    '2026-03-08T09:00Z',
    ['2026-03-09T08:00', '2026-03-16T08:00', '2026-03-23T08:00'],
  ],
  [
    interval(1, 'WEEKS', { onFreeDay: 'PREVIOUS_BUSINESS_DAY' }),
    '2026-03-05T00:00Z',
    ['2026-03-06T08:00', '2026-03-13T08:00', '2026-03-20T08:00'],
  ],
  [
    interval(12, 'HOURS', { onFreeDay: 'NEXT_BUSINESS_DAY' }),
    '2026-03-06T09:00Z',
    ['2026-03-06T20:00', '2026-03-09T08:00', '2026-03-09T20:00'],
  ],
])('returns the next occurrences of %j', (rule, after, expected) => {
  expect(next(rule, after)).toEqual(expected)
})

test('when clocks change, hours elapse in real time and days keep their local time', () => {
  const berlin = { timeZone: 'Europe/Berlin', start: '2026-03-28T08:00' }
  expect(next(interval(24, 'HOURS', berlin), '2026-03-28T00:00Z')).toEqual([
    '2026-03-28T07:00',
    '2026-03-29T07:00',
    '2026-03-30T07:00',
  ])
  expect(next(interval(1, 'DAYS', berlin), '2026-03-28T00:00Z')).toEqual([
    '2026-03-28T07:00',
    '2026-03-29T06:00',
    '2026-03-30T06:00',
  ])
})

test('a local time that is skipped moves forward, and a repeated one counts once', () => {
  const rule = calendar('EVERY_DAY', { times: ['02:30'], timeZone: 'Europe/Berlin' })
  expect(next(rule, '2026-03-28T12:00Z', 2)).toEqual(['2026-03-29T01:30', '2026-03-30T00:30'])
  expect(next(rule, '2026-10-24T12:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
})

test('a rule without a matching date in five years has no occurrence', () => {
  const never = { weekend: [1, 2, 3, 4, 5, 6], holidays: new Set<string>() }
  const monday = calendar('WEEKDAYS', { weekdays: [1], onFreeDay: 'SKIP' })
  expect(next(monday, '2026-03-01T00:00Z', 1, never)).toEqual([])
})

test('finding occurrences one by one returns the same ones as a single search', () => {
  for (const rule of [
    calendar('LAST_BUSINESS_DAY_OF_MONTH', { timeZone: 'America/New_York' }),
    calendar('WEEKDAYS', { weekdays: [3, 5], onFreeDay: 'PREVIOUS_BUSINESS_DAY', timeZone: 'Asia/Tokyo' }),
    interval(36, 'HOURS', { onFreeDay: 'SKIP', timeZone: 'Europe/Berlin' }),
    interval(3, 'DAYS', { onFreeDay: 'NEXT_BUSINESS_DAY', timeZone: 'Europe/Berlin' }),
  ]) {
    const together = next(rule, '2026-03-02T00:00Z', 60, christmas)
    let after = '2026-03-02T00:00Z'
    for (const expected of together) {
      const [one] = next(rule, after, 1, christmas)
      expect(one).toBe(expected)
      after = `${one}Z`
    }
  }
})

test('non-working days are determined by local date', () => {
  expect(isNonWorkingDay(new Date('2026-12-25T23:30Z'), 'UTC', christmas)).toBe(true)
  expect(isNonWorkingDay(new Date('2026-12-24T23:30Z'), 'Europe/Berlin', christmas)).toBe(true)
  expect(isNonWorkingDay(new Date('2026-12-24T22:30Z'), 'Europe/Berlin', christmas)).toBe(false)
})

test.each([
  [calendar('EVERY_DAY', { times: ['18:00', '07:00'] }), 'At 07:00 and 18:00 every day'],
  [calendar('WEEKDAYS', { weekdays: [5, 1] }), 'At 07:00 on Monday, Friday'],
  [calendar('WEEKDAYS', { weekdays: [5, 4, 3, 2, 1] }), 'At 07:00 on Monday to Friday'],
  [calendar('LAST_BUSINESS_DAY_OF_MONTH'), 'At 07:00 on the last business day of the month'],
  [interval(1, 'WEEKS'), 'Every week'],
  [interval(15, 'MINUTES'), 'Every 15 minutes'],
])('describes the rule %j', (rule, expected) => {
  expect(describeRecurrence(rule)).toBe(expected)
})
