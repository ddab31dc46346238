import { request, Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import type { Route } from '@headwater/contract'

const isLong = inject('campaign') === 'long'
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

let server: TestServer
let routes: readonly Route[]
beforeAll(async () => {
  server = await startTestServer()
  routes = server.running.platform.router.routes
})
afterAll(async () => {
  agent.destroy()
  await server.stop()
})

interface Sent {
  method: string
  /** Sent unchanged. */
  path: string
  headers?: Record<string, string>
  body?: string
}

function send({ method, path, headers = {}, body }: Sent): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
      // A stream of events does not end.
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        response.destroy()
        resolve({ status: response.statusCode ?? 0, text: '' })
        return
      }
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Returns a URL of a route with ids of missing objects. */
const addressOf = ({ path }: Route) => path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')

const spellings: ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}/configs`,
  (path) => `${path};a=b`,
  (path) => `/public/..${path}`,
  (path) => `/health/%2e%2e${path}`,
  (path) => path.replace(/^\/(\w)/, (_all, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
  (path) => `http://a${path}`,
]
const rareSpellings: ((path: string) => string)[] = [
  (path) => `/.${path}`,
  (path) => `${path}.json`,
  (path) => `${path}%2f`,
  (path) => `${path}%00`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => `${path}?token=x&access_token=x`,
  (path) => `//a${path}`,
]

describe('a route that needs a sign-in', () => {
  test('is rejected without credentials for any spelling of its path', async () => {
    const guarded = routes.filter(({ permission }) => permission !== 'public')
    expect(guarded.length).toBeGreaterThan(50)
    const open: string[] = []
    const send1 = async (route: Route, spell: (path: string) => string) => {
      const path = spell(addressOf(route))
      const { status } = await send({ method: route.method, path })
      if (![400, 401, 403, 404, 405].includes(status)) open.push(`${status} ${route.method} ${path}`)
    }
    for (const route of guarded)
      await Promise.all([...spellings, ...(isLong ? rareSpellings : [])].map((spell) => send1(route, spell)))
    expect(open).toEqual([])
  })

  test('cannot be reached through a header with another method or path', async () => {
    for (const headers of [
      { 'X-HTTP-Method-Override': 'DELETE' },
      { 'X-Original-URL': '/auth/users' },
      { 'X-Rewrite-URL': '/auth/users' },
      { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-User': server.admin.userName },
      { 'X-KH-JOB-ID': '00000000-0000-4000-8000-000000000000' },
      { Target: 'Local' },
    ]) {
      expect(await send({ method: 'GET', path: '/auth/users', headers: headers as never })).toMatchObject({
        status: 401,
      })
      const health = await send({ method: 'GET', path: '/health', headers: headers as never })
      expect(health.text).not.toContain('@example.com')
    }
  })

  test('only the listed routes need no sign-in', () => {
    const open = routes.filter(({ permission }) => permission === 'public')
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /auth/activation/:token',
      'GET /auth/login',
      'GET /configuration',
      'GET /file/:fid/content',
      'GET /file/:fid/parts',
      'GET /file/archive',
      'GET /health',
      'GET /insight/public/file/:groupName/:fileName',
      'GET /insight/public/fileversion/:groupName/:fileName',
      'GET /insight/public/logo/:groupName/:fileName',
      'GET /insight/public/proxy/:groupName/:fileName',
      'GET /openapi.json',
      'POST /auth/activation/:token',
      'POST /auth/login',
      'POST /auth/logout',
      'POST /auth/refresh',
      'POST /auth/resetPassword',
      'POST /auth/resetPassword/confirm',
      'POST /file/:fid/parts/complete',
      'POST /insight/public/access',
      'POST /insight/public/access/validate',
      'POST /insight/public/data/:groupName/:fileName',
      'POST /insight/public/values/:groupName/:fileName',
      'POST /log/error',
      'POST /mgmt/webhook/:secret',
      'PUT /file/:fid/content',
      'PUT /file/:fid/parts/:number',
    ])
  })
})

test('prototype properties in bodies and queries change nothing and cause no server error', async () => {
  const evil = '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'
  const query = '__proto__[polluted]=yes&constructor.prototype.polluted=yes&__proto__=yes'
  const headers = { Authorization: `Bearer ${server.admin.token}`, 'Content-Type': 'application/json' }
  const failed: string[] = []
  for (const route of routes) {
    const path = addressOf(route)
    const sent: Sent[] =
      route.method === 'GET'
        ? [{ method: 'GET', path: `${path}?${query}`, headers }]
        : [
            { method: route.method, path, headers, body: evil },
            { method: route.method, path, headers, body: `{"settings":${evil},"content":${evil}}` },
          ]
    for (const { status } of await Promise.all(sent.map(send)))
      if (status >= 500) failed.push(`${status} ${route.method} ${path}`)
  }
  expect(failed).toEqual([])
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})
