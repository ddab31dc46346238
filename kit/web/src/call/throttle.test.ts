import { expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

test('lets at most five calls start in any second', async () => {
  let nowMs = 0
  const started: number[] = []
  const pass = createThrottle(5, {
    nowMs: () => nowMs,
    wait: async (delayMs) => void started.push(nowMs + delayMs),
  })
  for (let index = 0; index < 20; index++) {
    const before = started.length
    await pass()
    if (started.length === before) started.push(nowMs)
  }
  expect(started).toHaveLength(20)
  for (const start of started) {
    expect(started.filter((other) => other >= start && other < start + 1000).length).toBeLessThanOrEqual(5)
  }
  expect(started.at(-1)).toBe(3000)
  nowMs = 60_000
  await pass()
  expect(started).toHaveLength(20)
})
