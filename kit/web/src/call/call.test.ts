import { type AddressInfo } from 'node:net'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { ApiError, fieldErrors } from './api-error.ts'
import { call, callRaw, queryText, setCallRelay, setTokenSource } from './call.ts'
import { limitedProviders } from './limited.ts'
import { createQueryClient, leavePage } from './query.ts'
import { abortAllRequests, openRequests } from './requests.ts'

const thing = defineRoute({
  name: 'getThing',
  method: 'POST',
  path: '/things/:name',
  summary: 'A thing.',
  permission: 'signed-in',
  params: z.object({ name: z.string() }),
  query: z.object({ size: z.number().optional(), tag: z.array(z.string()).optional() }),
  body: z.object({ text: z.string() }),
  output: z.object({ ok: z.boolean() }),
})

interface Reply {
  status: number
  body: unknown
  wait?: boolean
  /** The connection ends before the whole body has arrived. */
  breaksOff?: boolean
}

let server: Server
let base: string
let replies: Reply[]
const seen: { request: IncomingMessage; body: string }[] = []
const realFetch = globalThis.fetch

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ request, body })
      const reply = replies.shift() ?? { status: 200, body: { ok: true } }
      if (reply.wait) return
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      if (reply.breaksOff) {
        response.write('{"ok":')
        setTimeout(() => response.destroy(), 20)
        return
      }
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // a browser resolves paths against its page; Node has no page
  globalThis.fetch = (input, init) => realFetch(new URL(input as string, base), init)
})
afterAll(() => {
  globalThis.fetch = realFetch
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  replies = []
  seen.length = 0
})
afterEach(() => {
  setTokenSource(undefined)
  setCallRelay(undefined)
  limitedProviders.store.set(new Set())
})

const input = { params: { name: 'a b/c' }, query: { size: 5, tag: ['x', 'y'] }, body: { text: 'hello' } }

test('a call builds path, query and body according to the route and returns the parsed JSON', async () => {
  expect(await call(thing, input)).toEqual({ ok: true })
  expect(seen[0]?.request.url).toBe('/things/a%20b%2Fc?size=5&tag=x&tag=y')
  expect(seen[0]?.request.headers['content-type']).toBe('application/json')
  expect(seen[0]?.body).toBe('{"text":"hello"}')
  expect(seen[0]?.request.headers.authorization).toBeUndefined()
})

test('an incomplete response, or one that is not from the server, counts as no response', async () => {
  for (const reply of [
    { status: 200, body: '', breaksOff: true },
    { status: 200, body: '<html>Sign in to this network</html>' },
  ]) {
    replies = [reply]
    const error = await call(thing, input).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'noAnswer', isOffline: true })
  }
})

test('a call that the browser cancels when the page closes counts as unanswered', async () => {
  const fetchOfTests = globalThis.fetch
  globalThis.fetch = () => Promise.reject(new DOMException('The page was left.', 'AbortError'))
  try {
    for (const options of [{}, { keep: true }])
      await expect(call(thing, input, options)).rejects.toMatchObject({ code: 'noAnswer', isOffline: true })
  } finally {
    globalThis.fetch = fetchOfTests
  }
})

test('SH-067 DP-010 sends the token as Bearer, and a Target header for a provider that is not local', async () => {
  setTokenSource({ token: () => 't1', renew: async () => false })
  await call(thing, input, { target: 'remote' })
  await call(thing, input, { target: 'Local' })
  await callRaw(thing, input)
  const tokens = seen.map(({ request }) => request.headers.authorization)
  expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1'])
  expect(seen.map(({ request }) => request.headers.target)).toEqual(['remote', undefined, undefined])
})

test('a 401 renews the token once and repeats the call; a second 401 is an error', async () => {
  let token = 'old'
  let renewals = 0
  setTokenSource({ token: () => token, renew: async () => ((token = 'new'), renewals++, true) })
  replies = [{ status: 401, body: { message: 'no' } }]
  expect(await call(thing, input)).toEqual({ ok: true })
  expect(seen.map(({ request }) => request.headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  replies = [
    { status: 401, body: { message: 'no' } },
    { status: 401, body: { message: 'still no' } },
  ]
  await expect(call(thing, input)).rejects.toThrow('still no')
  expect(renewals).toBe(2)
})

test('an error response becomes an ApiError with code, fields and id', async () => {
  replies = [
    {
      status: 400,
      body: {
        timestamp: '2026-01-01T00:00:00',
        status: 400,
        code: 'invalidInput',
        message: 'Name it.',
        errorId: 'e1',
        validationErrors: [{ field: 'body.text', message: 'Too short.' }],
      },
    },
  ]
  const error = await call(thing, input).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 400, code: 'invalidInput', message: 'Name it.', errorId: 'e1' })
  expect(fieldErrors(error)).toEqual({ text: 'Too short.' })
  replies = [{ status: 502, body: '<html>bad gateway</html>' }]
  await expect(call(thing, input)).rejects.toThrow('The server responded with status 502.')
})

test('SH-051 a 429 limits the provider of the call', async () => {
  replies = [{ status: 429, body: { message: 'slower' } }]
  await expect(call(thing, input, { target: 'remote' })).rejects.toThrow('slower')
  expect([...limitedProviders.store.get()]).toEqual(['remote'])
})

test('SH-184 SH-185 leaving a page aborts every open call except persistent ones, and clears the request list', async () => {
  replies = [
    { status: 200, body: {}, wait: true },
    { status: 200, body: {}, wait: true },
  ]
  const first = call(thing, input)
  const second = callRaw(thing, input)
  expect(openRequests.get().map(({ name }) => name)).toEqual(['getThing', 'getThing'])
  const left = leavePage(createQueryClient())
  expect(openRequests.get()).toEqual([])
  await left
  await expect(first).rejects.toMatchObject({ name: 'AbortError' })
  await expect(second).rejects.toMatchObject({ name: 'AbortError' })
  replies = []
  const persistent = call(thing, input, { keep: true })
  expect(openRequests.get()).toEqual([])
  abortAllRequests()
  expect(await persistent).toEqual({ ok: true })
})

test('reports an unreachable server', async () => {
  const there = base
  base = 'http://127.0.0.1:1'
  const error = await call(thing, input).catch((problem: unknown) => problem)
  base = there
  expect(error).toMatchObject({ status: 0, isOffline: true })
})

test('SH-026 DP-013 starts at most five throttled calls in any second', async () => {
  const fetchOfTests = globalThis.fetch
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const startedMs: number[] = []
  const beginMs = performance.now()
  globalThis.fetch = async () => {
    startedMs.push(performance.now() - beginMs)
    return Response.json({ ok: true })
  }
  try {
    const calls = Array.from({ length: 20 }, () => call(thing, input, { throttled: true }))
    await vi.advanceTimersByTimeAsync(3000)
    await Promise.all(calls)
    expect(startedMs).toEqual([0, 1000, 2000, 3000].flatMap((second) => Array<number>(5).fill(second)))
    startedMs.length = 0
    await Promise.all(Array.from({ length: 6 }, () => call(thing, input)))
    expect(new Set(startedMs).size).toBe(1)
  } finally {
    globalThis.fetch = fetchOfTests
    vi.useRealTimers()
  }
})

test('omits query parameters that have no value', () => {
  expect(queryText({ a: 1, b: undefined, c: null, d: '', e: [1, 2] })).toBe('?a=1&d=&e=1&e=2')
  expect(queryText(undefined)).toBe('')
})

test('a relay can return results itself, change calls, or reject them', async () => {
  setCallRelay(async (route, given, options, send) => {
    if (given.params?.name === 'own') return Response.json({ ok: false })
    if (given.params?.name === 'no') throw new ApiError({ status: 403, message: 'Not here.' })
    return send(route, { ...given, params: { name: 'other' } }, options)
  })
  expect(await call(thing, { ...input, params: { name: 'own' } })).toEqual({ ok: false })
  await expect(call(thing, { ...input, params: { name: 'no' } })).rejects.toThrow('Not here.')
  expect(seen).toHaveLength(0)
  expect(await call(thing, input)).toEqual({ ok: true })
  expect(seen[0]?.request.url).toContain('/things/other')
})
