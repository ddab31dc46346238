import { expect, test } from 'vitest'
import { setNewest } from './set-newest.ts'

test('drops the oldest entry; setting an entry again makes it the newest', () => {
  const entries = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    setNewest(entries, key, value, 2)
  expect([...entries]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
