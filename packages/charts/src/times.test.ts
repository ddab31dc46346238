import { expect, test } from 'vitest'
import { dateNames, formatTimestamp, precisionOf, timeTicks } from './times.ts'
import type { Precision } from './times.ts'
import { clockOf } from './zones.ts'

const names = dateNames('en-GB')
const utc = clockOf('UTC')
const labels = (
  from: string,
  to: string,
  pixels: number,
  { zone = 'UTC', seasonal = false, precision = 'minute' as Precision } = {},
) => timeTicks(Date.parse(from), Date.parse(to), pixels, 40, clockOf(zone), names, seasonal, precision).labels

test('ticks are at round times: quarters, with the year in January', () => {
  expect(labels('2022-01-15', '2024-03-01', 500)).toEqual([
    'Apr',
    'Jul',
    'Oct',
    '2023',
    'Apr',
    'Jul',
    'Oct',
    '2024',
  ])
})

test('the first label contains the year or the day if no other label does', () => {
  expect(labels('2024-02-10', '2024-07-20', 400)).toEqual(['Mar 2024', 'Apr', 'May', 'Jun', 'Jul'])
  expect(labels('2024-02-10', '2024-02-14', 400)).toEqual([
    '10 Feb 2024',
    '11 Feb',
    '12 Feb',
    '13 Feb',
    '14 Feb',
  ])
  expect(labels('2024-02-10T01:00Z', '2024-02-10T13:30Z', 400)).toEqual([
    '10 Feb, 03:00',
    '06:00',
    '09:00',
    '12:00',
  ])
})

test('points of whole days never have ticks within a day, even in a narrow window', () => {
  const days = { precision: 'day' } as const
  expect(labels('2024-02-10', '2024-02-12', 900, days)).toEqual(['10 Feb 2024', '11 Feb', '12 Feb'])
  expect(labels('2024-02-10T18:00Z', '2024-02-11T06:00Z', 900, days)).toEqual(['11 Feb 2024'])
  expect(labels('2024-02-10', '2024-02-12', 900)).toContain('06:00')
})

test('a seasonal axis has no year', () => {
  expect(labels('2004-01-01', '2004-12-31', 400, { seasonal: true })).toEqual([
    'Jan',
    'Mar',
    'May',
    'Jul',
    'Sep',
    'Nov',
  ])
})

test('there are a few ticks from milliseconds to centuries, never too many', () => {
  for (let span = 1; span < 3e14; span *= 3) {
    const ticks = timeTicks(
      Date.UTC(2001, 3, 5),
      Date.UTC(2001, 3, 5) + span,
      640,
      40,
      utc,
      names,
      false,
      'minute',
    )
    expect(ticks.at.length).toBeLessThanOrEqual(16)
    if (span > 10) expect(ticks.at.length).toBeGreaterThanOrEqual(1)
    expect(ticks.at.toSorted((a, b) => a - b)).toEqual(ticks.at)
  }
})

test('ticks follow the local time of the zone across daylight saving', () => {
  const ticks = timeTicks(
    Date.parse('2026-03-28T12:00Z'),
    Date.parse('2026-03-29T12:00Z'),
    400,
    40,
    clockOf('Europe/Berlin'),
    names,
    false,
    'minute',
  )
  expect(ticks.labels).toEqual(['18:00', '29 Mar', '06:00', '12:00'])
  expect(ticks.at.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
    '17:00',
    '23:00',
    '04:00',
    '10:00',
  ])
})

test('formats timestamps as precisely as the data need', () => {
  const at = Date.parse('2025-05-02T14:32:07.250Z')
  expect(formatTimestamp(Date.parse('2025-05-02'), 'day', utc, names, false)).toBe('Fri 02 May 2025')
  expect(formatTimestamp(at, 'minute', utc, names, false)).toBe('Fri 02 May 2025 14:32')
  expect(formatTimestamp(at, 'ms', clockOf('Asia/Kolkata'), names, false)).toBe(
    'Fri 02 May 2025 20:02:07.250',
  )
  expect(formatTimestamp(at, 'day', utc, names, true)).toBe('02 May')
  expect(formatTimestamp(9e15, 'day', utc, names, false)).toBe('9000000000000000')
  expect(precisionOf([Date.UTC(2025, 1, 1)], utc)).toBe('day')
  expect(precisionOf([Date.UTC(2025, 1, 1)], clockOf('Europe/Berlin'))).toBe('minute')
  expect(precisionOf([Date.UTC(2025, 1, 1, 0, 0, 1)], utc)).toBe('second')
  expect(precisionOf([0.5], utc)).toBe('ms')
})

test('treats an unknown zone as UTC; positions beyond the calendar have no ticks', () => {
  expect(clockOf('Not/AZone').offsetAt(0)).toBe(0)
  expect(labels('2024-01-01', '2024-01-01', 400)).toEqual([])
  expect(timeTicks(-1e300, 1e300, 640, 40, utc, names, false, 'minute').at).toEqual([])
})
