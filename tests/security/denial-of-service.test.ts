import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { largeBodyBytes, publicBodyBytes, standardBodyBytes } from '@headwater/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let analyst: Session
beforeAll(async () => {
  server = await startTestServer()
  analyst = await server.createUser()
})
afterAll(() => server.stop())

async function post(caller: Session, path: string, body: string, type = 'application/json') {
  const response = await caller.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body })
  const { code, message } = (await response.json()) as { code?: string; message?: string }
  return { status: response.status, code, message }
}

/** A JSON body of exactly this size that is valid, but nothing a route expects. */
const bodyOf = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('large bodies', () => {
  test('a public route accepts 64 KiB and reads no more', async () => {
    expect(publicBodyBytes).toBe(64 * 1024)
    expect(await post(server.nobody, '/auth/login', bodyOf(publicBodyBytes))).toMatchObject({
      status: 400,
      code: 'invalidInput',
    })
    expect(await post(server.nobody, '/auth/login', bodyOf(publicBodyBytes + 1))).toMatchObject({
      status: 413,
      code: 'bodyTooLarge',
      message: expect.stringContaining('65536 bytes'),
    })
    expect(await post(server.nobody, '/auth/login', nested(8 * 1024 * 1024))).toMatchObject({ status: 413 })
  })

  test('a path without a route and a route without a sign-in read nothing', async () => {
    const brackets = '['.repeat(16 * 1024 * 1024)
    expect(await post(server.nobody, '/nothing/here', brackets)).toMatchObject({ status: 404 })
    expect(await post(server.nobody, '/ts/stream', brackets)).toMatchObject({ status: 401 })
  })

  test('a route with a sign-in accepts what it declares, 1 MiB by default', async () => {
    expect(await post(analyst, '/file/group', bodyOf(standardBodyBytes))).toMatchObject({ status: 400 })
    expect(await post(analyst, '/file/group', bodyOf(standardBodyBytes + 1))).toMatchObject({
      status: 413,
      message: expect.stringContaining(`${standardBodyBytes} bytes`),
    })
    expect(await post(analyst, '/ts/stream', bodyOf(largeBodyBytes))).toMatchObject({ status: 400 })
    expect(await post(analyst, '/ts/stream', bodyOf(largeBodyBytes + 1))).toMatchObject({ status: 413 })
    expect(
      await post(analyst, '/mgmt/store/None/a', 'x'.repeat(largeBodyBytes + 1), 'text/plain'),
    ).toMatchObject({
      status: 413,
    })
  })

  test('no route of the server accepts more than its permission allows', () => {
    for (const { bodyBytes = 0, permission } of server.running.platform.router.routes)
      expect(bodyBytes).toBeLessThanOrEqual(permission === 'public' ? publicBodyBytes : largeBodyBytes)
  })
})

describe('JSON that is expensive to read', () => {
  test('at most 64 levels are read, and the message says so', async () => {
    const depth = { status: 400, code: 'jsonTooDeep', message: expect.stringContaining('at most 64 levels') }
    expect(await post(server.nobody, '/auth/login', nested(64))).toMatchObject({ code: 'invalidInput' })
    expect(await post(server.nobody, '/auth/login', nested(65))).toMatchObject(depth)
    expect(await post(server.nobody, '/auth/login', '{"a":'.repeat(10_000))).toMatchObject(depth)
    expect(await post(analyst, '/ts/stream', nested(largeBodyBytes / 2))).toMatchObject(depth)
  })

  test('brackets, commas and colons inside of texts do not count', async () => {
    const text = JSON.stringify({ userName: `\\"${nested(100)}${',:'.repeat(20)}`, password: '"' })
    expect(await post(server.nobody, '/auth/login', text)).toMatchObject({ status: 401 })
  })

  test('more values, or more members of objects, than can be built in a moment are refused', async () => {
    const tooMany = { status: 413, code: 'jsonTooManyValues' }
    expect(await post(analyst, '/ts/stream', `[${'1,'.repeat(1_000_000)}1]`)).toMatchObject(tooMany)
    const members = Array.from({ length: 150_001 }, (_, at) => `"${at}":0`)
    expect(await post(analyst, '/ts/stream', `{${members.join(',')}}`)).toMatchObject(tooMany)
    expect(await post(analyst, '/ts/stream', `{${members.slice(1).join(',')}}`)).toMatchObject({
      status: 400,
    })
  })
})
