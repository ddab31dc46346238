import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, testPassword, type TestServer } from '@headwater/server/testing'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Sends a request like user code in a run, with an unchanged address. */
async function send(method: string, address: string, authorization: string): Promise<string> {
  const socket = connect(join(server.dataFolder, 'run', 'api.sock'))
  await once(socket, 'connect')
  socket.write(
    `${method} ${address} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  )
  return text(socket)
}

test.each([
  '/auth/settings',
  '/auth/settings/',
  '//auth/settings',
  '/%61uth/settings',
  '/auth%2Fsettings',
  '/auth/settings?x=1',
  'http://a/auth/settings',
  'https://a/auth/settings',
  '/Auth/settings',
])('user code in a run cannot reach its account, even with a token of the user: %s', async (address) => {
  const response = await send('GET', address, `Bearer ${server.admin.token}`)
  // The socket is also a proxy: an absolute URL needs its credentials.
  expect(response).toMatch(/^HTTP\/1\.1 40[347] /)
  expect(response).not.toContain('uiEntitlements')
})

test.each([
  ['/auth/login', 403, 'Code of a run is not allowed to call this route.'],
  ['http://a/auth/login', 407, 'The proxy credentials are missing or not valid.'],
])('user code in a run cannot sign in: %s', async (address, status, message) => {
  const credentials = Buffer.from(`${server.admin.userName}:${testPassword}`).toString('base64')
  const response = await send('GET', address, `Basic ${credentials}`)
  expect(response).toContain(`HTTP/1.1 ${status} `)
  expect(response).toContain(message)
})

test.each(['/file/group', '//file/group/', '/file/%67roup'])(
  'user code in a run can call a route that allows it: %s',
  async (address) => {
    expect(await send('GET', address, `Bearer ${server.admin.token}`)).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test.each(['/health', '/configuration', '/mgmt/pipeline', '//mgmt/pipeline', '/%6Dgmt/pipeline/'])(
  'user code in a run cannot call a route that does not allow it with any credentials: %s',
  async (address) => {
    const response = await send('GET', address, `Bearer ${server.admin.token}`)
    expect(response).toMatch(/^HTTP\/1\.1 403 /)
    expect(response).toContain('notAllowedInRuns')
  },
)
