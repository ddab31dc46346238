import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '@headwater/contract'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { exampleJobId, httpExamples, routesWithoutExample, type HttpExample } from './http-examples.ts'
import { responseOf } from './http-example-responses.ts'
import { shapeDifferences } from './response-shape.ts'

let server: TestServer
/** Values of responses that later requests insert. */
const saved = new Map<string, unknown>()

beforeAll(async () => {
  server = await startTestServer()
  await server.createUser({ email: 'ben@example.com' })
  await writeExampleLog()
})
afterAll(() => server.stop())

async function writeExampleLog(): Promise<void> {
  const { accounts, statuses, logs } = server.running.platform
  const { userId } = (await accounts.findUserByName('admin@example.com'))!
  await statuses.startJob({ id: exampleJobId, type: 'PIPELINE', name: 'Prices', ownerId: userId })
  const writer = logs.open({ jobId: exampleJobId, eId: 'load', component: 'Load' })
  writer.write('WARNING:root:No price for Brent', 'stderr')
  await writer.end()
}

test('every route has an example, except those in the list', () => {
  const names = server.running.platform.router.routes.map(({ name }) => name)
  const withExample = new Set(httpExamples.map(({ route }) => route.name))
  expect(names.filter((name) => !withExample.has(name)).toSorted()).toEqual(routesWithoutExample.toSorted())
})

// Later examples use objects of earlier ones, so they run in their order, in one test.
test('every example in the reference returns the documented status and response shape', async () => {
  for (const example of httpExamples) {
    const { name } = example.route
    const expected = responseOf(name)
    if (example.pausedJob !== undefined) await isPaused(inserted(example.pausedJob) as string)
    const { status, text } = await send(example)
    expect([name, status, status === expected.status ? '' : text]).toEqual([name, expected.status, ''])
    if (expected.text !== undefined) {
      expect([name, firstLine(text)]).toEqual([name, firstLine(expected.text)])
    } else {
      const json: unknown = text === '' ? undefined : JSON.parse(text)
      expect([name, ...shapeDifferences(expected.json, json)]).toEqual([name])
      for (const [key, path] of Object.entries(example.saves ?? {})) saved.set(key, valueAt(json, path))
    }
  }
})

describe('shapes of responses', () => {
  const expected = { items: [{ id: 1, name: 'a' }], end: null, tags: [] }

  test('values can differ, and null matches any value', () => {
    expect(shapeDifferences(expected, { items: [{ id: 2, name: 'b' }], end: 'now', tags: ['x'] })).toEqual([])
  })

  test('reports missing, additional and changed members', () => {
    expect(shapeDifferences(expected, { items: [{ id: '2', title: 'b' }], end: null, tags: [] })).toEqual([
      'response.items[0].id is string, not number',
      'response.items[0].name is missing',
      'response.items[0].title is not in the reference',
    ])
    expect(shapeDifferences(expected, { items: [], end: null, tags: {} })).toEqual([
      'response.items is empty',
      'response.tags is object, not list',
    ])
  })
})

/** Waits until a run has reached its paused tasks: a decision before that is refused. */
async function isPaused(jobId: string): Promise<void> {
  const statusOf = async () =>
    (await server.admin.call(searchStatuses, { query: { jobId } })).items[0]?.status
  await expect.poll(statusOf).toBe('PAUSED')
}

async function send({ route, call, url, bytes, isAnonymous = false }: HttpExample) {
  const { params, query, ...sent } = inserted(call) as { params?: never; query?: never; body?: unknown }
  const body = bytes === undefined ? sent.body : await bytes()
  const search = new URLSearchParams(query).toString()
  const path = inserted(url ?? `${pathOf(route.path, params)}${search === '' ? '' : `?${search}`}`) as string
  const session = isAnonymous ? server.nobody : server.admin
  const isJson = (route.bodyKind ?? 'json') === 'json'
  const response = await session.fetch(path.replace(server.url, ''), {
    method: route.method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'Content-Type': isJson ? 'application/json' : 'application/octet-stream' },
          body: isJson ? JSON.stringify(body) : (body as string | Uint8Array<ArrayBuffer>),
        }),
  })
  return { status: response.status, text: await response.text() }
}

/** Replaces `{{name}}` in all texts of a request. */
function inserted(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(saved.get(name)))
  if (Array.isArray(value)) return value.map(inserted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inserted(each)]))
}

function valueAt(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], json)
}

/** Returns the first line, without the times in it. */
function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n')).replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, '(time)')
}
