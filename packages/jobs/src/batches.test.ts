import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

test('sends a single item immediately, and items that arrive in the meantime as a batch, up to the limit', async () => {
  const sent: number[][] = []
  const double = createBatches<number, number>(3, async (items) => {
    sent.push([...items])
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
  expect(sent).toEqual([[1], [2, 3, 4], [5]])
  expect(await double(6)).toBe(12)
})

test('an error rejects only the item that causes it', async () => {
  const send = createBatches<number, number>(5, async (items) => {
    if (items.includes(3)) throw new Error('no 3')
    return items
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(send))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
