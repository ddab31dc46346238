import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createApiKey,
  createUser,
  deleteUserApiKey,
  deleteUserApiKeys,
  endUserSessions,
  getSettings,
  getUser,
  listRoles,
  listUsers,
  logIn,
  refreshSession,
  updateUser,
} from '@headwater/accounts/contract'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { startTestServer, testPassword, type Session, type TestServer } from '@headwater/server/testing'

let testDatabase: TestDatabase
let database: pg.Pool
let server: TestServer
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = new pg.Pool({ connectionString: testDatabase.connectionString })
  server = await startTestServer({ env: { DATABASE_URL: testDatabase.connectionString } })
})
afterAll(async () => {
  await server.stop()
  await database.end()
  await testDatabase.drop()
})

/** All credentials of a user. */
interface Access {
  user: Session
  refreshToken: string
  key: string
}

async function makeAccess(): Promise<Access> {
  const user = await server.createUser()
  const body = { userName: user.userName, password: testPassword }
  const { refreshToken } = await server.nobody.call(logIn, { body })
  const { key } = await user.call(createApiKey, { body: { label: 'a program' } })
  return { user, refreshToken, key }
}

const basic = (userName: string) => `Basic ${Buffer.from(`${userName}:${testPassword}`).toString('base64')}`

async function statusWith(authorization: string): Promise<number> {
  const response = await fetch(`${server.url}${getSettings.path}`, {
    headers: { Authorization: authorization },
  })
  return response.status
}

/** HTTP status for each kind of credentials. */
async function waysIn({ user, refreshToken, key }: Access) {
  const refreshed = await server.nobody
    .call(refreshSession, { body: { refreshToken } })
    .then(() => 200)
    .catch(({ status }: { status: number }) => status)
  return {
    token: await statusWith(`Bearer ${user.token}`),
    key: await statusWith(`ApiKey ${key}`),
    password: await statusWith(basic(user.userName)),
    refreshed,
  }
}

const setActive = (by: Session, { userName }: Session, active: boolean) =>
  by.call(updateUser, { params: { userName }, body: { active } })

const setRoles = async (by: Session, { userName }: Session, ...names: string[]) => {
  const { items } = await server.admin.call(listRoles, {})
  const roleIds = names.map((name) => items.find((role) => role.name === name)?.id ?? 0)
  return by.call(updateUser, { params: { userName }, body: { roleIds } })
}

describe('a user who leaves', () => {
  test('is rejected at once with every token, key and password', async () => {
    const access = await makeAccess()
    expect(await waysIn(access)).toEqual({ token: 200, key: 200, password: 200, refreshed: 200 })
    expect(await setActive(server.admin, access.user, false)).toMatchObject({ status: 'INACTIVE' })
    expect(await waysIn(access)).toEqual({ token: 401, key: 401, password: 401, refreshed: 401 })
    const { items } = await server.admin.call(listUsers, { query: { query: access.user.userName } })
    expect(items).toMatchObject([{ status: 'INACTIVE' }])
  })

  test('is reactivated with password and keys, but without earlier sessions', async () => {
    const access = await makeAccess()
    await setActive(server.admin, access.user, false)
    const spelled = { ...access.user, userName: access.user.userName.toUpperCase() }
    expect(await setActive(server.admin, spelled, true)).toMatchObject({ status: 'ACTIVE' })
    expect(await waysIn(access)).toEqual({ token: 401, key: 200, password: 200, refreshed: 401 })
  })

  test('needs to activate the account again after reactivation if it has no password', async () => {
    const email = `new-${randomUUID()}@example.com`
    await server.admin.call(createUser, { body: { email } })
    const pending = { ...server.nobody, userName: email }
    expect(await setActive(server.admin, pending, true)).toMatchObject({ status: 'PENDING' })
    expect(await setActive(server.admin, pending, false)).toMatchObject({ status: 'INACTIVE' })
    expect(await setActive(server.admin, pending, true)).toMatchObject({
      status: 'PENDING',
      activated: false,
    })
  })

  test('loses only the sessions, or only the keys', async () => {
    const access = await makeAccess()
    const params = { userName: access.user.userName }
    expect(await server.admin.call(endUserSessions, { params })).toEqual({ ended: 2 })
    expect(await waysIn(access)).toEqual({ token: 401, key: 200, password: 200, refreshed: 401 })
    expect(await server.admin.call(deleteUserApiKeys, { params })).toEqual({ deleted: 1 })
    expect(await statusWith(`ApiKey ${access.key}`)).toBe(401)
    expect(await server.admin.call(endUserSessions, { params })).toEqual({ ended: 0 })
    expect(await server.admin.call(deleteUserApiKeys, { params })).toEqual({ deleted: 0 })
  })
})

describe('credentials of a user', () => {
  test('administrators see sessions and keys, and can delete a single key', async () => {
    const { user, key } = await makeAccess()
    const { key: otherKey } = await user.call(createApiKey, { body: { label: 'another program' } })
    const params = { userName: user.userName }
    const details = await server.admin.call(getUser, { params })
    expect(details.sessions).toHaveLength(2)
    expect(details.apiKeys?.map(({ label }) => label)).toEqual(['another program', 'a program'])
    expect(JSON.stringify(details)).not.toContain(key)
    const id = details.apiKeys?.[0]?.id ?? 0
    await server.admin.call(deleteUserApiKey, { params: { ...params, id } })
    expect([await statusWith(`ApiKey ${otherKey}`), await statusWith(`ApiKey ${key}`)]).toEqual([401, 200])
    await expect(
      server.admin.call(deleteUserApiKey, { params: { userName: server.admin.userName, id: id - 1 } }),
    ).rejects.toMatchObject({ status: 404, body: { code: 'userApiKeyNotFound' } })
    await setActive(server.admin, user, false)
    expect((await server.admin.call(getUser, { params })).sessions).toEqual([])
  })
})

describe('permission to deactivate', () => {
  test('an ordinary user cannot manage anyone, not even themselves', async () => {
    const { user } = await makeAccess()
    for (const { userName } of [server.admin, user]) {
      const params = { userName }
      const forbidden = { status: 403, body: { code: 'forbidden' } }
      await expect(user.call(updateUser, { params, body: { active: false } })).rejects.toMatchObject(
        forbidden,
      )
      await expect(setRoles(user, { ...user, userName }, 'Administrator')).rejects.toMatchObject(forbidden)
      await expect(user.call(endUserSessions, { params })).rejects.toMatchObject(forbidden)
      await expect(user.call(deleteUserApiKeys, { params })).rejects.toMatchObject(forbidden)
    }
    expect(await statusWith(`Bearer ${server.admin.token}`)).toBe(200)
  })

  test('a company manager manages only users without further permissions, and sees only their sessions and keys', async () => {
    await database.query(`insert into companies (name) values ('Elsewhere')`)
    await database.query(
      `with r as (insert into roles (name) values ('Company manager') returning id)
       insert into role_entitlements select id, e.parent, e.resource, e.mode from r,
         (values ('', 'MyAccount', 'R'), ('MyAccount', 'Companies', 'RW'), ('', 'Lake', 'R'), ('Lake', 'Groups', 'R'),
           ('Lake', 'Files', 'R'), ('', 'Insight', 'R'), ('Insight', 'Visualisations', 'R'), ('', 'Search', 'R')
         ) as e (parent, resource, mode)`,
    )
    await database.query(
      `with r as (insert into roles (name) values ('Company reader') returning id)
       insert into role_entitlements select id, e.parent, e.resource, case e.resource when 'Companies' then 'R' else e.mode end
       from r, role_entitlements e where e.role_id = (select id from roles where name = 'Company manager')`,
    )
    const manager = await server.createUser({ role: 'Company manager' })
    const viewer = await server.createUser({ role: 'Viewer' })
    const analyst = await server.createUser({ role: 'Analyst' })
    const stranger = await server.createUser({ role: 'Viewer' })
    await database.query(
      `update users set company_id = (select id from companies where name = 'Elsewhere') where user_name = $1`,
      [stranger.userName],
    )
    expect(await setActive(manager, viewer, false)).toMatchObject({ status: 'INACTIVE' })
    const reading = await server.createUser({ role: 'Viewer' })
    expect((await setRoles(manager, reading, 'Viewer', 'Company manager')).roleIds).toHaveLength(2)
    for (const raised of [reading, manager])
      await expect(setRoles(manager, raised, 'Viewer', 'Analyst')).rejects.toMatchObject({ status: 403 })
    for (const more of [analyst, server.admin]) {
      await expect(setActive(manager, more, false)).rejects.toMatchObject({ status: 403 })
      await expect(setRoles(manager, more, 'Viewer')).rejects.toMatchObject({ status: 403 })
    }
    const { id } = await analyst.call(createApiKey, { body: { label: 'kept' } })
    const ofAnalyst = { userName: analyst.userName }
    await expect(manager.call(deleteUserApiKey, { params: { ...ofAnalyst, id } })).rejects.toMatchObject({
      status: 403,
    })
    await expect(manager.call(endUserSessions, { params: ofAnalyst })).rejects.toMatchObject({ status: 403 })
    const seen = ({ userName }: Session, by = manager) => by.call(getUser, { params: { userName } })
    for (const more of [analyst, server.admin]) {
      const details = await seen(more)
      expect(details.status).toBe('ACTIVE')
      expect(details).not.toHaveProperty('sessions')
      expect(details).not.toHaveProperty('apiKeys')
    }
    expect(await seen(viewer)).toMatchObject({ sessions: [], apiKeys: [] })
    const reader = await server.createUser({ role: 'Company reader' })
    expect(await seen(viewer, reader)).not.toHaveProperty('apiKeys')
    await expect(manager.call(getUser, { params: { userName: stranger.userName } })).rejects.toMatchObject({
      status: 404,
    })
    for (const unknown of [stranger, { ...stranger, userName: 'nobody@example.com' }])
      await expect(setActive(manager, unknown, false)).rejects.toMatchObject({
        status: 404,
        body: { code: 'userNotFound' },
      })
  })

  test('the last administrator stays active and an administrator, even after concurrent changes', async () => {
    await expect(setActive(server.admin, server.admin, false)).rejects.toMatchObject({
      status: 409,
      body: { code: 'lastAdministrator' },
    })
    const [one, two] = [
      await server.createUser({ role: 'Administrator' }),
      await server.createUser({ role: 'Administrator' }),
    ]
    const { accounts } = server.running.platform
    const { userId = 0 } = (await accounts.findUserByName(server.admin.userName)) ?? {}
    const { items: roles } = await server.admin.call(listRoles, {})
    await accounts.setUserRoles(userId, [])
    const results = await Promise.allSettled([setActive(one, two, false), setActive(two, one, false)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await accounts.setUserRoles(userId, [roles.find(({ name }) => name === 'Administrator')?.id ?? 0])
    for (const session of [one, two]) await setActive(server.admin, session, false)
    await expect(setActive(server.admin, server.admin, false)).rejects.toMatchObject({ status: 409 })
    const last = { status: 409, body: { code: 'lastAdministrator' } }
    await expect(setRoles(server.admin, server.admin, 'Analyst')).rejects.toMatchObject(last)
    await setRoles(server.admin, server.admin, 'Administrator', 'Analyst')
    const ownParams = { userName: server.admin.userName }
    const { roleIds: ownIds } = await server.admin.call(getUser, { params: ownParams })
    const onlyAdministrator = roles.filter(({ name }) => name === 'Administrator').map(({ id }) => id)
    await expect(
      server.admin.call(updateUser, {
        params: ownParams,
        body: { roleIds: onlyAdministrator, active: false },
      }),
    ).rejects.toMatchObject(last)
    expect((await server.admin.call(getUser, { params: ownParams })).roleIds).toEqual(ownIds)
    const [three, four] = [
      await server.createUser({ role: 'Administrator' }),
      await server.createUser({ role: 'Administrator' }),
    ]
    await accounts.setUserRoles(userId, [])
    const changes = await Promise.allSettled([
      setRoles(three, four, 'Viewer'),
      setRoles(four, three, 'Viewer'),
      setActive(three, four, false),
    ])
    const { rows } = await database.query(
      `select 1 from users join user_roles on user_id = users.id join roles on roles.id = role_id
       where status = 'ACTIVE' and holds_everything`,
    )
    expect([rows.length, changes.some(({ status }) => status === 'rejected')]).toEqual([1, true])
    await accounts.setUserRoles(userId, [roles.find(({ name }) => name === 'Administrator')?.id ?? 0])
  })
})
