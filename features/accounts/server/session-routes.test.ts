import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedClock } from '@headwater/server-kit/testing'
import { startTestServer, testPassword, type TestServer } from '@headwater/server/testing'
import {
  changePassword,
  getSettings,
  logIn,
  logInWithBasic,
  logOut,
  refreshSession,
  type TokenPair,
} from '@headwater/accounts/contract'

const minute = 60_000
const clock = fixedClock('2026-03-01T08:00:00Z')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.stop())

const basic = (userName: string, password: string) =>
  `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`

async function signIn(userName: string, password = testPassword): Promise<TokenPair> {
  return server.nobody.call(logIn, { body: { userName, password } })
}

async function statusWith(authorization: string, path = '/auth/settings'): Promise<number> {
  const response = await fetch(server.url + path, { headers: { Authorization: authorization } })
  return response.status
}

const refresh = (refreshToken: string) => server.nobody.call(refreshSession, { body: { refreshToken } })

describe('sign-in', () => {
  test('a user name, regardless of case, with its password returns a token pair', async () => {
    const { userName } = await server.createUser({ email: 'Anna@Example.com' })
    const pair = await signIn(' ANNA@example.COM ')
    expect(userName).toBe('Anna@Example.com')
    expect(pair.token.length).toBeGreaterThanOrEqual(70)
    expect(pair.token.startsWith('NG_')).toBe(false)
    expect(await statusWith(`Bearer ${pair.token}`)).toBe(200)
  })

  test('SH-067 the bearer token identifies the caller; the scheme matches regardless of case', async () => {
    const { userName } = await server.createUser({ email: 'case@example.com' })
    const { token } = await signIn(userName)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await fetch(`${server.url}/auth/settings`, {
        headers: { Authorization: `${scheme} ${token}` },
      })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ settings: { userName: 'case@example.com' } })
    }
  })

  test('Basic authentication signs in on GET /auth/login and works on every call, regardless of case', async () => {
    const { userName } = await server.createUser()
    for (const scheme of ['Basic', 'basic', 'BASIC']) {
      const authorization = basic(userName, testPassword).replace('Basic', scheme)
      expect(await statusWith(authorization, logInWithBasic.path)).toBe(200)
      expect(await statusWith(authorization)).toBe(200)
    }
  })

  test('GET /auth/login accepts a password only: requests without a header, with a token or with a key are rejected', async () => {
    const { token } = await server.createUser()
    const plain = await fetch(server.url + logInWithBasic.path)
    expect(plain.status).toBe(401)
    expect(await statusWith(`Bearer ${token}`, logInWithBasic.path)).toBe(401)
    expect(await statusWith('ApiKey NG_nothing', logInWithBasic.path)).toBe(401)
  })

  test('a wrong password and an unknown name get the same response', async () => {
    const { userName } = await server.createUser()
    const responses = await Promise.all(
      [userName, 'nobody@example.com'].map(async (name) => {
        const response = await fetch(server.url + logIn.path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ userName: name, password: 'wrong' }),
        })
        const headers = [...response.headers].filter(([key]) => key !== 'date')
        return { status: response.status, headers, body: await response.json() }
      }),
    )
    expect(responses[0]).toMatchObject({ status: 401, body: { code: 'wrongCredentials' } })
    expect(responses[0]).toEqual(responses[1])
  })

  test('each empty field is reported', async () => {
    await expect(server.nobody.call(logIn, { body: { userName: ' ', password: '' } })).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: 'userName' }, { field: 'password' }] },
    })
  })

  test('an inactive user cannot sign in, and all their tokens and passwords stop working at once', async () => {
    const user = await server.createUser()
    const { accounts } = server.running.platform
    const known = await accounts.findUserByName(user.userName)
    expect(await statusWith(basic(user.userName, testPassword))).toBe(200)
    await accounts.setUserStatus(known?.userId ?? 0, 'INACTIVE')
    expect(await statusWith(`Bearer ${user.token}`)).toBe(401)
    expect(await statusWith(basic(user.userName, testPassword))).toBe(401)
    await expect(signIn(user.userName)).rejects.toMatchObject({
      status: 401,
      body: { code: 'accountDeactivated' },
    })
  })

  test('only the right password reveals that a user is deactivated; other responses equal those for unknown names', async () => {
    const { userName } = await server.createUser()
    const { accounts } = server.running.platform
    const { userId = 0 } = (await accounts.findUserByName(userName)) ?? {}
    await accounts.setUserStatus(userId, 'INACTIVE')
    const bodies = await Promise.all(
      [userName, 'nobody@example.com'].map(async (name) => {
        const response = await fetch(server.url + logIn.path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ userName: name, password: 'wrong' }),
        })
        return { status: response.status, body: await response.json() }
      }),
    )
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject({ status: 401, body: { code: 'wrongCredentials' } })
    // The right password of a deactivated user does not reset the count of attempts.
    for (let at = 0; at < 4; at++) await signIn(userName).catch(() => undefined)
    await expect(signIn(userName)).rejects.toMatchObject({
      status: 403,
      body: { code: 'tooManyAttempts', retryAfterSeconds: 1 },
    })
  })

  test('an access token ends after 15 minutes', async () => {
    const { token } = await server.createUser()
    clock.advance(15 * minute - 1000)
    expect(await statusWith(`Bearer ${token}`)).toBe(200)
    clock.advance(2000)
    expect(await statusWith(`Bearer ${token}`)).toBe(401)
  })
})

describe('refresh', () => {
  test('SH-057 exchanges refreshToken for a valid pair of token and refreshToken', async () => {
    const { userName } = await server.createUser()
    const first = await signIn(userName)
    const response = await fetch(`${server.url}/auth/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken: first.refreshToken }),
    })
    const second = (await response.json()) as TokenPair
    expect(Object.keys(second).toSorted()).toEqual(['refreshToken', 'token'])
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(await statusWith(`Bearer ${second.token}`)).toBe(200)
    expect((await refresh(second.refreshToken)).token).not.toBe('')
  })

  test('within the grace period a used token returns another pair (two tabs, or a lost response)', async () => {
    const { userName } = await server.createUser()
    const first = await signIn(userName)
    const pairs = [await refresh(first.refreshToken)]
    clock.advance(10_000)
    pairs.push(await refresh(first.refreshToken))
    for (const { token, refreshToken } of pairs) {
      expect(await statusWith(`Bearer ${token}`)).toBe(200)
      await refresh(refreshToken)
    }
  })

  test('using a token after its grace period ends the session with all its tokens', async () => {
    const { userName } = await server.createUser()
    const other = await signIn(userName)
    const stolen = await signIn(userName)
    const pair = await refresh(stolen.refreshToken)
    clock.advance(10_001)
    await expect(refresh(stolen.refreshToken)).rejects.toMatchObject({
      status: 401,
      body: { code: 'sessionEnded' },
    })
    await expect(refresh(pair.refreshToken)).rejects.toMatchObject({ status: 401 })
    expect(await statusWith(`Bearer ${pair.token}`)).toBe(401)
    expect(await statusWith(`Bearer ${other.token}`)).toBe(200)
  })

  test('twenty concurrent refreshes with one token all return a valid pair, and the session continues', async () => {
    const { userName } = await server.createUser()
    const { refreshToken } = await signIn(userName)
    const pairs = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(20)
    for (const pair of pairs) expect(await statusWith(`Bearer ${pair.token}`)).toBe(200)
    await refresh(pairs[19]?.refreshToken ?? '')
  })

  test('twenty concurrent refreshes with a token used long ago all fail and end the session', async () => {
    const { userName } = await server.createUser()
    const { refreshToken } = await signIn(userName)
    const next = await refresh(refreshToken)
    clock.advance(minute)
    const late = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(late.every((result) => result.status === 'rejected')).toBe(true)
    await expect(refresh(next.refreshToken)).rejects.toMatchObject({ status: 401 })
  })

  test('a refresh token expires 30 days after it was issued', async () => {
    const { userName } = await server.createUser()
    const first = await signIn(userName)
    clock.advance(30 * 24 * 60 * minute - 1000)
    const second = await refresh(first.refreshToken)
    clock.advance(30 * 24 * 60 * minute + 1000)
    await expect(refresh(second.refreshToken)).rejects.toMatchObject({ status: 401 })
  })

  test('the session of a deactivated user states why it ended, but an older token of it or another session does not', async () => {
    const { userName } = await server.createUser()
    const { accounts } = server.running.platform
    const { userId = 0 } = (await accounts.findUserByName(userName)) ?? {}
    const ended = await signIn(userName)
    await server.nobody.call(logOut, { body: { refreshToken: ended.refreshToken } })
    const first = await signIn(userName)
    const current = await refresh(first.refreshToken)
    clock.advance(minute)
    await accounts.setUserStatus(userId, 'INACTIVE')
    const codeOf = (refreshToken: string) =>
      refresh(refreshToken).then(
        () => 'refreshed',
        (error: { body: { code: string } }) => error.body.code,
      )
    expect(await codeOf(current.refreshToken)).toBe('accountDeactivated')
    expect(await codeOf(first.refreshToken)).toBe('sessionEnded')
    expect(await codeOf(ended.refreshToken)).toBe('sessionEnded')
    await accounts.setUserStatus(userId, 'ACTIVE')
    expect(await codeOf(current.refreshToken)).toBe('sessionEnded')
  })

  test('unknown and malformed tokens are rejected', async () => {
    for (const refreshToken of ['x', 'NG_key', 'a\u0000b', "' or 1=1 --"])
      await expect(refresh(refreshToken)).rejects.toMatchObject({
        status: 401,
        body: { code: 'sessionEnded' },
      })
    await expect(refresh('')).rejects.toMatchObject({ status: 400 })
  })
})

describe('sign-out', () => {
  test('SH-062 log out is a POST and ends the session with its refresh and access tokens', async () => {
    const { userName } = await server.createUser()
    const first = await signIn(userName)
    const second = await refresh(first.refreshToken)
    expect(await statusWith(`Bearer ${second.token}`, logOut.path)).toBe(405)
    expect(await statusWith(`Bearer ${second.token}`)).toBe(200)
    const response = await fetch(server.url + logOut.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken: second.refreshToken }),
    })
    expect(response.status).toBe(200)
    await expect(refresh(second.refreshToken)).rejects.toMatchObject({ status: 401 })
    expect(await statusWith(`Bearer ${second.token}`)).toBe(401)
    expect(await statusWith(`Bearer ${first.token}`)).toBe(401)
  })

  test('an unknown token is not an error', async () => {
    await expect(server.nobody.call(logOut, { body: { refreshToken: 'unknown' } })).resolves.toEqual({})
  })
})

describe('password change', () => {
  test('with a token it requires the current password, and ends only the other sessions', async () => {
    const user = await server.createUser()
    const other = await signIn(user.userName)
    const change = (currentPassword?: string) =>
      user.call(changePassword, { body: { password: 'another long password', currentPassword } })
    for (const wrong of [undefined, 'not the password'])
      await expect(change(wrong)).rejects.toMatchObject({
        status: 400,
        body: { validationErrors: [{ field: 'currentPassword' }] },
      })
    await change(testPassword)
    expect(await statusWith(`Bearer ${user.token}`)).toBe(200)
    expect(await statusWith(`Bearer ${other.token}`)).toBe(401)
    await expect(refresh(other.refreshToken)).rejects.toMatchObject({ status: 401 })
    await expect(signIn(user.userName)).rejects.toMatchObject({ status: 401 })
    await signIn(user.userName, 'another long password')
  })

  test('with Basic authentication the password in the header suffices; the old one stops working at once', async () => {
    const user = await server.createUser()
    const old = basic(user.userName, testPassword)
    expect(await statusWith(old)).toBe(200)
    const response = await fetch(server.url + changePassword.path, {
      method: 'POST',
      headers: { Authorization: old, 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: 'the third long password' }),
    })
    expect(response.status).toBe(200)
    expect(await statusWith(old)).toBe(401)
    expect(await statusWith(`Bearer ${user.token}`)).toBe(401)
    expect(await statusWith(basic(user.userName, 'the third long password'))).toBe(200)
  })

  test('a password that is too short, too long or missing is reported on the field; a caller who is not signed in cannot change one', async () => {
    const user = await server.createUser()
    for (const password of ['short', 'x'.repeat(201)])
      await expect(
        user.call(changePassword, { body: { password, currentPassword: testPassword } }),
      ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'password' }] } })
    await expect(
      server.nobody.call(changePassword, { body: { password: 'a long password' } }),
    ).rejects.toMatchObject({ status: 401 })
  })
})

test('a caller without credentials gets an error that asks to sign in', async () => {
  await expect(server.nobody.call(getSettings, {})).rejects.toMatchObject({
    status: 401,
    body: { code: 'signInNeeded' },
  })
})
