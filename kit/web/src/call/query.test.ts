import { notifyManager } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query.ts'

test('what queries tell in one moment is told in one task and in its order, so that the page is drawn once', async () => {
  createQueryClient()
  const log: string[] = []
  for (const name of ['first', 'second', 'third'])
    notifyManager.schedule(() => {
      log.push(name)
      // as React draws, once what runs has ended
      queueMicrotask(() => log.push('drawn'))
    })
  await expect.poll(() => log).toEqual(['first', 'second', 'third', 'drawn', 'drawn', 'drawn'])
  notifyManager.schedule(() => log.push('later'))
  await expect.poll(() => log.at(-1)).toBe('later')
})
