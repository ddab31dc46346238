import { expect, test } from 'vitest'
import { createVisitorTurns } from './visitor-turns.ts'

const turnsOf = (more: object = {}) =>
  createVisitorTurns({ atOnce: 2, maxWaiting: 2, longestMs: 60_000, ...more })
const never = new AbortController().signal

test('only so many take their turn at once, the others one after the other; too many are sent away', async () => {
  const turns = turnsOf()
  const order: number[] = []
  const take = async (at: number) => {
    const { end } = await turns.take(never)
    order.push(at)
    return end
  }
  const [first, second, third, fourth] = [take(1), take(2), take(3), take(4)]
  await expect(turns.take(never)).rejects.toMatchObject({ code: 'tooManyRequests' })
  const end = await first
  await second
  expect(order).toEqual([1, 2])
  end()
  end()
  await third
  expect(order).toEqual([1, 2, 3])
  ;(await second)()
  await fourth
  expect(order).toEqual([1, 2, 3, 4])
})

test('who goes away gives up the turn or the place among those who wait', async () => {
  const turns = turnsOf({ atOnce: 1 })
  const gone = new AbortController()
  const tired = new AbortController()
  await turns.take(gone.signal)
  const left = turns.take(tired.signal)
  const next = turns.take(never)
  tired.abort(new Error('tired'))
  await expect(left).rejects.toThrow('tired')
  gone.abort()
  ;(await next).end()
  ;(await turns.take(never)).end()
})

test('a turn that is not ended ends by itself', async () => {
  const turns = turnsOf({ atOnce: 1, longestMs: 1 })
  await turns.take(never)
  await turns.take(never)
})

test('what is asked in a turn that does not end is ended, so that it holds nothing for ever', async () => {
  const turns = turnsOf({ longestMs: 5 })
  const { signal } = await turns.take(never)
  expect(signal.aborted).toBe(false)
  await expect.poll(() => signal.aborted, { timeout: 20_000 }).toBe(true)
  const gone = new AbortController()
  const left = await turnsOf().take(gone.signal)
  gone.abort()
  expect(left.signal.aborted).toBe(true)
})
