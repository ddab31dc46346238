import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createApp,
  createLog,
  createMailer,
  createRouter,
  migrate,
  openDatabase,
  type Database,
  type Log,
} from '@headwater/server-kit'
import { createTestDatabase, fixedClock, openTestDatabase, silentLog } from '@headwater/server-kit/testing'
import type { TokenPair } from '@headwater/accounts/contract'
import { createAccounts, createPasswordHasher, migrationsFolder, type Accounts } from './index.ts'

const clock = fixedClock('2026-03-01T08:00:00Z')
const signingKey = 'the signing key of these tests, long enough'
const password = 'a long enough password'

let database: Database
let hashes = 0
const lines: string[] = []
const log = createLog({
  level: 'trace',
  destination: new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'))
      done()
    },
  }),
})

interface Server {
  app: FastifyInstance
  accounts: Accounts
}

/** One of several servers of an installation: the same database and signing key, but separate memory. */
async function startServer(
  options: { log?: Log; onUserCreated?: () => Promise<void> } = {},
): Promise<Server> {
  const hasher = createPasswordHasher()
  const mailer = createMailer({
    logFile: join(tmpdir(), 'mails-that-are-never-sent.log'),
    from: 'a@example.com',
    clock,
    log: silentLog(),
  })
  const accounts = createAccounts({
    database,
    clock,
    log: options.log ?? silentLog(),
    mailer,
    config: { publicUrl: undefined, env: {}, trashDays: 30 },
    tokenSigningKey: signingKey,
    storageUsage: { storedBytes: async () => 0, freeDiskBytes: async () => 0 },
    passwordHasher: {
      hash: (text) => hasher.hash(text),
      verify: (hash, text) => {
        hashes += 1
        return hasher.verify(hash, text)
      },
    },
  })
  if (options.onUserCreated !== undefined) accounts.userCreated.subscribe(options.onUserCreated)
  const app = await createApp({ log: options.log ?? silentLog(), clock })
  accounts.registerRoutes(createRouter(app, { authenticate: accounts.authenticate, checkOutput: true }))
  return { app, accounts }
}

let one: Server
let two: Server
beforeAll(async () => {
  database = await openTestDatabase([migrationsFolder])
  one = await startServer({ log })
  two = await startServer()
})
afterAll(async () => {
  await one.app.close()
  await two.app.close()
  await database.close()
})

const basic = (userName: string, text = password) =>
  `Basic ${Buffer.from(`${userName}:${text}`, 'utf8').toString('base64')}`

async function statusOf({ app }: Server, authorization: string): Promise<number> {
  const response = await app.inject({ url: '/auth/settings', headers: { authorization } })
  return response.statusCode
}

async function signIn({ app }: Server, userName: string): Promise<TokenPair> {
  const response = await app.inject({ method: 'POST', url: '/auth/login', payload: { userName, password } })
  expect(response.statusCode).toBe(200)
  return response.json()
}

let users = 0
async function createUser(): Promise<{ userId: number; userName: string }> {
  const userName = `user-${(users += 1)}@example.com`
  const { userId } = await one.accounts.createActiveUser({ email: userName, password, role: 'Viewer' })
  return { userId, userName }
}

describe('forged access tokens', () => {
  const claims = async () => {
    const { userName } = await createUser()
    const { token } = await signIn(one, userName)
    const [, payload = ''] = token.split('.')
    const text = Buffer.from(payload, 'base64url').toString('utf8')
    return { token, payload, claims: JSON.parse(text) as Record<string, unknown> }
  }
  const sign = (content: Record<string, unknown>, key = signingKey, alg = 'HS256') =>
    new SignJWT(content).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))

  test('a valid token built by the test is accepted, so the rejections below are caused by the differences', async () => {
    expect(await statusOf(one, `Bearer ${await sign((await claims()).claims)}`)).toBe(200)
  })

  test('a token without a signature (“alg none”) is rejected', async () => {
    const { claims: content, payload } = await claims()
    const unsigned = new UnsecuredJWT(content).encode()
    const header = Buffer.from('{"alg":"NONE"}').toString('base64url')
    for (const token of [unsigned, `${header}.${payload}.`])
      expect(await statusOf(one, `Bearer ${token}`)).toBe(401)
  })

  test.each([
    ['another key', (c: object) => sign({ ...c }, 'another signing key, also long enough')],
    ['another algorithm', (c: object) => sign({ ...c }, signingKey, 'HS384')],
    ['another issuer', (c: object) => sign({ ...c, iss: 'somebody' })],
    ['another audience', (c: object) => sign({ ...c, aud: 'something' })],
    ['no issuer', (c: object) => sign({ ...c, iss: undefined })],
    ['no expiry', (c: object) => sign({ ...c, exp: undefined })],
    ['an expiry in the past', (c: object) => sign({ ...c, exp: clock.now().getTime() / 1000 - 1 })],
    ['another user in the same session', (c: object) => sign({ ...c, sub: crypto.randomUUID() })],
    ['a session that does not exist', (c: object) => sign({ ...c, sid: crypto.randomUUID() })],
    ['a session id that is not a UUID', (c: object) => sign({ ...c, sid: "' or true --" })],
    ['numbers for texts', (c: object) => sign({ ...c, sub: 1, sid: 2 } as never)],
  ])('with %s is rejected', async (_what, forge) => {
    const { claims: content } = await claims()
    expect(await statusOf(one, `Bearer ${await forge(content)}`)).toBe(401)
  })

  test('a token with a changed, truncated or extended payload is rejected', async () => {
    const { token, claims: content } = await claims()
    const [header, , signature] = token.split('.')
    const changed = Buffer.from(JSON.stringify({ ...content, exp: 9_999_999_999 })).toString('base64url')
    for (const forged of [
      `${header}.${changed}.${signature}`,
      token.slice(0, -3),
      `${token}A`,
      token.split('.').slice(0, 2).join('.'),
      'a.b.c',
      '..',
    ])
      expect(await statusOf(one, `Bearer ${forged}`)).toBe(401)
  })
})

describe('malformed credentials', () => {
  test.each([
    'Bearer',
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from(':no name').toString('base64')}`,
    'Digest username="x"',
    'ApiKey',
    'ApiKey NG_',
    'ApiKey a b',
    'Bearer NG_\u00e9',
    ',',
  ])('%j is rejected with 401', async (authorization) => {
    expect(await statusOf(one, authorization)).toBe(401)
  })

  test.each([
    "admin' or '1'='1",
    "admin'; drop table users; --",
    'user\u0000name',
    'a@example.com\r\nSet-Cookie: x=y',
    '%',
    '🙂'.repeat(200),
  ])('the user name %j is treated like any other wrong name', async (userName) => {
    await createUser()
    expect(await statusOf(one, basic(userName))).toBe(401)
    const response = await one.app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { userName, password },
    })
    expect([400, 401]).toContain(response.statusCode)
    expect(response.headers).not.toHaveProperty('set-cookie')
  })

  test('a one-megabyte password is rejected without being hashed', async () => {
    const { userName } = await createUser()
    hashes = 0
    const logIn = (length: number) =>
      one.app.inject({
        method: 'POST',
        url: '/auth/login',
        payload: { userName, password: 'x'.repeat(length) },
      })
    expect((await logIn(1_000_000)).statusCode).toBe(413)
    expect((await logIn(10_000)).statusCode).toBe(400)
    expect(await statusOf(one, basic(userName, 'x'.repeat(10_000)))).toBe(401)
    expect(hashes).toBe(0)
  })
})

describe('passwords on every call', () => {
  test('an unknown name is hashed once, like a wrong password', async () => {
    const { userName } = await createUser()
    for (const name of [userName, 'nobody-at-all@example.com']) {
      hashes = 0
      expect(await statusOf(one, basic(name, 'wrong'))).toBe(401)
      expect(hashes).toBe(1)
    }
  })

  test('the right password is hashed once for many calls, sequential or concurrent', async () => {
    const { userName } = await createUser()
    hashes = 0
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(two, basic(userName))))
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (let i = 0; i < 5; i += 1) expect(await statusOf(two, basic(userName))).toBe(200)
    expect(hashes).toBe(1)
    clock.advance(5 * 60_000)
    expect(await statusOf(two, basic(userName))).toBe(200)
    expect(hashes).toBe(2)
  })
})

describe('several servers', () => {
  test('access and refresh tokens of one server work on the other', async () => {
    const { userName } = await createUser()
    const pair = await signIn(one, userName)
    expect(await statusOf(two, `Bearer ${pair.token}`)).toBe(200)
    const response = await two.app.inject({ method: 'POST', url: '/auth/refresh', payload: pair })
    expect(response.statusCode).toBe(200)
  })

  test('a change on one server applies on the other after two seconds', async () => {
    const { userId, userName } = await createUser()
    const pair = await signIn(one, userName)
    expect(await statusOf(two, `Bearer ${pair.token}`)).toBe(200)
    expect(await statusOf(two, basic(userName))).toBe(200)
    await one.accounts.setUserStatus(userId, 'INACTIVE')
    expect(await statusOf(one, `Bearer ${pair.token}`)).toBe(401)
    clock.advance(2000)
    expect(await statusOf(two, `Bearer ${pair.token}`)).toBe(401)
    expect(await statusOf(two, basic(userName))).toBe(401)
  })

  test('a role removed on one server no longer applies on the other after two seconds', async () => {
    const { userId } = await createUser()
    expect((await two.accounts.findPrincipal(userId))?.can('Lake/Groups', 'R')).toBe(true)
    await one.accounts.setUserRoles(userId, [])
    clock.advance(2000)
    expect((await two.accounts.findPrincipal(userId))?.can('Lake/Groups', 'R')).toBe(false)
  })

  test('both servers share the counters of failed attempts', async () => {
    const { userName } = await createUser()
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1)
      statuses.push(await statusOf(i % 2 ? one : two, basic(userName, `wrong ${i}`)))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 403])
  })

  test('two servers that start at the same time create one administrator', async () => {
    const email = 'First@Example.com'
    const results = await Promise.all([
      one.accounts.ensureAdministrator({ email, password }),
      two.accounts.ensureAdministrator({ email, password }),
    ])
    expect(results.filter((result) => result.created)).toHaveLength(1)
    const user = await one.accounts.findUserByName('first@example.com')
    const principal = await one.accounts.findPrincipal(user?.userId ?? 0)
    expect(principal?.can('MyAccount/Companies', 'RW')).toBe(true)
    expect(principal?.isAdministrator).toBe(true)
    const again = await one.accounts.ensureAdministrator({ email: 'second@example.com', password })
    expect(again).toEqual({ created: false })
    expect(await one.accounts.findUserByName('second@example.com')).toBeUndefined()
  })
})

describe('the first administrator', () => {
  test('gets a generated password when none is configured, and can sign in with it; a common password is rejected', async () => {
    const fresh = await createTestDatabase()
    const own = openDatabase({ connectionString: fresh.connectionString, log: silentLog() })
    await migrate(own.pool, [migrationsFolder])
    const shared = database
    database = own
    const server = await startServer()
    database = shared
    await expect(
      server.accounts.ensureAdministrator({ email: 'root@example.com', password: 'Password123' }),
    ).rejects.toThrow('HEADWATER_ADMIN_PASSWORD cannot be used. This password is too common')
    const { created, generatedPassword } = await server.accounts.ensureAdministrator({
      email: 'root@example.com',
    })
    expect(created).toBe(true)
    expect(generatedPassword?.length).toBeGreaterThanOrEqual(20)
    expect(await statusOf(server, basic('root@example.com', generatedPassword))).toBe(200)
    await server.app.close()
    await own.close()
    await fresh.drop()
  })

  test('is not created with a password that users could not choose', async () => {
    await expect(
      one.accounts.ensureAdministrator({ email: 'x@example.com', password: 'short' }),
    ).rejects.toThrow('must have 10 to 200 characters')
  })
})

test('a user is rolled back if the home group cannot be created', async () => {
  const broken = await startServer({
    onUserCreated: async () => {
      throw new Error('no home')
    },
  })
  const email = 'homeless@example.com'
  await expect(broken.accounts.createActiveUser({ email, password, role: 'Viewer' })).rejects.toThrow(
    'no home',
  )
  expect(await one.accounts.findUserByName(email)).toBeUndefined()
  await broken.app.close()
})

test('other features find users by name', async () => {
  const { userId, userName } = await createUser()
  expect(await one.accounts.findUserByName(` ${userName.toUpperCase()} `)).toMatchObject({ userId, userName })
  expect(await one.accounts.findUserByName('nobody-here@example.com')).toBeUndefined()
})

test('the log contains no secrets: no tokens of query strings, passwords, keys or headers', async () => {
  lines.length = 0
  const { userName } = await createUser()
  const pair = await signIn(one, userName)
  const secrets = ['query-token', 'path-token', 'wrong-password-1', pair.token, pair.refreshToken, password]
  await one.app.inject({ url: '/auth/settings?refreshToken=query-token' })
  await one.app.inject({ url: '/nowhere?refreshToken=query-token' })
  await one.app.inject({ url: '/auth/activation/path-token?token=query-token' })
  await one.app.inject({
    url: '/auth/settings',
    headers: { authorization: basic(userName, 'wrong-password-1') },
  })
  await one.app.inject({ method: 'POST', url: '/auth/refresh', payload: pair })
  clock.advance(60_000)
  await one.app.inject({ method: 'POST', url: '/auth/refresh', payload: pair })
  const text = lines.join('\n')
  expect(text).toContain('a refresh token was used a second time')
  for (const secret of secrets) expect(text).not.toContain(secret)
})
