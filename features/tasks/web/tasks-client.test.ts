import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { choicesQuery, taskDefinitionsQuery } from './tasks-client.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('DP-401 kinds of tasks, their categories, and tasks are requested again only after an hour', async () => {
  vi.useFakeTimers()
  const requested: string[] = []
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    requested.push(new URL(url instanceof Request ? url.url : String(url), 'http://localhost').pathname)
    return Response.json({ items: [], totalSize: 0, from: 0 })
  })
  const client = new QueryClient()
  const load = () =>
    Promise.all([client.fetchQuery(taskDefinitionsQuery), client.fetchQuery(choicesQuery(''))])
  await load()
  await vi.advanceTimersByTimeAsync(59 * 60_000)
  await load()
  expect(requested.toSorted()).toEqual(['/mgmt/task', '/mgmt/task/definitions'])
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  await load()
  expect(requested).toHaveLength(4)
})
