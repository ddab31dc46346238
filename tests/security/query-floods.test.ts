import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let flooder: Session
let other: Session

beforeAll(async () => {
  server = await startTestServer({
    env: { HEADWATER_QUERIES_AT_ONCE: '2', HEADWATER_QUERIES_PER_USER: '1' },
  })
  flooder = await server.createUser({ email: 'flooder@example.com' })
  other = await server.createUser({ email: 'other@example.com' })
  await flooder.call(createGroup, { body: { name: 'Large' } })
  await other.call(createGroup, { body: { name: 'Small' } })
  const lines = ['Code,Date,Value,Comment(S)\n']
  for (let series = 0; series < 20; series++)
    for (let point = 0; point < 10_000; point++)
      lines.push(
        `S${series},${new Date(point * 3_600_000).toISOString()},${point},${'a long comment '.repeat(5)}\n`,
      )
  await uploadSeries(flooder, { groupName: 'Large', content: lines.join('') })
  await uploadSeries(other, { groupName: 'Small', content: 'Code,Date,Value\nS0,2026-01-01,1\n' })
})
afterAll(() => server.stop())

function post(caller: Session, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return caller.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

type Request = (caller: Session, groupName: string, signal?: AbortSignal) => Promise<Response>

const preview: Request = (caller, groupName, signal) =>
  post(
    caller,
    '/ts/formula/preview',
    { expression: 'x', inputs: [{ name: 'x', groupName, symbols: { Code: 'S0' }, column: 'Value' }] },
    signal,
  )

/** Every request that uses the series engine. */
const requests: [string, Request][] = [
  [
    'POST /ts/stream',
    (caller, groupName, signal) => post(caller, '/ts/stream', { groupName, size: 1 }, signal),
  ],
  ['POST /ts', (caller, groupName, signal) => post(caller, '/ts', { groupName, size: 1 }, signal)],
  [
    'POST /ts/batch',
    (caller, groupName, signal) =>
      post(caller, '/ts/batch', { queries: [{ body: { groupName, size: 1 } }] }, signal),
  ],
  [
    'POST /insight/draft/data',
    (caller, groupName, signal) => {
      const symbols = [{ groupName, symbols: { Code: '*' }, valueColumnNames: ['Value'], pattern: true }]
      const tiles = [{ id: 't', type: 'Table', title: 'T', range: 'ALL' }]
      const content = { tiles, datapreps: { t: { symbols } } }
      return post(caller, '/insight/draft/data', { content, tiles: [{ id: 't' }] }, signal)
    },
  ],
  ['POST /ts/formula/preview', preview],
  [
    'GET /index',
    (caller, groupName, signal) => caller.fetch(`/index?Group=${groupName}`, { signal: signal ?? null }),
  ],
  [
    'GET /catalogue',
    (caller, groupName, signal) => caller.fetch(`/catalogue?Group=${groupName}`, { signal: signal ?? null }),
  ],
  [
    'GET /ts/symbol/search with pointCount',
    (caller, groupName, signal) =>
      caller.fetch(`/ts/symbol/search?groupName=${groupName}&pointCount=true`, { signal: signal ?? null }),
  ],
]

test.each(requests)('%s waits for a slot of its user, and other users do not wait', async (_, send) => {
  const flood = new AbortController()
  const unread = await post(flooder, '/ts/stream', { groupName: 'Large' }, flood.signal)
  await unread.body!.getReader().read()
  let hasResponse = false
  const waiting = send(flooder, 'Large').then(async (response) => {
    const text = await response.text()
    hasResponse = true
    return [response.status, text] as const
  })
  try {
    for (let round = 0; round < 3; round++) {
      const response = await send(other, 'Small')
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    }
    expect(hasResponse).toBe(false)
  } finally {
    flood.abort()
  }
  expect(await waiting).toEqual([200, expect.any(String)])
})

test.each(requests)('%s releases its slot when its client disconnects', async (_, send) => {
  for (let round = 0; round < 10; round++) {
    const controller = new AbortController()
    const requested = send(flooder, 'Large', controller.signal).then((response) => response.body?.cancel())
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await requested.catch(() => {})
  }
  expect((await preview(flooder, 'Large')).status).toBe(200)
})

test('the maximum number of filters and values matches symbols, even with numeric or repeated values', async () => {
  const filters = (name: string, more: (string | number)[]) =>
    Array.from({ length: 100 }, (_, filter) => ({
      name,
      operator: 'IN',
      value: [...Array.from({ length: 1000 - more.length }, (_value, at) => `v${filter}-${at}`), ...more],
    }))
  for (const [name, more] of [
    ['symbols.Code', ['S0', 'S0']],
    ['metadata.Unit', ['']],
  ] as const) {
    const body = { keys: [{ groupName: 'Small' }], filters: filters(name, [...more]) }
    const response = await post(other, '/ts/stream', body)
    expect([response.status, await response.text()]).toEqual([
      200,
      'Code,Date(UTC),Value\nS0,2026-01-01T00:00:00,1\n',
    ])
  }
})
