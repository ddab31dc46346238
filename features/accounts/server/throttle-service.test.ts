import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixedClock } from '@headwater/server-kit/testing'
import { startTestServer, testPassword, type TestServer } from '@headwater/server/testing'

const clock = fixedClock('2026-03-01T08:00:00Z')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.stop())
// Counters start again after an hour without an attempt.
beforeEach(() => clock.advance(2 * 3_600_000))

interface Outcome {
  status: number
  code?: string
  message?: string
}

async function attempt(
  userName: string,
  password: string,
  options: { from?: string; method?: 'GET' | 'POST'; headers?: Record<string, string> } = {},
): Promise<Outcome> {
  const { from = '198.51.100.7', method = 'POST', headers = {} } = options
  const basic = `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`
  const response = await server.running.platform.app.inject({
    method,
    url: '/auth/login',
    remoteAddress: from,
    headers: method === 'GET' ? { ...headers, authorization: basic } : headers,
    ...(method === 'GET' ? {} : { payload: { userName, password } }),
  })
  const { code, message } = response.json()
  return { status: response.statusCode, code, message }
}

async function fail(times: number, userName: string, options?: Parameters<typeof attempt>[2]) {
  const outcomes: Outcome[] = []
  for (let i = 0; i < times; i += 1) outcomes.push(await attempt(userName, `wrong ${i}`, options))
  return outcomes
}

describe('guessing a password', () => {
  test.each(['POST', 'GET'] as const)('by %s is slowed down with 403, never with 429', async (method) => {
    const { userName } = await server.createUser()
    const outcomes = await fail(6, userName, { method })
    expect(outcomes.map((outcome) => outcome.status)).toEqual([401, 401, 401, 401, 401, 403])
    expect(outcomes[5]).toMatchObject({ code: 'tooManyAttempts' })
    expect(await attempt(userName, testPassword, { method })).toMatchObject({ status: 403 })
  })

  test('waiting times grow with each failure, up to a minute', async () => {
    const { userName } = await server.createUser()
    await fail(5, userName)
    const waits: number[] = []
    for (let i = 0; i < 9; i += 1) {
      const { message } = await attempt(userName, 'wrong')
      const wait = Number(/Wait (\d+) seconds?/.exec(message ?? '')?.[1])
      waits.push(wait)
      clock.advance(wait * 1000)
      expect((await attempt(userName, 'wrong')).status).toBe(401)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  test('attempts during a wait are not counted, and the right password works when the wait is over', async () => {
    const { userName } = await server.createUser()
    await fail(30, userName)
    clock.advance(1000)
    expect((await attempt(userName, testPassword)).status).toBe(200)
  })

  test('signing in resets the counter', async () => {
    const { userName } = await server.createUser()
    for (let round = 0; round < 3; round += 1) {
      expect((await fail(4, userName)).every((outcome) => outcome.status === 401)).toBe(true)
      expect((await attempt(userName, `${testPassword}`)).status).toBe(200)
      clock.advance(6 * 60_000)
    }
  })

  test('an unknown name is throttled in the same way', async () => {
    const { userName } = await server.createUser()
    expect(await fail(8, 'nobody@example.com')).toEqual(await fail(8, userName))
  })

  test('fifty concurrent guesses are counted individually', async () => {
    const { userName } = await server.createUser()
    const guesses = Array.from({ length: 50 }, (_, i) => attempt(userName, `guess ${i}`))
    const statuses = (await Promise.all(guesses)).map((outcome) => outcome.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 403)).toHaveLength(45)
  })

  test('failed attempts on all routes share the counter of the login route', async () => {
    const { userName } = await server.createUser()
    const basic = `Basic ${Buffer.from(`${userName}:wrong`).toString('base64')}`
    await fail(5, userName)
    const response = await server.running.platform.app.inject({
      url: '/auth/settings',
      remoteAddress: '198.51.100.7',
      headers: { authorization: basic },
    })
    expect(response.statusCode).toBe(403)
  })
})

test('a cached password does not bypass the counters', async () => {
  const { userName } = await server.createUser()
  expect((await attempt(userName, testPassword)).status).toBe(200)
  await fail(6, userName)
  expect((await attempt(userName, testPassword)).status).toBe(403)
})

describe('a legitimate user', () => {
  test('is not locked out at a known address while others guess from elsewhere', async () => {
    const { userName } = await server.createUser()
    expect((await attempt(userName, testPassword, { from: '192.0.2.1' })).status).toBe(200)
    for (let i = 0; i < 6; i += 1) await fail(5, userName, { from: `203.0.113.${i}` })
    clock.advance(6 * 60_000)
    await fail(1, userName, { from: '203.0.113.9' })
    expect((await attempt(userName, testPassword, { from: '203.0.113.10' })).status).toBe(403)
    const honest = await attempt(userName, `${testPassword}`, { from: '192.0.2.1' })
    expect(honest.status).toBe(200)
  })

  test('can send thirty concurrent calls with the right password', async () => {
    const { userName } = await server.createUser()
    const calls = Array.from({ length: 30 }, () => attempt(userName, testPassword, { from: '192.0.2.9' }))
    expect((await Promise.all(calls)).every((outcome) => outcome.status === 200)).toBe(true)
  })
})

test('concurrent calls with right and wrong passwords of one user do not affect each other', async () => {
  const { userName } = await server.createUser()
  for (let round = 0; round < 15; round += 1) {
    const from = `203.0.113.${100 + round}`
    const passwords = [testPassword, 'wrong 1', 'wrong 2', 'wrong 3', 'wrong 4']
    const outcomes = await Promise.all(passwords.map((text) => attempt(userName, text, { from })))
    expect(outcomes.map((outcome) => outcome.status)).toEqual([200, 401, 401, 401, 401])
    clock.advance(2 * 60_000)
  }
})

test('an address that tries many names is throttled, other addresses are not; successful first sign-ins do not count', async () => {
  const guess = (i: number) => attempt(`name-${i}@example.com`, 'wrong', { from: '198.51.100.99' })
  for (let i = 0; i < 99; i += 1) await guess(i)
  for (let i = 0; i < 3; i += 1) {
    const { userName } = await server.createUser()
    expect((await attempt(userName, testPassword, { from: '198.51.100.99' })).status).toBe(200)
  }
  expect((await guess(99)).status).toBe(401)
  expect(await attempt('one-more@example.com', 'wrong', { from: '198.51.100.99' })).toMatchObject({
    status: 403,
  })
  expect(await attempt('one-more@example.com', 'wrong', { from: '198.51.100.98' })).toMatchObject({
    status: 401,
  })
})

test('all addresses of an IPv6 customer count as one address', async () => {
  const { userName } = await server.createUser()
  for (let i = 0; i < 5; i += 1) await attempt(userName, 'wrong', { from: `2001:db8:1:2::${i + 1}` })
  expect((await attempt(userName, 'wrong', { from: '2001:db8:1:2:ffff::1' })).status).toBe(403)
  expect((await attempt(userName, 'wrong', { from: '2001:db8:1:3::1' })).status).toBe(401)
})

test('a forwarded address is used only from a trusted proxy', async () => {
  const { userName } = await server.createUser()
  for (let i = 0; i < 5; i += 1)
    await attempt(userName, 'wrong', { headers: { 'x-forwarded-for': `192.0.2.${i}` } })
  expect((await attempt(userName, 'wrong', { headers: { 'x-forwarded-for': '192.0.2.77' } })).status).toBe(
    403,
  )
})
