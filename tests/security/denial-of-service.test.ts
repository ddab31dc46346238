import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { largeBodyBytes, publicBodyBytes, standardBodyBytes } from '@headwater/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

const limits = {
  headersTimeoutMs: 400,
  bodyWindowMs: 1000,
  minBodyBytesPerSecond: 200,
  maxAnonymousPerAddress: 40,
}

let server: TestServer
let analyst: Session
beforeAll(async () => {
  server = await startTestServer({
    connectionLimits: limits,
    env: { HEADWATER_TRUSTED_PROXIES: '127.0.0.9' },
  })
  analyst = await server.createUser()
  await analyst.call(createGroup, { body: { name: 'Slow' } })
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

describe('connections that do not end', () => {
  const head = (path: string, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')

  /** Opens a connection from an address of this machine and sends the beginning of something. */
  async function begin(beginning: string, localAddress = '127.0.0.1'): Promise<Socket> {
    const { port, hostname } = new URL(server.url)
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(beginning)
    return socket
  }

  /** Announces a file; returns the head of the request that uploads its content. */
  async function putOf(fileName: string, bytes: number): Promise<string> {
    const { location } = await analyst.call(createFile, { body: { groupName: 'Slow', fileName } })
    const { pathname, search } = new URL(location)
    return [
      `PUT ${pathname}${search} HTTP/1.1`,
      'Host: a',
      'Connection: close',
      `Content-Length: ${bytes}`,
      '',
      '',
    ].join('\r\n')
  }

  function openConnections(): Promise<number> {
    return new Promise((resolve, reject) =>
      server.running.platform.app.server.getConnections((error, count) =>
        error ? reject(error) : resolve(count),
      ),
    )
  }

  test('a body that stops arriving is refused with 408, and its connection is closed', async () => {
    const bodies = [
      begin(head('/auth/login', 'Content-Length: 60000') + '{"userName":"'),
      begin(head('/auth/login', 'Transfer-Encoding: chunked') + '1\r\n{\r\n'),
      begin(await putOf('stopped.txt', 60_000)),
    ]
    for (const socket of await Promise.all(bodies)) {
      const received = await text(socket)
      expect(received).toContain('HTTP/1.1 408')
      expect(received).toContain('"code":"requestTimeout"')
    }
  })

  test('a body that nobody reads does not keep its connection open either', async () => {
    for (const path of ['/ts/stream', '/nothing/here']) {
      const received = await text(await begin(head(path, 'Content-Length: 60000') + '{'))
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(received).not.toContain('408')
    }
  })

  test('a body that trickles below the lowest rate is refused', async () => {
    const socket = await begin(head('/auth/login', 'Content-Length: 60000'))
    const timer = setInterval(() => socket.write('x'), 50)
    expect(await text(socket)).toContain('HTTP/1.1 408')
    clearInterval(timer)
  })

  test('an upload that keeps to the lowest rate may take as long as it needs', async () => {
    const pieces = 30
    const socket = await begin(await putOf('slow.txt', pieces * 100))
    const answer = text(socket)
    for (let sent = 0; sent < pieces; sent++) {
      await sleep((2.5 * limits.bodyWindowMs) / pieces)
      socket.write('x'.repeat(100))
    }
    expect(await answer).toContain('HTTP/1.1 200')
  })

  test('headers that do not end are refused, and a connection that sends nothing is closed without a word', async () => {
    expect(await text(await begin('POST /auth/login HTTP/1.1\r\nHost: a\r\n'))).toContain('HTTP/1.1 408')
    expect(await text(await begin(''))).toBe('')
  })

  test('an address has so many connections without a sign-in, others and signed-in users are not concerned', async () => {
    await expect.poll(openConnections).toBeLessThan(limits.maxAnonymousPerAddress)
    const signedIn = await begin(
      `GET /auth/settings HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${analyst.token}\r\n\r\n`,
      '127.0.0.2',
    )
    await once(signedIn, 'data')
    const endless = head('/auth/login', 'Content-Length: 60000') + '{'
    const held = await Promise.all(
      Array.from({ length: limits.maxAnonymousPerAddress }, () => begin(endless, '127.0.0.2')),
    )
    const refused = await text(await begin('', '127.0.0.2'))
    expect(refused).toContain('HTTP/1.1 503')
    expect(refused).toContain('"code":"tooManyConnections"')
    signedIn.write(`GET /health HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(String(await once(signedIn, 'data'))).toContain('HTTP/1.1 200')
    expect((await server.nobody.fetch('/health')).status).toBe(200)
    for (const socket of [...held, signedIn]) socket.destroy()
  })

  test('the connections of a trusted proxy are not limited, as they carry everybody', async () => {
    const endless = head('/auth/login', 'Content-Length: 60000') + '{'
    const held = await Promise.all(
      Array.from({ length: limits.maxAnonymousPerAddress + 1 }, () => begin(endless, '127.0.0.9')),
    )
    const next = await begin('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '127.0.0.9')
    expect(await text(next)).toContain('HTTP/1.1 200')
    for (const socket of held) socket.destroy()
  })

  test('an idle connection gives way to a new one', async () => {
    const idle = await begin('GET /health HTTP/1.1\r\nHost: a\r\n\r\n', '127.0.0.3')
    await once(idle, 'data')
    const closed = once(idle, 'close')
    const endless = head('/auth/login', 'Content-Length: 60000') + '{'
    const held = await Promise.all(
      Array.from({ length: limits.maxAnonymousPerAddress }, () => begin(endless, '127.0.0.3')),
    )
    await closed
    for (const socket of held) socket.destroy()
  })

  test('what was held is given back when the bodies have been refused', async () => {
    const before = await openConnections()
    const held = await Promise.all(
      Array.from({ length: limits.maxAnonymousPerAddress }, () =>
        begin(head('/auth/login', 'Content-Length: 60000') + 'x'.repeat(59_000), '127.0.0.4'),
      ),
    )
    await Promise.all(held.map((socket) => text(socket)))
    await expect.poll(openConnections).toBeLessThanOrEqual(before)
  })
})
