import { expect, test } from 'vitest'
import { describeCron, CronError, nextOccurrences } from './index.ts'

const occurrences = (expression: string, timeZone: string, after: string, count = 3) =>
  nextOccurrences({ expression, timeZone }, new Date(after), count).map((occurrence) =>
    occurrence.toISOString().slice(0, 16),
  )

test.each([
  ['0 7 * * 1-5', '2026-11-20T08:00Z', ['2026-11-23T07:00', '2026-11-24T07:00', '2026-11-25T07:00']],
  ['0 7 ? * MON', '2026-11-20T08:00Z', ['2026-11-23T07:00', '2026-11-30T07:00', '2026-12-07T07:00']],
  ['*/25 * * * *', '2026-11-20T08:26Z', ['2026-11-20T08:50', '2026-11-20T09:00', '2026-11-20T09:25']],
  ['0 0 L * *', '2026-01-15T00:00Z', ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00']],
  ['0 7 13 * 5', '2026-11-01T00:00Z', ['2026-11-06T07:00', '2026-11-13T07:00', '2026-11-20T07:00']],
  ['0 0 29 2 *', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']],
  ['0 7 * * 7', '2026-11-20T08:00Z', ['2026-11-22T07:00', '2026-11-29T07:00', '2026-12-06T07:00']],
])('returns the next occurrences of %s', (expression, after, expected) => {
  expect(occurrences(expression, 'UTC', after)).toEqual(expected)
})

test('excludes the start instant', () => {
  expect(occurrences('0 7 * * *', 'UTC', '2026-11-20T07:00:00Z', 1)).toEqual(['2026-11-21T07:00'])
})

test('with a fixed hour, a skipped local time moves one hour later and a repeated one counts once', () => {
  expect(occurrences('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z')).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T00:30',
    '2026-03-31T00:30',
  ])
  expect(occurrences('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z')).toEqual([
    '2026-10-25T00:30',
    '2026-10-26T01:30',
    '2026-10-27T01:30',
  ])
})

test('finds a skipped time when the search starts within the hour after the change', () => {
  expect(occurrences('30 2 * * *', 'Europe/Berlin', '2026-03-29T01:10Z', 2)).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T00:30',
  ])
})

test('returns occurrences in order on the day clocks go forward', () => {
  expect(occurrences('0 * * * *', 'Europe/Berlin', '2026-03-29T00:10Z')).toEqual([
    '2026-03-29T01:00',
    '2026-03-29T02:00',
    '2026-03-29T03:00',
  ])
  expect(occurrences('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:10Z', 4)).toEqual([
    '2026-03-29T00:30',
    '2026-03-29T01:00',
    '2026-03-29T01:30',
    '2026-03-29T02:00',
  ])
})

test.each([
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
  [
    '*/30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
  ],
  ['0,30 1-2 * * *', 'Europe/Berlin', '2026-10-25T00:10Z', ['2026-10-25T00:30', '2026-10-26T00:00']],
  ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
  ['30 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:30', '2026-03-30T00:30']],
])('%s in %s, with a fixed hour, occurs once when clocks change', (expression, zone, after, expected) => {
  expect(occurrences(expression, zone, after, expected.length)).toEqual(expected)
})

test.each([
  [
    '*/30 * * * *',
    'Europe/Berlin',
    '2026-10-24T23:40Z',
    ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
  ],
  ['0 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', ['2026-10-25T01:00', '2026-10-25T02:00']],
  [
    '15 */2 * * *',
    'Europe/Berlin',
    '2026-10-24T23:00Z',
    ['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T03:15'],
  ],
  [
    '*/30 * * * *',
    'America/New_York',
    '2026-11-01T05:10Z',
    ['2026-11-01T05:30', '2026-11-01T06:00', '2026-11-01T06:30', '2026-11-01T07:00'],
  ],
  [
    '*/20 * * * *',
    'Australia/Lord_Howe',
    '2026-04-04T14:35Z',
    ['2026-04-04T14:40', '2026-04-04T15:10', '2026-04-04T15:30'],
  ],
])('%s in %s, with any hour, follows real time when clocks go back', (expression, zone, after, expected) => {
  expect(occurrences(expression, zone, after, expected.length)).toEqual(expected)
})

test.each(['Europe/Berlin', 'America/New_York'])(
  'every hour in %s occurs once in each hour of a year',
  (timeZone) => {
    const from = Date.UTC(2026, 0, 1)
    const actual = nextOccurrences({ expression: '0 * * * *', timeZone }, new Date(from - 1), 365 * 24)
    expect(actual.map((occurrence) => occurrence.getTime())).toEqual(
      Array.from({ length: 365 * 24 }, (_, hour) => from + hour * 3_600_000),
    )
  },
)

test('returns all 300 occurrences of a five-minute schedule on the day clocks go back', () => {
  const expected = Array.from({ length: 300 }, (_, index) => Date.UTC(2026, 9, 24, 22, index * 5))
  const actual: number[] = []
  for (let after = expected[0]! - 1; actual.length < 300; after = actual.at(-1)!)
    actual.push(
      nextOccurrences(
        { expression: '*/5 * * * *', timeZone: 'Europe/Berlin' },
        new Date(after),
        1,
      )[0]!.getTime(),
    )
  expect(actual).toEqual(expected)
})

test.each([
  ['', 'UTC', 'five fields'],
  ['* * * *', 'UTC', 'five fields'],
  ['0 0 7 * * *', 'UTC', 'five fields'],
  ['@daily', 'UTC', 'five fields'],
  ['0 0 29 2 +1', 'UTC', 'five fields'],
  ['2026-12-01T00:00:00', 'UTC', 'five fields'],
  ['0 25 * * *', 'UTC', 'Could not translate the cron expression: Invalid value for hour: 25.'],
  ['0 7 * * MOON', 'UTC', 'Could not translate the cron expression'],
  ['0/5 * * * *', 'UTC', 'Could not translate the cron expression'],
  ['0 0 31 2 *', 'UTC', 'never occurs'],
  ['0 0 31 2,4,6,9,11 *', 'UTC', 'never occurs'],
  ['0 7 * * *', 'Mars/Olympus', '“Mars/Olympus” is not a time zone'],
])('rejects “%s” in %s with a reason', (expression, timeZone, message) => {
  const evaluate = () => occurrences(expression, timeZone, '2026-01-01T00:00Z')
  expect(evaluate).toThrow(CronError)
  expect(evaluate).toThrow(message)
  expect(evaluate).toThrow(
    expect.objectContaining({ part: message.endsWith('time zone') ? 'timeZone' : 'expression' }),
  )
})

test('describes an expression in English, or rejects an invalid one', () => {
  expect(describeCron('0 7 * * 1-5')).toBe('At 07:00, Monday through Friday')
  expect(describeCron(' 0 7 ?  * MON ')).toBe('At 07:00, only on Monday')
  expect(() => describeCron('often')).toThrow('Could not translate the cron expression')
  const outOfRange = () => describeCron('0 25 * * *')
  expect(outOfRange).toThrow(CronError)
  expect(outOfRange).toThrow(/^Could not translate the cron expression: \w.*[^.]\.$/)
})
