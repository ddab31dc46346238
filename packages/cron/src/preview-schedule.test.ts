import { expect, test } from 'vitest'
import { previewSchedule } from './preview-schedule.ts'

const after = new Date('2026-12-23T12:00:00Z')

test('a schedule without a preview names the invalid part and the reason', () => {
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

test('a schedule without a calendar runs on every day that it names', () => {
  expect(previewSchedule({ expression: '0 7 * * *', timeZone: 'UTC' }, { after, count: 2 })).toEqual({
    description: 'At 07:00',
    times: [new Date('2026-12-24T07:00:00Z'), new Date('2026-12-25T07:00:00Z')],
  })
})
