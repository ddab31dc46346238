import { expect, test } from 'vitest'
import { shuffledBy } from './test-order.ts'

test('a seed determines the order of files, and no file is lost', () => {
  const files = Array.from({ length: 50 }, (_, index) => `${index}`)
  const orders = [1, 2, 3].map((seed) => shuffledBy(seed, files))
  expect(new Set(orders.map((order) => order.join(' '))).size).toBe(3)
  for (const order of orders) {
    expect(order).not.toEqual(files)
    expect(order.toSorted()).toEqual(files.toSorted())
  }
  expect(shuffledBy(2, files)).toEqual(orders[1])
})
