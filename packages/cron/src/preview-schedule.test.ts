import { expect, test } from 'vitest'
import { plainWeekend } from './index.ts'
import { previewSchedule } from './preview-schedule.ts'

const after = new Date('2026-12-23T12:00:00Z')

test('the preview of an invalid schedule reports the invalid part and the reason', () => {
  const preview = (expression: string, timeZone: string) =>
    previewSchedule({ expression, timeZone }, { after, count: 2 })
  expect(preview('every day', 'UTC')).toEqual({
    invalid: 'expression',
    reason: expect.stringContaining('five fields'),
  })
  expect(preview('0 7 * * *', 'Mars/Base')).toEqual({
    invalid: 'timeZone',
    reason: expect.stringContaining('Mars/Base'),
  })
  expect(
    previewSchedule(
      { kind: 'CALENDAR', times: ['18:00'], days: 'EVERY_DAY', timeZone: 'Mars/Base' },
      { after, count: 2 },
    ),
  ).toMatchObject({ invalid: 'timeZone' })
})

test('a schedule without a calendar runs on every matching day', () => {
  expect(previewSchedule({ expression: '0 7 * * *', timeZone: 'UTC' }, { after, count: 2 })).toEqual({
    description: 'At 07:00',
    times: [new Date('2026-12-24T07:00:00Z'), new Date('2026-12-25T07:00:00Z')],
  })
})

test('a schedule that runs every minute continues after a long weekend', () => {
  // Friday to Sunday: 4,320 occurrences.
  const christmas = { ...plainWeekend, holidays: new Set(['2026-12-25']) }
  const preview = previewSchedule(
    { expression: '* * * * *', timeZone: 'UTC' },
    { after: new Date('2026-12-24T23:58:30Z'), count: 2, nonWorkingDays: christmas },
  )
  expect(preview).toMatchObject({
    times: [new Date('2026-12-24T23:59:00Z'), new Date('2026-12-28T00:00:00Z')],
  })
})

test.for([
  // Midnight is skipped on 6 September 2026, a Sunday.
  [
    'America/Santiago',
    '2026-09-04T23:58:30-04:00',
    ['2026-09-04T23:59:00-04:00', '2026-09-07T00:00:00-03:00'],
  ],
  // The last hour of Saturday 4 April 2026 is repeated.
  [
    'America/Santiago',
    '2026-04-03T23:58:30-03:00',
    ['2026-04-03T23:59:00-03:00', '2026-04-06T00:00:00-04:00'],
  ],
] as const)('a weekend with a clock change in %s is skipped after %s', ([timeZone, start, times]) => {
  expect(
    previewSchedule(
      { expression: '* * * * *', timeZone },
      { after: new Date(start), count: 2, nonWorkingDays: plainWeekend },
    ),
  ).toMatchObject({ times: times.map((time) => new Date(time)) })
})

test('a schedule that runs only on weekends has no times on business days', () => {
  expect(
    previewSchedule(
      { expression: '0 7 * * 6', timeZone: 'UTC' },
      { after, count: 2, nonWorkingDays: plainWeekend },
    ),
  ).toMatchObject({ times: [] })
})
