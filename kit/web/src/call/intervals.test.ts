import { expect, test } from 'vitest'
import { intervals, loadMoreWithinPx, pageSizes } from './intervals.ts'

test('SH-037 SH-209 the refresh intervals are those of the specification', () => {
  expect(intervals).toMatchObject({
    statusMs: 5000,
    listMs: 10_000,
    favouritesMs: 20_000,
    recentStatusMs: 50_000,
    pipelineDetailsMs: 30_000,
    triggerLookupMs: 600_000,
  })
})

test('DP-016 lists load more within 800 px of their end', () => {
  expect(loadMoreWithinPx).toBe(800)
})

test('SH-211 SH-267 SH-293 SH-298 each kind of list has its own page size', () => {
  expect(pageSizes).toMatchObject({ search: 5, statusBlock: 10, history: 32 })
})
