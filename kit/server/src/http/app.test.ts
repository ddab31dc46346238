import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineRoute, errorShape } from '@headwater/contract'
import { systemClock } from '../clock.ts'
import { silentLog } from '../testing/silent-log.ts'
import { createApp } from './app.ts'
import { createRouter } from './register-route.ts'

const echo = defineRoute({
  name: 'echo',
  method: 'POST',
  path: '/echo/:name',
  summary: 'Returns the request.',
  permission: 'public',
  params: z.object({ name: z.string() }),
  body: z.unknown(),
  output: z.object({ body: z.unknown() }),
})
const echoText = defineRoute({
  name: 'echoText',
  method: 'POST',
  path: '/text',
  summary: 'Returns the request.',
  permission: 'public',
  bodyKind: 'text',
  body: z.string(),
  output: z.object({ body: z.string() }),
})
const look = defineRoute({
  name: 'look',
  method: 'GET',
  path: '/echo/:name',
  summary: 'Returns nothing.',
  permission: 'public',
  params: z.object({ name: z.string() }),
  output: z.object({}),
})

let app: FastifyInstance
let port: number

beforeAll(async () => {
  app = await createApp({ log: silentLog(), clock: systemClock })
  const router = createRouter(app, { authenticate: async () => undefined, checkOutput: true })
  router.add(echo, async ({ body }) => ({ body }))
  router.add(echoText, async ({ body }) => ({ body }))
  router.add(look, async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

async function sent(request: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: errorShape.parse(JSON.parse(body)) }
}

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  { path = '/echo/a', type = 'application/json' }: { path?: string; type?: string } = {},
) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
  return {
    status: response.status,
    body: (await response.json()) as { code?: string; message?: string; body?: unknown },
  }
}

test.each([
  ['a length that is not a number', 'POST /echo/a HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  [
    'a chunk without its size',
    'POST /echo/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n',
  ],
  ['another protocol', 'HELLO\r\n\r\n'],
])('responds to broken HTTP in the error shape: %s', async (_what, request) => {
  const { status, head, body } = await sent(request)
  expect([status, body.status, body.code]).toEqual([400, 400, 'invalidHttp'])
  expect(head).toContain('Connection: close')
})

test('rejects headers that do not end as too large', async () => {
  const { status, body } = await sent(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}`)
  expect([status, body.code]).toEqual([431, 'headersTooLarge'])
})

test('responds to an undecodable URL in the error shape', async () => {
  for (const path of ['/%ff', '/echo/%', '/echo/%e0%a4']) {
    const { status, head, body } = await sent(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect([status, body.status, body.code]).toEqual([400, 400, 'invalidUrl'])
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  }
})

test('lists the allowed methods of a path', async () => {
  for (const path of ['/echo/a', '/echo/a/', '/echo/a?b=1']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(errorShape.parse(await response.json())).toMatchObject({ status: 405, code: 'methodNotAllowed' })
  }
  for (const path of ['/echo', '/echo/', '/echo/a/b', '/nothing']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' })
    expect([response.status, response.headers.get('Allow')]).toEqual([404, null])
  }
})

test('rejects text that is not UTF-8 without replacing characters', async () => {
  const broken = Buffer.from([0x22, 0x61, 0xff, 0x22])
  for (const options of [{}, { path: '/text', type: 'text/plain' }]) {
    const { status, body } = await post(broken, options)
    expect([status, body.code]).toEqual([400, 'invalidText'])
  }
  expect(await post('"Öl 💧"')).toEqual({ status: 200, body: { body: 'Öl 💧' } })
  expect(await post('Öl 💧', { path: '/text', type: 'text/plain' })).toEqual({
    status: 200,
    body: { body: 'Öl 💧' },
  })
})

test('rejects JSON in another encoding with a message', async () => {
  const { status, body } = await post(Buffer.from('"a"', 'utf16le'), {
    type: 'application/json; charset=utf-16',
  })
  expect([status, body.code]).toEqual([415, 'charsetNotKnown'])
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"'])
    expect((await post('"a"', { type: `application/json; charset=${charset}` })).status).toBe(200)
})

test.each(['"\\ud800"', '{"a":["\\uDC00x"]}', '{"\\ud83d":1}', '[[{"a":{"b":"x\\udfff"}}]]'])(
  'rejects an unpaired surrogate in JSON: %s',
  async (json) => {
    const { status, body } = await post(json)
    expect([status, body.code]).toEqual([400, 'invalidText'])
  },
)

test('accepts complete surrogate pairs and text that only looks like an unpaired one', async () => {
  expect((await post('"\\ud83d\\udca7"')).body).toEqual({ body: '💧' })
  expect((await post('"\\\\ud800"')).body).toEqual({ body: '\\ud800' })
})

test('rejects JSON that does not parse or that sets a prototype, each with its message', async () => {
  for (const json of ['{', 'nonsense'])
    expect(await post(json)).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
  for (const json of ['{"__proto__":{"a":1}}', '{"a":{"constructor":{"prototype":1}}}'])
    expect(await post(json)).toMatchObject({ status: 400, body: { code: 'reservedName' } })
})

test('rejects a body without a JSON content type and names the type to send', async () => {
  const { status, body } = await post('{}', { type: 'text/plain' })
  expect([status, body.code]).toEqual([415, 'contentTypeNotKnown'])
  expect(body.message).toContain('Content-Type: application/json')
})

test.each([
  ['https://data.example.com', 'max-age=31536000'],
  ['http://data.example.com', undefined],
  [undefined, undefined],
])('sends HSTS when users reach the server by https: %s', async (publicUrl, expected) => {
  const served = await createApp({ log: silentLog(), clock: systemClock, publicUrl })
  const { headers } = await served.inject('/nothing')
  expect(headers['strict-transport-security']).toBe(expected)
  await served.close()
})
