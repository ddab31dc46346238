import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixedClock } from '@headwater/server-kit/testing'
import { getSettings, logIn, refreshSession, type TokenPair } from '@headwater/accounts/contract'
import { startTestServer, testPassword, type TestServer } from '@headwater/server/testing'

const clock = fixedClock('2026-03-01T08:00:00Z')
let server: TestServer
let pair: TokenPair
beforeAll(async () => {
  server = await startTestServer({ clock })
})
beforeEach(async () => {
  const { userName } = await server.createUser()
  pair = await server.nobody.call(logIn, { body: { userName, password: testPassword } })
})
afterAll(() => server.stop())

const browser = () => randomUUID()
const refresh = (refreshToken: string, fromAddress?: string) =>
  server.nobody.call(refreshSession, { body: { refreshToken, fromAddress } })

async function isSignedIn({ token }: TokenPair): Promise<boolean> {
  const response = await fetch(`${server.url}${getSettings.path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return response.ok
}

const sessionEnded = { status: 401, body: { code: 'sessionEnded' } }

describe('a refresh token from a URL', () => {
  test('works once, and not again within the ten-second grace period for two tabs', async () => {
    const next = await refresh(pair.refreshToken, browser())
    expect(await isSignedIn(next)).toBe(true)
    await expect(refresh(pair.refreshToken, browser())).rejects.toMatchObject(sessionEnded)
    await expect(refresh(pair.refreshToken)).rejects.toMatchObject(sessionEnded)
    expect(await isSignedIn(await refresh(next.refreshToken))).toBe(true)
  })

  test('works again for the same browser within ten seconds, for example after a reload, but not later', async () => {
    const mine = browser()
    await refresh(pair.refreshToken, mine)
    clock.advance(10_000)
    expect(await isSignedIn(await refresh(pair.refreshToken, mine))).toBe(true)
    clock.advance(1)
    await expect(refresh(pair.refreshToken, mine)).rejects.toMatchObject(sessionEnded)
  })

  test('works for five minutes after it was issued, while a stored one works for 30 days', async () => {
    clock.advance(5 * 60_000 - 1)
    const next = await refresh(pair.refreshToken, browser())
    clock.advance(5 * 60_000 + 1)
    await expect(refresh(next.refreshToken, browser())).rejects.toMatchObject(sessionEnded)
    expect(await isSignedIn(await refresh(next.refreshToken))).toBe(true)
  })

  test('is rejected after a browser has used it', async () => {
    await refresh(pair.refreshToken)
    await expect(refresh(pair.refreshToken, browser())).rejects.toMatchObject(sessionEnded)
  })

  test('opens one session if two browsers use it concurrently', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => refresh(pair.refreshToken, browser())),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
