import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

test('batches the items of one event loop turn, and then the items that arrive meanwhile, up to the limit', async () => {
  const sent: number[][] = []
  const inFlight = Promise.withResolvers<void>()
  const double = createBatches<number, number>(3, async (items) => {
    sent.push([...items])
    await inFlight.promise
    return items.map((item) => item * 2)
  })
  const first = [1, 2].map(double)
  await nextTurn()
  const second = [3, 4, 5, 6].map(double)
  inFlight.resolve()
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10, 12])
  expect(sent).toEqual([[1, 2], [3, 4, 5], [6]])
  expect(await double(7)).toBe(14)
})

test('an error rejects only the item that causes it', async () => {
  const send = createBatches<number, number>(5, async (items) => {
    if (items.includes(3)) throw new Error('no 3')
    return items
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(send))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
