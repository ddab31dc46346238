import { expect, test } from 'vitest'
import { createBatches } from './batches.ts'

test('sends a lone item at once, and those that arrive meanwhile together, up to the limit', async () => {
  const sent: number[][] = []
  const double = createBatches<number, number>(3, async (items) => {
    sent.push([...items])
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
  expect(sent).toEqual([[1], [2, 3, 4], [5]])
  expect(await double(6)).toBe(12)
})

test('an error rejects the items of its batch only', async () => {
  const send = createBatches<number, number>(1, async ([item]) => {
    if (item === 2) throw new Error('no 2')
    return [item!]
  })
  const results = await Promise.allSettled([1, 2, 3].map(send))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
