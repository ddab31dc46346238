import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineRoute, errorShape } from '@headwater/contract'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { createApp } from './app.ts'
import { createRouter } from './register-route.ts'

const echo = defineRoute({
  name: 'echo',
  method: 'POST',
  path: '/echo/:name',
  summary: 'Answers with what was sent.',
  permission: 'public',
  params: z.object({ name: z.string() }),
  body: z.unknown(),
  output: z.object({ body: z.unknown() }),
})
const echoText = defineRoute({
  name: 'echoText',
  method: 'POST',
  path: '/text',
  summary: 'Answers with what was sent.',
  permission: 'public',
  bodyKind: 'text',
  body: z.string(),
  output: z.object({ body: z.string() }),
})
const look = defineRoute({
  name: 'look',
  method: 'GET',
  path: '/echo/:name',
  summary: 'Answers with nothing.',
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
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { code?: string; message?: string; body?: unknown },
  }
}

test.each([
  ['a length that is no number', 'POST /echo/a HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  [
    'a chunk without its size',
    'POST /echo/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n',
  ],
  ['another protocol', 'HELLO\r\n\r\n'],
])('broken HTTP is answered in the shape of every error: %s', async (_what, request) => {
  const { status, head, body } = await sent(request)
  expect([status, body.status, body.code]).toEqual([400, 400, 'invalidHttp'])
  expect(head).toContain('Connection: close')
})

test('headers without end are told as too large', async () => {
  const { status, body } = await sent(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect([status, body.code]).toEqual([431, 'headersTooLarge'])
})

test('an address that cannot be decoded is answered in the shape of every error', async () => {
  for (const path of ['/%ff', '/echo/%', '/echo/%e0%a4']) {
    const { status, head, body } = await sent(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect([status, body.status, body.code]).toEqual([400, 400, 'invalidUrl'])
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  }
})

test('a path that does not take the method tells which it takes', async () => {
  for (const path of ['/echo/a', '/echo/a/', '/echo/a?b=1']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(errorShape.parse(await answer.json())).toMatchObject({ status: 405, code: 'methodNotAllowed' })
  }
  for (const path of ['/echo', '/echo/', '/echo/a/b', '/nothing']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([404, null])
  }
})

test('text that is not UTF-8 is refused, and nothing is put in its place', async () => {
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

test('JSON in another encoding is refused with a sentence', async () => {
  const { status, body } = await post(Buffer.from('"a"', 'utf16le'), {
    type: 'application/json; charset=utf-16',
  })
  expect([status, body.code]).toEqual([415, 'charsetNotKnown'])
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"'])
    expect((await post('"a"', { type: `application/json; charset=${charset}` })).status).toBe(200)
})

test.each(['"\\ud800"', '{"a":["\\uDC00x"]}', '{"\\ud83d":1}', '[[{"a":{"b":"x\\udfff"}}]]'])(
  'half a character in JSON is refused: %s',
  async (json) => {
    const { status, body } = await post(json)
    expect([status, body.code]).toEqual([400, 'invalidText'])
  },
)

test('a whole character in two halves, and what only looks like a half, are taken', async () => {
  expect((await post('"\\ud83d\\udca7"')).body).toEqual({ body: '💧' })
  expect((await post('"\\\\ud800"')).body).toEqual({ body: '\\ud800' })
})

test('JSON that cannot be parsed, or that reaches for a prototype, is a mistake of the caller, each in its words', async () => {
  for (const json of ['{', 'nonsense'])
    expect(await post(json)).toMatchObject({ status: 400, body: { code: 'invalidRequest' } })
  for (const json of ['{"__proto__":{"a":1}}', '{"a":{"constructor":{"prototype":1}}}'])
    expect(await post(json)).toMatchObject({ status: 400, body: { code: 'reservedName' } })
})

test('a body that is not called JSON is told what to be called', async () => {
  const { status, body } = await post('{}', { type: 'text/plain' })
  expect([status, body.code]).toEqual([415, 'contentTypeNotKnown'])
  expect(body.message).toContain('Content-Type: application/json')
})

test.each([
  ['https://data.example.com', 'max-age=31536000'],
  ['http://data.example.com', undefined],
  [undefined, undefined],
])('browsers are told to keep to https if users reach the server by it: %s', async (publicUrl, expected) => {
  const served = await createApp({ log: silentLog(), clock: systemClock, publicUrl })
  const { headers } = await served.inject('/nothing')
  expect(headers['strict-transport-security']).toBe(expected)
  await served.close()
})
