import { expect, test } from 'vitest'
import { progressText, skippedDates, statusOfBackfill } from './backfill-texts.ts'

test('dates without a run are grouped by reason, in the given order', () => {
  expect(
    skippedDates([
      { date: '2026-01-05', reason: 'The date is in the future.' },
      { date: '2026-01-04', reason: 'This day of the week is not selected.' },
      { date: '2026-01-02', reason: null },
      { date: '2026-01-03', reason: 'This day of the week is not selected.' },
    ]),
  ).toEqual([
    { reason: 'The date is in the future.', dates: ['2026-01-05'] },
    { reason: 'This day of the week is not selected.', dates: ['2026-01-04', '2026-01-03'] },
  ])
})

test('a finished backfill counts as succeeded only if none of its runs failed or ended with warnings', () => {
  expect(statusOfBackfill({ state: 'RUNNING', failed: 1, warned: 0 })).toEqual({ status: 'running' })
  expect(statusOfBackfill({ state: 'ENDED', failed: 0, warned: 0 })).toEqual({ status: 'completed' })
  expect(statusOfBackfill({ state: 'ENDED', failed: 1, warned: 0 }).status).toBe('warn')
  expect(statusOfBackfill({ state: 'ENDED', failed: 0, warned: 1 })).toEqual({
    status: 'warn',
    text: 'Completed with warnings',
  })
  expect(statusOfBackfill({ state: 'CANCELLED', failed: 0, warned: 0 }).status).toBe('stopped')
  expect(statusOfBackfill({ state: 'FAILED', failed: 0, warned: 0 }).status).toBe('error')
})

test('the progress names runs that failed or ended with warnings', () => {
  expect(progressText({ total: 30, ended: 12, failed: 2, warned: 0 })).toBe('12 of 30 runs, 2 failed')
  expect(progressText({ total: 30, ended: 12, failed: 2, warned: 1 })).toBe(
    '12 of 30 runs, 2 failed, 1 with warnings',
  )
  expect(progressText({ total: 1, ended: 0, failed: 0, warned: 0 })).toBe('0 of 1 run')
})
