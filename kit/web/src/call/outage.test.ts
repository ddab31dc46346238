import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { createOutageRetries, isOutage } from './outage.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('retries everything once with one check when the server responds again, and checks less and less often before', async () => {
  let isUp = false
  const checks: number[] = []
  const begin = Date.now()
  const outage = createOutageRetries({
    isReachable: async () => {
      checks.push(Date.now() - begin)
      return isUp
    },
    random: () => 0.5,
  })
  const called: string[] = []
  for (const name of ['first', 'second', 'cancelled']) {
    const cancel = outage.add(() => called.push(name))
    if (name === 'cancelled') cancel()
  }
  await vi.advanceTimersByTimeAsync(50_000)
  expect(checks).toEqual([3000, 9000, 21_000, 45_000])
  expect(called).toEqual([])
  isUp = true
  outage.hurry()
  await vi.advanceTimersByTimeAsync(1000)
  expect(called).toEqual(['first', 'second'])
  await vi.advanceTimersByTimeAsync(600_000)
  expect({ called, checks: checks.length }).toEqual({ called: ['first', 'second'], checks: 5 })
})

test('a retry that fails again although the server responds is repeated at most every minute', async () => {
  const outage = createOutageRetries({ isReachable: async () => true, random: () => 0.5 })
  let calls = 0
  const retry = () => {
    calls += 1
    outage.add(retry)
  }
  outage.add(retry)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(calls).toBeGreaterThan(8)
  expect(calls).toBeLessThan(15)
})

test.each([
  [0, true],
  [502, true],
  [503, true],
  [504, true],
  [400, false],
  [404, false],
  [500, false],
])('status %i is an outage: %s', (status, expected) => {
  expect(isOutage(new ApiError({ status, message: 'failed' }))).toBe(expected)
  expect(isOutage(new Error('failed'))).toBe(false)
})
