import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { CallError, refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  createUser,
  getSettings,
  getUser,
  listRoles,
  listUsers,
  updateSettings,
  updateUser,
} from '@headwater/accounts/contract'
import { listGroups } from '@headwater/groups/contract'

let testDatabase: TestDatabase
let database: pg.Pool
let server: TestServer
let viewer: Session
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = new pg.Pool({ connectionString: testDatabase.connectionString })
  server = await startTestServer({ env: { DATABASE_URL: testDatabase.connectionString } })
  viewer = await server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
})
afterAll(async () => {
  await server.stop()
  await database.end()
  await testDatabase.drop()
})

async function roleId(name: string): Promise<number> {
  const { items } = await server.admin.call(listRoles, {})
  return items.find((role) => role.name === name)?.id ?? 0
}

/** Gives a user exactly these roles. */
async function setRoles(session: Session, ...names: string[]): Promise<void> {
  const { accounts } = server.running.platform
  const user = await accounts.findUserByName(session.userName)
  await accounts.setUserRoles(user?.userId ?? 0, await Promise.all(names.map(roleId)))
}

describe('users', () => {
  test('DP-588 SH-090 creates a pending user in the company of the administrator', async () => {
    const created = await server.admin.call(createUser, { body: { email: 'New.User@Example.com' } })
    expect(created).toEqual({
      userName: 'new.user@example.com',
      company: 'Default',
      roleIds: [await roleId('Analyst')],
      status: 'PENDING',
      authType: 'ALL',
      activated: false,
      warehouse: 'OFF',
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const { items } = await server.admin.call(listUsers, { query: { query: 'new.user' } })
    expect(items).toEqual([created])
  })

  test('DP-589 creates a user with the given roles, without duplicates, in the given company', async () => {
    await database.query(`insert into companies (name) values ('Acme')`)
    const ids = [await roleId('Viewer'), await roleId('Report author')].toSorted((a, b) => a - b)
    const body = { email: 'roles@example.com', roleIds: [...ids, ...ids], company: 'acme' }
    await server.admin.call(createUser, { body })
    const { items } = await server.admin.call(listUsers, { query: { query: 'roles@example.com' } })
    expect(items).toMatchObject([{ roleIds: ids, company: 'Acme' }])
  })

  test('DP-601 DP-602 roles are assigned to a user and removed, with effect at once', async () => {
    const user = await server.createUser({ role: 'Viewer' })
    const params = { userName: user.userName }
    const areas = async () =>
      (await user.call(getSettings, {})).uiEntitlements.map(({ resource }) => resource)
    expect(await areas()).not.toContain('Science')
    const ids = [await roleId('Viewer'), await roleId('Analyst')].toSorted((a, b) => a - b)
    const changed = await server.admin.call(updateUser, { params, body: { roleIds: [...ids, ...ids] } })
    expect(changed).toMatchObject({ roleIds: ids, status: 'ACTIVE' })
    expect(await areas()).toContain('Science')
    await server.admin.call(updateUser, { params, body: { roleIds: [await roleId('Viewer')] } })
    expect(await areas()).not.toContain('Science')
    for (const [body, field] of [
      [{ roleIds: [] }, 'roleIds'],
      [{ roleIds: [999_999] }, 'roleIds'],
    ] as const)
      await expect(server.admin.call(updateUser, { params, body: body as never })).rejects.toMatchObject({
        status: 400,
        body: { validationErrors: [{ field }] },
      })
    await expect(server.admin.call(updateUser, { params, body: {} })).rejects.toMatchObject({ status: 400 })
  })

  test('user names are unique regardless of case, even after ten concurrent requests', async () => {
    const spellings = ['once@example.com', 'ONCE@example.com', 'Once@Example.Com']
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        server.admin.call(createUser, { body: { email: spellings[i % 3] ?? '' } }),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refusals).toHaveLength(9)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(CallError)
      expect(refusal).toMatchObject({
        status: 400,
        body: { code: 'userExists', validationErrors: [{ field: 'email' }] },
      })
    }
    const { totalSize } = await server.admin.call(listUsers, { query: { query: 'ONCE@' } })
    expect(totalSize).toBe(1)
  })

  test('SH-095 creates a home group for a new user', async () => {
    const user = await server.createUser({ email: 'home@example.com' })
    const { items } = await user.call(listGroups, { query: { name: 'home@example.com_home' } })
    expect(items).toHaveLength(1)
  })

  test('lists users by e-mail address ascending, page by page', async () => {
    for (const name of ['zoe', 'adam', 'mia'])
      await server.createUser({ email: `${name}@sorted.example.com` })
    const query = { query: '@SORTED.example' }
    const names = async (page: object) =>
      (await server.admin.call(listUsers, { query: { ...query, ...page } })).items.map((user) =>
        user.userName.replace('@sorted.example.com', ''),
      )
    expect(await names({})).toEqual(['adam', 'mia', 'zoe'])
    expect(await names({ size: 1, from: 1 })).toEqual(['mia'])
    const page = await server.admin.call(listUsers, { query: { ...query, size: 1, from: 2 } })
    expect(page).toMatchObject({ from: 2, totalSize: 3, items: [{ userName: 'zoe@sorted.example.com' }] })
  })

  test('DP-582 SH-090 returns the activation, last sign-in, subject and warehouse setting of a user', async () => {
    const user = await server.createUser({ email: 'seen@example.com' })
    await user.call(updateSettings, { body: { settings: { warehouse: 'ON' } } })
    const { items } = await server.admin.call(listUsers, { query: { query: 'seen@example.com' } })
    expect(items[0]).toMatchObject({ activated: true, status: 'ACTIVE', warehouse: 'ON' })
    expect(items[0]?.sub).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(items[0]?.lastLogged).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect(Math.abs(Date.parse(`${items[0]!.lastLogged!}Z`) - Date.now())).toBeLessThan(60_000)
  })

  test('SQL wildcards in a search are taken literally', async () => {
    for (const query of ['%', '_', '\\', "' or '1'='1", "'; drop table users; --"])
      expect((await server.admin.call(listUsers, { query: { query } })).totalSize).toBe(0)
  })

  test('reports an unknown role, an unknown company and an invalid address on the field', async () => {
    for (const [body, field] of [
      [{ email: 'x@example.com', roleIds: [999_999] }, 'roleIds'],
      [{ email: 'x@example.com', company: 'Nowhere' }, 'company'],
      [{ email: 'x' }, 'email'],
      [{ email: 'x@example.com\r\nBcc: y@example.com' }, 'email'],
      [{ email: 'a\u0000@example.com' }, 'email'],
    ] as const)
      await expect(
        server.admin.call(createUser, { body: { roleIds: [], ...body } as never }),
      ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field }] } })
  })

  test('only users with the entitlement Companies can list and create users', async () => {
    for (const [session, status] of [
      [viewer, 403],
      [server.nobody, 401],
    ] as const) {
      await expect(session.call(listUsers, {})).rejects.toMatchObject({ status })
      await expect(session.call(listRoles, {})).rejects.toMatchObject({ status })
      await expect(session.call(createUser, { body: { email: 'no@example.com' } })).rejects.toMatchObject({
        status,
      })
    }
  })
})

describe('roles', () => {
  test('SH-119 lists the built-in roles', async () => {
    const { items } = await server.admin.call(listRoles, {})
    const names = ['Administrator', 'Analyst', 'Pipeline builder', 'Report author', 'Viewer']
    expect(items.map((role) => role.name)).toEqual(expect.arrayContaining(names))
    for (const role of items.filter(({ name }) => names.includes(name))) expect(role.description).not.toBe('')
  })

  test('SH-009 SH-109 derives permissions from entitlements, not from the name of the role', async () => {
    const areas = async (role: string) => {
      const user = await server.createUser({ role })
      const { uiEntitlements } = await user.call(getSettings, {})
      return uiEntitlements.filter((e) => e.parent === undefined).map((e) => e.resource)
    }
    expect(await areas('Viewer')).toEqual(['Insight', 'Lake', 'MyAccount', 'Search'])
    expect(await areas('Analyst')).not.toContain('Administrator')
    expect(await areas('Pipeline builder')).toContain('Science')
    expect(await areas('Report author')).not.toContain('Administrator')
    expect(await areas('Administrator')).toContain('Administrator')

    await database.query(
      `with r as (insert into roles (name) values ('Administrator of nothing') returning id)
       insert into role_entitlements (role_id, parent, resource, mode)
       select id, e.parent, e.resource, e.mode from r,
         (values ('', 'Lake', 'R'), ('Lake', 'Groups', 'R'), ('', 'Insight', 'R')) as e (parent, resource, mode)`,
    )
    expect(await areas('Administrator of nothing')).toEqual(['Insight', 'Lake'])
  })

  test('SH-109 checks the resource and the mode of each route', async () => {
    await database.query(`insert into roles (name) values ('Tester')`)
    const user = await server.createUser({ role: 'Tester' })
    const { accounts } = server.running.platform
    const id = (await accounts.findUserByName(user.userName))?.userId ?? 0
    const hold = async (...entitlements: [parent: string, resource: string, mode: string][]) => {
      await database.query(`delete from role_entitlements where role_id = $1`, [await roleId('Tester')])
      for (const entitlement of entitlements)
        await database.query(`insert into role_entitlements values ($1, $2, $3, $4)`, [
          await roleId('Tester'),
          ...entitlement,
        ])
      await accounts.setUserRoles(id, [await roleId('Tester')])
    }
    const outcomes = async () => {
      const status = async (path: string, init?: RequestInit) => (await user.fetch(path, init)).status
      const body = JSON.stringify({ name: `${user.userName} ${Math.random()}` })
      const headers = { 'Content-Type': 'application/json' }
      return [await status('/file/group'), await status('/file/group', { method: 'POST', headers, body })]
    }
    await hold()
    expect(await outcomes()).toEqual([403, 403])
    await hold(['', 'Insight', 'R'])
    expect(await outcomes()).toEqual([403, 403])
    await hold(['', 'Lake', 'R'], ['Lake', 'Groups', 'R'])
    expect(await outcomes()).toEqual([200, 403])
    await hold(['', 'Lake', 'R'], ['Lake', 'Groups', 'RW'])
    expect(await outcomes()).toEqual([200, 201])
    await hold(['', 'Lake', 'R'], ['Lake', 'Groups', 'RWS'])
    expect(await outcomes()).toEqual([200, 201])
  })

  test('a user with several roles has the highest mode that any of them grants on each resource', async () => {
    const user = await server.createUser({ role: 'Viewer' })
    await setRoles(user, 'Viewer', 'Analyst')
    const { uiEntitlements } = await user.call(getSettings, {})
    const groups = uiEntitlements.filter((e) => e.resource === 'Groups')
    expect(groups).toEqual([{ resource: 'Groups', parent: 'Lake', mode: 'RWS' }])
  })

  test('SH-118 the removal of a role takes effect on the next call', async () => {
    const user = await server.createUser({ role: 'Analyst' })
    await user.call(listGroups, {})
    await setRoles(user)
    await expect(user.call(listGroups, {})).rejects.toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })
})

describe('a company manager who is not an administrator', () => {
  let manager: Session
  beforeAll(async () => {
    manager = await server.createUser({ email: 'manager@example.com', role: 'Viewer' })
    const { accounts } = server.running.platform
    const { rows } = await database.query(
      `with r as (insert into roles (name) values ('Manager') returning id)
       insert into role_entitlements (role_id, parent, resource, mode)
       select id, e.parent, e.resource, e.mode from r,
         (values ('', 'MyAccount', 'R'), ('MyAccount', 'Companies', 'RW')) as e (parent, resource, mode)
       returning role_id`,
    )
    const user = await accounts.findUserByName('manager@example.com')
    await accounts.setUserRoles(user?.userId ?? 0, [rows[0].role_id, await roleId('Viewer')])
  })

  test('can assign only roles whose entitlements they hold', async () => {
    for (const role of ['Administrator', 'Analyst'])
      await expect(
        manager.call(createUser, { body: { email: 'up@example.com', roleIds: [await roleId(role)] } }),
      ).rejects.toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await expect(manager.call(createUser, { body: { email: 'up@example.com' } })).rejects.toMatchObject({
      status: 403,
    })
    const viewers = [await roleId('Viewer')]
    const created = await manager.call(createUser, { body: { email: 'ok@example.com', roleIds: viewers } })
    expect(created.roleIds).toEqual(viewers)
  })

  test('can list and create users of their own company only', async () => {
    await database.query(
      `with c as (insert into companies (name) values ('Other') returning id)
       insert into users (user_name, company_id) select 'far@example.com', id from c`,
    )
    const body = { email: 'near@example.com', roleIds: [await roleId('Viewer')] }
    for (const company of ['Other', 'Nowhere'])
      await expect(manager.call(createUser, { body: { ...body, company } })).rejects.toMatchObject({
        status: 403,
      })
    expect(await manager.call(createUser, { body: { ...body, company: 'default' } })).toMatchObject({
      company: 'Default',
    })
    const query = { query: 'far@example.com' }
    expect((await manager.call(listUsers, { query })).totalSize).toBe(0)
    expect((await server.admin.call(listUsers, { query })).totalSize).toBe(1)
  })

  test('cannot change a user who gets more permissions than they have during the change', async () => {
    const { userName } = await server.createUser({ role: 'Viewer' })
    const promotion = await database.connect()
    try {
      await promotion.query('begin')
      await promotion.query('select from users where user_name = $1 for update', [userName])
      await promotion.query(
        `insert into user_roles (user_id, role_id)
         select users.id, roles.id from users, roles where user_name = $1 and name = 'Administrator'`,
        [userName],
      )
      const roleIds = [await roleId('Viewer')]
      const changes = [{ active: false }, { roleIds }].map((body) =>
        refusal(manager.call(updateUser, { params: { userName }, body })),
      )
      await expect
        .poll(async () => {
          const { rows } = await database.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows.length
        })
        .toBe(2)
      await promotion.query('commit')
      for (const change of changes)
        expect(await change).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    } finally {
      promotion.release()
    }
    const { status, roleIds } = await server.admin.call(getUser, { params: { userName } })
    expect([status, roleIds]).toEqual([
      'ACTIVE',
      [await roleId('Administrator'), await roleId('Viewer')].toSorted((a, b) => a - b),
    ])
  })
})
