import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError, parseHostPattern } from '@headwater/contract'
import { certificate, privateKey } from './testing-certificate.ts'
import { createEgress, type EgressOptions } from './egress.ts'

let server: Server
let port: number
/** Requests that the server has received. */
const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request
  const path = url.replace(/\?.*/, '')
  if (path === '/hangs') return
  received.push({ method, url, headers, body: await text(request) })
  const to = new URL(url, 'http://x').searchParams.get('to') ?? ''
  const status = Number(/^\/(30\d)$/.exec(path)?.[1] ?? 200)
  if (status !== 200) response.writeHead(status, { Location: to }).end()
  else if (path === '/large-headers') response.writeHead(200, { 'X-Large': 'x'.repeat(20_000) }).end()
  else if (path === '/announced') response.writeHead(200, { 'Content-Length': 2_000_000 }).write('x')
  else if (path === '/endless') {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000))) continue
    }
    response.on('drain', write)
    write()
  } else if (path === '/slow') response.write('a')
  else if (path === '/breaks') {
    response.write('a')
    setTimeout(() => response.destroy(), 50)
  } else response.end('hello')
}

/** A client with its own DNS resolver. */
function egressWith(addresses: Record<string, string[]>, options: Partial<EgressOptions> = {}) {
  const resolved: string[] = []
  const egress = createEgress({
    internalHosts: [parseHostPattern(`inside.example:${port}`)!, parseHostPattern(`127.0.0.1:${port}`)!],
    async resolve(host) {
      resolved.push(host)
      const known = addresses[host]
      if (known === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
      return known
    },
    ...options,
  })
  return { ...egress, resolved }
}

const inside = () => egressWith({ 'inside.example': ['127.0.0.1'] })

async function failure(
  promise: Promise<unknown>,
): Promise<{ code: string; status: number; message: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  if (!(error instanceof AppError)) throw error instanceof Error ? error : new Error('It succeeded.')
  return { code: error.code, status: error.status, message: error.message }
}

test('sends a request with its body to an allowed internal host, and streams the response', async () => {
  const { request, resolved } = inside()
  const response = await request({
    url: `http://Inside.Example:${port}/path?x=1#fragment`,
    method: 'post',
    headers: { 'X-Key': 'value', 'content-type': 'text/plain' },
    body: Readable.from(['one ', 'two']),
  })
  expect(response).toMatchObject({ status: 200, url: `http://inside.example:${port}/path?x=1#fragment` })
  expect(await text(response.body)).toBe('hello')
  expect(received.at(-1)).toMatchObject({
    method: 'POST',
    url: '/path?x=1',
    body: 'one two',
    headers: {
      host: `inside.example:${port}`,
      'x-key': 'value',
      'content-type': 'text/plain',
      'transfer-encoding': 'chunked',
      'accept-encoding': 'identity',
    },
  })
  expect(resolved).toEqual(['inside.example'])
})

test('sends the length of a body if it is known', async () => {
  const { request } = inside()
  const url = `http://inside.example:${port}/`
  await request({ url, method: 'PUT', body: 'text' })
  expect(received.at(-1)).toMatchObject({ body: 'text', headers: { 'content-length': '4' } })
  await request({ url, method: 'PUT', body: Readable.from(['text']), bodyBytes: 4 })
  expect(received.at(-1)).toMatchObject({ body: 'text', headers: { 'content-length': '4' } })
})

test.each([
  'http://127.0.0.1:1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://private.example/',
  'http://mixed.example/',
  'http://metadata.example/',
])('rejects the internal address %s', async (url) => {
  const { request, connect } = egressWith({
    'private.example': ['192.168.1.1'],
    'mixed.example': ['8.8.8.8', '10.0.0.1'],
    'metadata.example': ['::ffff:a9fe:a9fe'],
  })
  const expected = { code: 'egressAddressForbidden', status: 403 }
  const problem = await failure(request({ url }))
  expect(problem).toMatchObject(expected)
  expect(problem.message).toContain('is an internal host. Use a public host, or ask an administrator')
  const { hostname } = new URL(url)
  expect(await failure(connect({ host: hostname, port: 22 }))).toMatchObject(expected)
})

test('a listed name can resolve to internal addresses, on its port only, but never to a metadata service', async () => {
  const name = 'inside.example'
  expect(await failure(inside().request({ url: `http://${name}:${port + 1}/` }))).toMatchObject({
    code: 'egressAddressForbidden',
    message: `“${name}:${port + 1}” is an internal host. Use a public host, or ask an administrator to add “${name}:${port + 1}” to HEADWATER_INTERNAL_HOSTS.`,
  })
  const hostile = egressWith({ [name]: ['169.254.169.254'] })
  expect(await failure(hostile.request({ url: `http://${name}:${port}/` }))).toMatchObject({
    code: 'egressAddressForbidden',
  })
})

test('a second DNS response does not change the target', async () => {
  let count = 0
  const { request } = egressWith(
    {},
    {
      // The first DNS response is allowed; all later ones point to another address.
      resolve: async () => [(count += 1) === 1 ? '127.0.0.1' : '169.254.169.254'],
    },
  )
  const response = await request({ url: `http://inside.example:${port}/` })
  expect(await text(response.body)).toBe('hello')
  expect(count).toBe(1)
  expect(await failure(request({ url: `http://inside.example:${port}/` }))).toMatchObject({
    code: 'egressAddressForbidden',
  })
})

test.each(['http://127.0.0.1:1/x', 'http://169.254.169.254/', 'http://[::1]/', 'http://private.example/'])(
  'rejects a redirect to %s',
  async (target) => {
    const { request } = egressWith({ 'inside.example': ['127.0.0.1'], 'private.example': ['10.1.1.1'] })
    const url = `http://inside.example:${port}/302?to=${encodeURIComponent(target)}`
    expect(await failure(request({ url }))).toMatchObject({ code: 'egressAddressForbidden' })
  },
)

test.each(['ftp://inside.example/', 'file:///etc/passwd', 'http://user:pass@inside.example/', 'http://['])(
  'rejects the redirect target and the URL %s',
  async (target) => {
    const url = `http://inside.example:${port}/302?to=${encodeURIComponent(target)}`
    expect(await failure(inside().request({ url }))).toMatchObject({
      code: 'egressRedirectInvalid',
      status: 424,
    })
    expect(await failure(inside().request({ url: target }))).toMatchObject({
      code: 'egressUrlInvalid',
      status: 400,
    })
  },
)

test('follows redirects, without sending the credentials of the caller to another origin', async () => {
  const { request } = inside()
  const origin = `http://inside.example:${port}`
  const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'x', Accept: 'text/csv' }
  const same = await request({ url: `${origin}/307?to=/next`, method: 'POST', body: 'text', headers })
  expect(same.url).toBe(`${origin}/next`)
  expect(received.at(-1)).toMatchObject({
    method: 'POST',
    body: 'text',
    headers: { authorization: 'Bearer x' },
  })
  await request({ url: `${origin}/302?to=/next`, method: 'POST', body: 'text', headers })
  expect(received.at(-1)).toMatchObject({ method: 'GET', body: '' })

  const other = encodeURIComponent(`http://127.0.0.1:${port}/other`)
  await request({ url: `${origin}/302?to=${other}`, headers })
  expect(received.at(-1)).toMatchObject({ url: '/other', headers: { accept: 'text/csv' } })
  expect(Object.keys(received.at(-1)!.headers)).not.toContain('authorization')
  expect(Object.keys(received.at(-1)!.headers)).not.toContain('x-api-key')

  const returned = await request({ url: `${origin}/302?to=/next`, returnsRedirects: true })
  expect(returned).toMatchObject({ status: 302, headers: { location: '/next' } })
})

test('stops after too many redirects, and does not resend a streamed body', async () => {
  const { request } = inside()
  const loop = `http://inside.example:${port}/302?to=${encodeURIComponent('/302?to=/302')}`
  expect(await failure(request({ url: loop, maxRedirects: 1 }))).toMatchObject({
    code: 'egressTooManyRedirects',
    message:
      '“inside.example” redirected the request more than 1 times. Use the URL at the end of the redirects.',
  })
  const url = `http://inside.example:${port}/307?to=/next`
  expect(await failure(request({ url, method: 'POST', body: Readable.from(['a']) }))).toMatchObject({
    code: 'egressBodyNotRepeatable',
  })
})

test('the caller decides about each host, including redirect targets', async () => {
  const { request, connect } = inside()
  const hosts: string[] = []
  const isAllowed = ({ host, port: target }: { host: string; port: number }) => {
    hosts.push(`${host}:${target}`)
    return host === 'inside.example'
  }
  const to = encodeURIComponent(`http://127.0.0.1:${port}/`)
  const url = `http://inside.example:${port}/302?to=${to}`
  expect(await failure(request({ url, isAllowed }))).toMatchObject({
    code: 'egressHostNotAllowed',
    status: 403,
    message: `Connections to “127.0.0.1:${port}” are not allowed. Ask an administrator to allow this host and port.`,
  })
  expect(hosts).toEqual([`inside.example:${port}`, `127.0.0.1:${port}`])
  expect(await failure(connect({ host: 'x.example', port: 1 }, { isAllowed }))).toMatchObject({
    code: 'egressHostNotAllowed',
  })
})

test('limits the body, the headers and the duration of a response', async () => {
  const { request } = inside()
  const url = (path: string) => `http://inside.example:${port}${path}`
  expect(await failure(request({ url: url('/announced'), maxResponseBytes: 1_000_000 }))).toMatchObject({
    code: 'egressTooLarge',
    message: 'The response of “inside.example” has more than 1,000,000 bytes. Request less data.',
  })
  const endless = await request({ url: url('/endless'), maxResponseBytes: 1_000_000 })
  expect(await failure(buffer(endless.body))).toMatchObject({ code: 'egressTooLarge' })
  expect(await failure(request({ url: url('/large-headers') }))).toMatchObject({
    code: 'egressHeadersTooLarge',
  })
  expect(await failure(request({ url: url('/hangs'), timeoutMs: 200 }))).toMatchObject({
    code: 'egressTimedOut',
    message: '“inside.example” did not respond completely within 0.2 s. Try again later, or allow more time.',
  })
  // The beginning of the response must arrive within this time, even on a busy machine.
  const slow = await request({ url: url('/slow'), timeoutMs: 3000 })
  expect(await failure(buffer(slow.body))).toMatchObject({ code: 'egressTimedOut' })
})

test('explains a broken connection, an unknown host and a closed port', async () => {
  const { request } = inside()
  const broken = await request({ url: `http://inside.example:${port}/breaks` })
  expect(await failure(buffer(broken.body))).toMatchObject({ code: 'egressConnectionFailed', status: 424 })
  expect(await failure(request({ url: 'http://unknown.example/' }))).toMatchObject({
    code: 'egressHostNotFound',
    status: 424,
    message: 'The host “unknown.example” was not found. Check its name, or try again later.',
  })
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port: closedPort } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const open = egressWith({}, { internalHosts: [parseHostPattern('127.0.0.1')!] })
  expect(await failure(open.request({ url: `http://127.0.0.1:${closedPort}/` }))).toMatchObject({
    code: 'egressConnectionFailed',
    message: `The connection to “127.0.0.1:${closedPort}” failed (ECONNREFUSED). Check host and port, or try again later.`,
  })
})

test('a signal aborts a request and its body', async () => {
  const { request, connect } = inside()
  const url = (path: string) => `http://inside.example:${port}${path}`
  const reason = new Error('stopped')
  await expect(request({ url: url('/'), signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await expect(connect({ host: 'inside.example', port }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
  const stop = new AbortController()
  const { body } = await request({ url: url('/slow'), signal: stop.signal })
  stop.abort(reason)
  await expect(buffer(body)).rejects.toBe(reason)
})

test('a DNS server that does not respond causes a timeout', async () => {
  const { connect } = egressWith({}, { resolve: () => new Promise(() => undefined) })
  expect(await failure(connect({ host: 'a.example', port: 1 }, { connectTimeoutMs: 100 }))).toMatchObject({
    code: 'egressTimedOut',
  })
})

test.each([
  ['Host', 'x'],
  ['transfer-encoding', 'chunked'],
  ['Proxy-Authorization', 'x'],
  ['X-Key', 'a\r\nX-Other: b'],
  ['X Key', 'a'],
])('rejects the header %s', async (name, value) => {
  const url = `http://inside.example:${port}/`
  expect(await failure(inside().request({ url, headers: { [name]: value } }))).toMatchObject({
    code: 'egressHeaderInvalid',
    status: 400,
  })
})

test('opens a TCP connection to a checked address', async () => {
  const echo = createTcpServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { port: echoPort } = echo.address() as AddressInfo
  const { connect } = egressWith(
    { 'sftp.example': ['127.0.0.1'] },
    { internalHosts: [parseHostPattern(`sftp.example:${echoPort}`)!] },
  )
  const socket = await connect({ host: 'sftp.example', port: echoPort })
  socket.end('hello')
  expect(await text(socket)).toBe('hello')
  for (const target of [
    { host: '', port: 1 },
    { host: 'a b', port: 1 },
    { host: 'a', port: 0 },
    { host: 'a', port: 65_536 },
  ])
    expect(await failure(connect(target))).toMatchObject({ code: 'egressHostInvalid', status: 400 })
  echo.close()
})

test('HTTPS checks the certificate against the host name', async () => {
  const names: unknown[] = []
  const secure = createHttpsServer({ key: privateKey, cert: certificate }, (_request, response) =>
    response.end('secure'),
  )
  // The types of Node lack the server name that the client sent.
  secure.on('secureConnection', (socket) => names.push(Reflect.get(socket, 'servername')))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const { port: securePort } = secure.address() as AddressInfo
  const addresses = { 'secure.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }
  const internalHosts = ['secure.example', 'other.example'].map((host) => parseHostPattern(host)!)
  const trusting = egressWith(addresses, { internalHosts, authorities: [certificate] })
  const response = await trusting.request({ url: `https://secure.example:${securePort}/` })
  expect(await text(response.body)).toBe('secure')
  expect(names).toEqual(['secure.example'])
  expect(await failure(trusting.request({ url: `https://other.example:${securePort}/` }))).toMatchObject({
    code: 'egressCertificateInvalid',
  })
  const usual = egressWith(addresses, { internalHosts })
  expect(await failure(usual.request({ url: `https://secure.example:${securePort}/` }))).toMatchObject({
    code: 'egressCertificateInvalid',
    status: 424,
  })
  secure.closeAllConnections()
  secure.close()
})

test('a connection to an earlier address skips DNS but still checks the address', async () => {
  const { connect, resolved } = egressWith({})
  const socket = await connect({ host: 'inside.example', port }, { address: '127.0.0.1' })
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  const other = connect({ host: 'other.example', port }, { address: '127.0.0.1' })
  expect(await failure(other)).toMatchObject({ code: 'egressAddressForbidden' })
  const metadata = connect({ host: 'inside.example', port }, { address: '169.254.169.254' })
  expect(await failure(metadata)).toMatchObject({ code: 'egressAddressForbidden' })
  expect(resolved).toEqual([])
})
