import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, fixedClock, type TestDatabase } from '@headwater/server-kit/testing'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { createApiKey, deleteApiKey, listApiKeys, type CurrentUser } from '@headwater/accounts/contract'

const clock = fixedClock('2026-03-01T08:00:00Z')
let testDatabase: TestDatabase
let server: TestServer
let anna: Session
let ben: Session
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startTestServer({ clock, env: { DATABASE_URL: testDatabase.connectionString } })
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(async () => {
  await server.stop()
  await testDatabase.drop()
})

const create = (session: Session, label = 'a key') => session.call(createApiKey, { body: { label } })
const list = (session: Session) => session.call(listApiKeys, {})

async function whoIs(authorization: string): Promise<string | number> {
  const response = await fetch(`${server.url}/auth/settings`, { headers: { Authorization: authorization } })
  if (!response.ok) return response.status
  const { settings } = (await response.json()) as CurrentUser
  return settings.userName
}

describe('API keys', () => {
  test('DP-617 DP-618 returns the id and the label of a new key, and its secret only once', async () => {
    // Other tests move the clock.
    const createdAt = clock.now().toISOString().slice(0, 19)
    const created = await create(anna, '  nightly upload ')
    expect(created).toEqual({
      id: expect.any(Number),
      label: 'nightly upload',
      key: expect.stringMatching(/^NG_[\w-]{43}$/),
      createdAt,
    })
    const listed = (await list(anna)).find(({ id }) => id === created.id)
    expect(listed).toEqual({ id: created.id, label: 'nightly upload', createdAt })
  })

  test('DP-620 lists only the keys of the caller, newest first', async () => {
    const mine = [await create(ben, 'one'), await create(ben, 'two')]
    expect((await list(ben)).map((key) => key.id)).toEqual([mine[1]?.id, mine[0]?.id])
    expect((await list(anna)).map((key) => key.label)).not.toContain('one')
  })

  test('a key works with the schemes ApiKey and Bearer, regardless of case', async () => {
    const { key } = await create(anna)
    for (const scheme of ['ApiKey', 'apikey', 'APIKEY', 'Bearer', 'bearer'])
      expect(await whoIs(`${scheme} ${key}`)).toBe('anna@example.com')
    expect(await whoIs(`Basic ${key}`)).toBe(401)
    expect(await whoIs(`ApiKey ${key}x`)).toBe(401)
  })

  test('DP-619 revokes the key of the given id at once', async () => {
    const { id, key } = await create(anna)
    expect(await whoIs(`ApiKey ${key}`)).toBe('anna@example.com')
    expect((await anna.fetch(`/auth/apiKeys/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await whoIs(`ApiKey ${key}`)).toBe(401)
    expect((await list(anna)).map((listed) => listed.id)).not.toContain(id)
  })

  test('a user cannot delete a key of another user', async () => {
    const { id, key } = await create(anna)
    for (const session of [ben, server.admin])
      await expect(session.call(deleteApiKey, { params: { id } })).rejects.toMatchObject({
        status: 404,
        body: { code: 'apiKeyNotFound' },
      })
    expect(await whoIs(`ApiKey ${key}`)).toBe('anna@example.com')
  })

  test('returns the last use, rounded to the minute', async () => {
    const { id, key } = await create(anna)
    const lastUsed = async () => (await list(anna)).find((listed) => listed.id === id)?.lastUsedAt
    const start = clock.now().toISOString().slice(0, 19)
    await whoIs(`ApiKey ${key}`)
    clock.advance(59_000)
    await whoIs(`ApiKey ${key}`)
    expect(await lastUsed()).toBe(start)
    clock.advance(1000)
    await whoIs(`ApiKey ${key}`)
    expect(await lastUsed()).toBe(clock.now().toISOString().slice(0, 19))
  })

  test('a user has at most 50 keys, even when creating many at once', async () => {
    const user = await server.createUser()
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => create(user)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(50)
    expect(await list(user)).toHaveLength(50)
    await expect(create(user)).rejects.toMatchObject({ status: 400, body: { code: 'tooManyApiKeys' } })
  })

  test('the keys of an inactive user do not work', async () => {
    const user = await server.createUser()
    const { key } = await create(user)
    const { accounts } = server.running.platform
    const known = await accounts.findUserByName(user.userName)
    await accounts.setUserStatus(known?.userId ?? 0, 'INACTIVE')
    expect(await whoIs(`ApiKey ${key}`)).toBe(401)
  })

  test('the database contains hashes and no keys', async () => {
    const { key } = await create(anna)
    const client = new pg.Client({ connectionString: testDatabase.connectionString })
    await client.connect()
    const { rows } = await client.query(`select encode(hash, 'escape') as text, label from api_keys`)
    await client.end()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('a key with an expiry works until then and remains in the list afterwards', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const { id, key } = await anna.call(createApiKey, { body: { label: 'for a minute', expiresAt } })
    clock.advance(59_000)
    expect(await whoIs(`ApiKey ${key}`)).toBe('anna@example.com')
    clock.advance(999)
    expect(await whoIs(`ApiKey ${key}`)).toBe('anna@example.com')
    clock.advance(1)
    expect(await whoIs(`ApiKey ${key}`)).toBe(401)
    clock.advance(2000)
    expect(await whoIs(`Bearer ${key}`)).toBe(401)
    expect((await list(anna)).find((one) => one.id === id)?.expiresAt).toBe(expiresAt.slice(0, 19))
  })

  test('a key with an expiry date works until the end of that day; past and invalid expiries are reported on the field', async () => {
    const today = clock.now().toISOString().slice(0, 10)
    const made = await anna.call(createApiKey, { body: { label: 'today', expiresAt: today } })
    expect(made.expiresAt).toBe(`${today}T23:59:59`)
    for (const expiresAt of ['2026-02-28', clock.now().toISOString(), 'tomorrow', ''])
      await expect(anna.call(createApiKey, { body: { label: 'a', expiresAt } })).rejects.toMatchObject({
        status: 400,
        body: { validationErrors: [{ field: 'expiresAt' }] },
      })
  })

  test('an empty or overlong label is reported on the field; an invalid id is rejected', async () => {
    for (const label of ['  ', 'x'.repeat(101)])
      await expect(create(anna, label)).rejects.toMatchObject({
        status: 400,
        body: { validationErrors: [{ field: 'label' }] },
      })
    await expect(anna.call(deleteApiKey, { params: { id: 'one' } })).rejects.toMatchObject({ status: 400 })
    await expect(anna.call(deleteApiKey, { params: { id: '9007199254740991' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('a caller who is not signed in has no keys', async () => {
    await expect(list(server.nobody)).rejects.toMatchObject({ status: 401 })
    await expect(create(server.nobody)).rejects.toMatchObject({ status: 401 })
    await expect(server.nobody.call(deleteApiKey, { params: { id: 1 } })).rejects.toMatchObject({
      status: 401,
    })
  })
})

test('SH-019 neither creates nor accepts API keys when the configuration disables them', async () => {
  const { key } = await create(anna)
  const off = await startTestServer({
    clock,
    env: {
      DATABASE_URL: testDatabase.connectionString,
      HEADWATER_SECRETS_FILE: join(server.dataFolder, 'secrets.json'),
      HEADWATER_API_KEYS_ENABLED: 'false',
    },
  })
  const headers = { Authorization: `ApiKey ${key}` }
  expect((await fetch(`${off.url}/auth/settings`, { headers })).status).toBe(401)
  await expect(create(off.admin)).rejects.toMatchObject({ status: 403, body: { code: 'apiKeysOff' } })
  await off.stop()
})
