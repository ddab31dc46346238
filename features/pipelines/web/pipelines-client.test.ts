import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { pipelineTagsQuery, pipelineVersionsQuery } from './pipelines-client.ts'

afterEach(() => vi.unstubAllGlobals())

/** Returns path and parameters of the request of a query. */
async function requestOf(load: (client: QueryClient) => Promise<unknown>) {
  const requested: URL[] = []
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    requested.push(new URL(url instanceof Request ? url.url : String(url), 'http://localhost'))
    return Response.json({ items: [], totalSize: 0, from: 0 })
  })
  await load(new QueryClient())
  return requested.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])
}

test('DP-458 tags are requested with a query and a sort order', async () => {
  expect(await requestOf((client) => client.fetchQuery(pipelineTagsQuery('week')))).toEqual([
    ['/mgmt/pipeline/tags', { query: 'week', sortOrder: 'asc', size: '50' }],
  ])
})

test('versions are requested with the id of the pipeline, 100 per request', async () => {
  expect(await requestOf((client) => client.fetchQuery(pipelineVersionsQuery('p1')))).toEqual([
    ['/mgmt/pipeline/p1/versions', { size: '100' }],
  ])
})
