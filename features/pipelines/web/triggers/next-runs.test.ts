import { expect, test } from 'vitest'
import { triggerInput } from '../../contract/index.ts'
import { previewTrigger, type TimedTrigger } from './next-runs.ts'

const after = new Date('2026-12-23T12:00:00Z')
const meaning = (given: object, nonWorkingDays?: Parameters<typeof previewTrigger>[2]) =>
  previewTrigger(triggerInput.parse(given) as TimedTrigger, after, nonWorkingDays)
const timesOf = (result: ReturnType<typeof meaning>) =>
  'times' in result ? result.times.map((time) => time.toISOString().slice(0, 16)) : result

test('a cron expression has a description in English and its next five runs in its time zone', () => {
  const result = meaning({ type: 'CRON', cron: '0 7 * * 1-5', timeZone: 'Europe/Berlin' })
  expect(result).toMatchObject({ description: 'At 07:00, Monday through Friday' })
  expect(timesOf(result)).toEqual([
    '2026-12-24T06:00',
    '2026-12-25T06:00',
    '2026-12-28T06:00',
    '2026-12-29T06:00',
    '2026-12-30T06:00',
  ])
})

test('the next runs skip holidays and weekends of the calendar', () => {
  const nonWorkingDays = { weekend: [6, 7], holidays: new Set(['2026-12-25', '2026-12-28']) }
  expect(timesOf(meaning({ type: 'CRON', cron: '0 7 * * *' }, nonWorkingDays))).toEqual([
    '2026-12-24T07:00',
    '2026-12-29T07:00',
    '2026-12-30T07:00',
    '2026-12-31T07:00',
    '2027-01-01T07:00',
  ])
  const rule = { kind: 'CALENDAR', times: ['18:00'], days: 'LAST_BUSINESS_DAY_OF_MONTH' }
  expect(
    timesOf(meaning({ type: 'SCHEDULER', rule }, { weekend: [6, 7], holidays: new Set(['2026-12-31']) })),
  ).toEqual([
    '2026-12-30T18:00',
    '2027-01-29T18:00',
    '2027-02-26T18:00',
    '2027-03-31T18:00',
    '2027-04-30T18:00',
  ])
})

test('a cron expression that cannot be translated has no next runs', () => {
  for (const cron of ['every day', '99 * * * *'])
    expect(meaning({ type: 'CRON', cron })).toMatchObject({ invalid: 'expression' })
})
