import { notifyManager } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient, leavePage } from './query.ts'

test('notifications of queries in the same tick run in order in one task, so that the page renders once', async () => {
  createQueryClient()
  const log: string[] = []
  for (const name of ['first', 'second', 'third'])
    notifyManager.schedule(() => {
      log.push(name)
      // React renders after the current task
      queueMicrotask(() => log.push('drawn'))
    })
  await expect.poll(() => log).toEqual(['first', 'second', 'third', 'drawn', 'drawn', 'drawn'])
  notifyManager.schedule(() => log.push('later'))
  await expect.poll(() => log.at(-1)).toBe('later')
})

test('leaving a page aborts its queries, but not those that belong to every page', async () => {
  const client = createQueryClient()
  const aborted: string[] = []
  for (const [name, keep] of [
    ['page', false],
    ['settings', true],
  ] as const)
    void client
      .fetchQuery({
        queryKey: [name],
        meta: { keep },
        queryFn: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              aborted.push(name)
              reject(new Error('aborted'))
            })
          }),
      })
      .catch(() => undefined)
  await leavePage(client)
  expect(aborted).toEqual(['page'])
  expect(client.isFetching({ queryKey: ['settings'] })).toBe(1)
})
