import { expect, test } from 'vitest'
import { startDueLoop } from './due-loop.ts'

test('a failing loop retries and warns once per outage', async () => {
  const warnings: string[] = []
  const outcomes = ['fails', 'fails', 'works', 'fails']
  let looks = 0
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const loop = startDueLoop({
    async processDue() {
      const outcome = outcomes[looks++]
      if (outcome === undefined) end()
      if (outcome === 'fails') throw new Error('no database')
      return 0
    },
    pollMs: 1,
    warn: (message) => warnings.push(message),
  })
  await isOver
  await loop.stop()
  expect(warnings).toEqual(Array(2).fill('Due schedules could not be read. The server retries.'))
})

test('stopping waits for the current batch and ends the loop', async () => {
  let looks = 0
  let finish = () => {}
  let hasFinished = false
  const loop = startDueLoop({
    async processDue() {
      looks += 1
      await new Promise<void>((resolve) => (finish = resolve))
      hasFinished = true
      return 0
    },
    pollMs: 1,
    warn: () => {},
  })
  const stopped = loop.stop()
  finish()
  await stopped
  expect({ looks, hasFinished }).toEqual({ looks: 1, hasFinished: true })
})

test('stopping wakes a sleeping loop', async () => {
  let looks = 0
  const loop = startDueLoop({
    async processDue() {
      looks += 1
      return Infinity
    },
    pollMs: 600_000,
    warn: () => {},
  })
  await expect.poll(() => looks).toBe(1)
  await loop.stop()
  expect(looks).toBe(1)
})
