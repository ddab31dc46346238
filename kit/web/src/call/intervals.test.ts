import { expect, test } from 'vitest'
import { intervals, loadMoreWithinPx, pageSizes } from './intervals.ts'

test('SH-034 SH-035 SH-036 SH-037 DP-015 DP-020 the refresh intervals are those of the specification', () => {
  expect(intervals).toMatchObject({
    statusMs: 5000,
    listMs: 10_000,
    pipelineDetailsMs: 30_000,
    triggerLookupMs: 600_000,
  })
})

test('SH-041 DP-016 lists load more within 800 px of their end', () => {
  expect(loadMoreWithinPx).toBe(800)
})

test('SH-211 SH-267 SH-293 SH-298 each kind of list asks for its own number of items', () => {
  expect(pageSizes).toMatchObject({ search: 5, statusBlock: 10, history: 32 })
})
