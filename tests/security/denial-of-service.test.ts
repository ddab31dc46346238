import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectedMemory } from '@headwater/server-kit/testing'
import { largeBodyBytes, publicBodyBytes, standardBodyBytes } from '@headwater/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'

const limits = {
  // Server and tests share a process, and 16 MiB of text can block it for longer than 0.4 s on a loaded machine.
  headersTimeoutMs: 2000,
  // 40 connections must open within this time.
  bodyWindowMs: 3000,
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

/** Returns a valid JSON body of exactly this size that no route expects. */
const bodyOf = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('large bodies', () => {
  test('a public route reads at most 64 KiB', async () => {
    expect(publicBodyBytes).toBe(64 * 1024)
    expect(await post(server.nobody, '/auth/login', bodyOf(publicBodyBytes))).toMatchObject({
      status: 400,
      code: 'invalidInput',
    })
    expect(await post(server.nobody, '/auth/login', bodyOf(publicBodyBytes + 1))).toMatchObject({
      status: 413,
      code: 'bodyTooLarge',
      message: expect.stringContaining('65,536 bytes'),
    })
    expect(await post(server.nobody, '/auth/login', nested(8 * 1024 * 1024))).toMatchObject({ status: 413 })
  })

  test('unknown paths and routes that require a sign-in do not read the body', async () => {
    const brackets = '['.repeat(16 * 1024 * 1024)
    expect(await post(server.nobody, '/nothing/here', brackets)).toMatchObject({ status: 404 })
    expect(await post(server.nobody, '/ts/stream', brackets)).toMatchObject({ status: 401 })
  })

  test('a route accepts its declared limit after sign-in, 1 MiB by default', async () => {
    expect(await post(analyst, '/file/group', bodyOf(standardBodyBytes))).toMatchObject({ status: 400 })
    expect(await post(analyst, '/file/group', bodyOf(standardBodyBytes + 1))).toMatchObject({
      status: 413,
      message: expect.stringContaining('1,048,576 bytes'),
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

describe('JSON that is expensive to parse', () => {
  test('rejects more than 64 levels with a message', async () => {
    const depth = { status: 400, code: 'jsonTooDeep', message: expect.stringContaining('at most 64 levels') }
    expect(await post(server.nobody, '/auth/login', nested(64))).toMatchObject({ code: 'invalidInput' })
    expect(await post(server.nobody, '/auth/login', nested(65))).toMatchObject(depth)
    expect(await post(server.nobody, '/auth/login', '{"a":'.repeat(10_000))).toMatchObject(depth)
    expect(await post(analyst, '/ts/stream', nested(largeBodyBytes / 2))).toMatchObject(depth)
  })

  test('brackets, commas and colons inside texts do not count towards the limits', async () => {
    const text = JSON.stringify({ userName: `\\"${nested(100)}${',:'.repeat(20)}`, password: '"' })
    expect(await post(server.nobody, '/auth/login', text)).toMatchObject({ status: 401 })
  })

  test('rejects too many values or members of objects', async () => {
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

  /** Opens a connection from an address of this machine and sends the beginning of a request. */
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

  test('a stalled body gets status 408, and its connection is closed', async () => {
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

  test('an unread body does not keep its connection open', async () => {
    for (const path of ['/ts/stream', '/nothing/here']) {
      const received = await text(await begin(head(path, 'Content-Length: 60000') + '{'))
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(received).not.toContain('408')
    }
  })

  test('a body below the minimum rate is rejected', async () => {
    const socket = await begin(head('/auth/login', 'Content-Length: 60000'))
    const timer = setInterval(() => socket.write('x'), 50)
    expect(await text(socket)).toContain('HTTP/1.1 408')
    clearInterval(timer)
  })

  test('an upload at the minimum rate has no time limit', async () => {
    const pieces = 30
    const socket = await begin(await putOf('slow.txt', pieces * 100))
    const reply = text(socket)
    for (let sent = 0; sent < pieces; sent++) {
      await sleep((2.5 * limits.bodyWindowMs) / pieces)
      socket.write('x'.repeat(100))
    }
    expect(await reply).toContain('HTTP/1.1 200')
  })

  test('endless headers are rejected, and a silent connection is closed without a response', async () => {
    expect(await text(await begin('POST /auth/login HTTP/1.1\r\nHost: a\r\n'))).toContain('HTTP/1.1 408')
    expect(await text(await begin(''))).toBe('')
  })

  test('an address has a limit of connections without a sign-in, which does not affect other addresses and signed-in users', async () => {
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

  test('the connections of a trusted proxy are not limited', async () => {
    const endless = head('/auth/login', 'Content-Length: 60000') + '{'
    const held = await Promise.all(
      Array.from({ length: limits.maxAnonymousPerAddress + 1 }, () => begin(endless, '127.0.0.9')),
    )
    const next = await begin('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '127.0.0.9')
    expect(await text(next)).toContain('HTTP/1.1 200')
    for (const socket of held) socket.destroy()
  })

  test('a new connection replaces an idle one', async () => {
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

  test('releases the memory of bodies that never end', async () => {
    const part = Buffer.alloc(7 * 1024 * 1024, 'x')
    const before = { memory: collectedMemory(), connections: await openConnections() }
    const start = head(
      '/ts/stream',
      `Authorization: Bearer ${analyst.token}`,
      `Content-Length: ${largeBodyBytes}`,
    )
    const held = await Promise.all(Array.from({ length: 12 }, () => begin(start, '127.0.0.4')))
    // The server resets a connection whose client is still sending, and the response is lost.
    const closed = held.map((socket) => once(socket, 'close'))
    for (const socket of held) socket.resume().write(part)
    await Promise.all(closed)
    await expect.poll(openConnections).toBeLessThanOrEqual(before.connections)
    // The bodies total 88 MB. The memory of a socket is freed shortly after its end.
    await expect.poll(() => collectedMemory() - before.memory).toBeLessThan(20_000_000)
  })
})

describe('expensive formulas', () => {
  const groupName = 'Formulas'
  const rowCount = 200_000
  const input = (name: string, code: string) => ({
    name,
    groupName,
    symbols: { Code: code },
    column: 'Value',
  })
  const save = (code: string, expression: string, inputs: readonly ReturnType<typeof input>[]) =>
    analyst.call(createFormula, {
      body: { groupName, symbols: { Code: code }, column: 'Value', expression, inputs: [...inputs] },
    })
  const send = (body: unknown, path = '/ts/stream', signal?: AbortSignal) =>
    analyst.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  const newest = (...codes: string[]) => ({
    keys: codes.map((code) => ({ groupName, symbols: { Code: code } })),
    range: 'LAST',
    lastTypeAmount: 1,
  })
  // lag reads the whole series, even for its newest value.
  const slow = ['lag(x)', ...Array(3).fill(`min(${Array(50).fill('round(x,15)').join(',')})`)].join('+')

  /** Returns the share of the next interval in which the server process computes. */
  async function busyShare(): Promise<number> {
    const before = performance.eventLoopUtilization()
    await sleep(200)
    return performance.eventLoopUtilization(before).utilization
  }

  beforeAll(async () => {
    await analyst.call(createGroup, { body: { name: groupName } })
    const rows = Array.from({ length: rowCount }, (_, row) => {
      const date = new Date(Date.UTC(2020, 0, 1) + row * 60_000).toISOString().slice(0, 19)
      return `A,${date},${1 + (row % 977) / 977}`
    })
    const content = `Code,Date,Value\n${rows.join('\n')}\n`
    expect(await upload(analyst, { groupName, fileType: 'NCSV', content })).toMatchObject({ status: 'READY' })
    const twenty = (code: string) => Array.from({ length: 20 }, (_, at) => input(`x${at}`, code))
    const sum = twenty('A')
      .map(({ name }) => name)
      .join('+')
    for (let level = 1; level <= 5; level++)
      await save(`F${level}`, sum, twenty(level === 1 ? 'A' : `F${level - 1}`))
    await save('SLOW', slow, [input('x', 'A')])
  })

  test('nested formulas are computed once each, even if they are used several times', async () => {
    const response = await send(newest('F5'))
    expect(response.status).toBe(200)
    const last = 1 + ((rowCount - 1) % 977) / 977
    const value = Number((await response.text()).trimEnd().split(',').at(-1))
    expect(value / 20 ** 5).toBeCloseTo(last, 9)
  })

  test.each([
    ['a query', '/ts/stream', newest('SLOW')],
    ['a preview', '/ts/formula/preview', { expression: slow, inputs: [input('x', 'A')], size: 1 }],
  ])(
    '%s of a long expression yields to other requests, and ends when its caller disconnects',
    async (_, path, body) => {
      const caller = new AbortController()
      let isDone = false
      const requested = send(body, path, caller.signal).then(
        ({ status }) => status,
        () => 'left',
      )
      void requested.then(() => (isDone = true))
      for (let count = 0; count < 60; count++) {
        expect((await server.nobody.fetch('/health')).status).toBe(200)
        expect(isDone).toBe(false)
      }
      caller.abort()
      expect(await requested).toBe('left')
      await expect.poll(busyShare).toBeLessThan(0.5)
    },
  )
})
