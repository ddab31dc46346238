import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf, type AccessMode, type Route } from '@headwater/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  callers,
  policyMatrix,
  type Caller,
  type Made,
  type PolicyCall,
  type World,
} from './policy-matrix.ts'

let server: TestServer
let world: World
let routes: ReadonlyMap<string, Route>
beforeAll(async () => {
  server = await startTestServer()
  const { accounts, router } = server.running.platform
  routes = new Map(router.routes.map((route) => [route.name, route]))
  const bare = await server.createUser({ email: 'bare@example.com' })
  const { userId = 0 } = (await accounts.findUserByName(bare.userName)) ?? {}
  await accounts.setUserRoles(userId, [])
  world = {
    server,
    sessions: {
      nobody: server.nobody,
      bare,
      viewer: await server.createUser({ email: 'viewer@example.com', role: 'Viewer' }),
      stranger: await server.createUser({ email: 'stranger@example.com', role: 'Analyst' }),
      owner: await server.createUser({ email: 'owner@example.com', role: 'Analyst' }),
      administrator: server.admin,
    },
  }
  const { rows } = await server.running.platform.database.pool.query<{ id: number }>(
    `insert into roles (name) values ('Holder') returning id`,
  )
  const session = await server.createUser({ email: 'holder@example.com', role: 'Holder' })
  const account = await accounts.findUserByName(session.userName)
  holder = { ...session, userId: account!.userId, roleId: Number(rows[0]!.id) }
})
afterAll(() => server.stop())

const modes = ['R', 'RW', 'RWS'] as const
const accessNames = { R: 'read', RW: 'write', RWS: 'write and share' }
/** A user whose only role changes for each route. */
let holder: Session & { userId: number; roleId: number }

/** Limits the role to one mode of a resource and the area above it. */
async function hold(resource: string, mode: AccessMode | undefined): Promise<void> {
  const [area = '', part] = resource.split('/')
  const { accounts, database } = server.running.platform
  await database.pool.query('delete from role_entitlements where role_id = $1', [holder.roleId])
  const held =
    part === undefined
      ? [['', area, mode]]
      : [
          ['', area, 'R'],
          [area, part, mode],
        ]
  for (const entitlement of held.filter(([, , each]) => each !== undefined))
    await database.pool.query('insert into role_entitlements values ($1, $2, $3, $4)', [
      holder.roleId,
      ...entitlement,
    ])
  await accounts.setUserRoles(holder.userId, [holder.roleId])
}

/** Calls a route without an existing object and without a body, because the permission is checked first. */
async function requestAsHolder(name: string): Promise<{ status: number; text: string }> {
  const route = routes.get(name)!
  const response = await holder.fetch(pathOf(route.path), { method: route.method })
  return { status: response.status, text: await textOf(response) }
}

test('every route of the running server has a row, and every row has a route', () => {
  expect([...routes.keys()].toSorted()).toEqual(Object.keys(policyMatrix).toSorted())
})

test('code of runs can call exactly the routes listed in the matrix', async () => {
  const { session, end } = await server.startCode(server.admin)
  const outcomes: Record<string, boolean> = {}
  for (const { name, method, path } of routes.values()) {
    const response = await session.fetch(pathOf(path), { method })
    outcomes[name] = !(await response.text()).includes('notAllowedInRuns')
  }
  await end()
  expect(outcomes).toEqual(
    Object.fromEntries(Object.entries(policyMatrix).map(([name, { runs = false }]) => [name, runs])),
  )
})

describe.each(Object.entries(policyMatrix))('%s', (name, row) => {
  test('SH-109 responds to each caller according to the policy', async () => {
    const outcomes: Partial<Record<Caller, number>> = {}
    const matches: Caller[] = []
    // Objects that a caller could change are created again for the next caller.
    let made: Made | undefined
    for (const caller of callers) {
      made ??= (await row.make?.(world)) ?? {}
      const before = await pictureOf(made)
      const { status, text } = await request(name, caller, row.call?.(made) ?? {})
      outcomes[caller] = status
      if (status >= 400) {
        expect(JSON.parse(text)).toMatchObject({
          status,
          code: expect.any(String),
          message: expect.any(String),
        })
        expect(await pictureOf(made), `what a refused ${caller} may not change`).toEqual(before)
      }
      if (status < 400 && row.shows !== undefined && text.includes(row.shows.text(made))) matches.push(caller)
      if (status < 400 && routes.get(name)?.method !== 'GET') made = undefined
    }
    expect(outcomes).toEqual(row.expected)
    if (row.shows !== undefined) expect(matches).toEqual(row.shows.to)
  })

  test('SH-109 requires the declared permission, and rejects its lower modes', async () => {
    const permission = routes.get(name)?.permission
    if (permission === 'public') expect(row.expected.nobody).not.toBe(401)
    else expect(row.expected.nobody).toBe(401)
    if (typeof permission !== 'object') return
    expect(row.expected.bare).toBe(403)
    const { resource, mode } = permission
    const lower = modes[modes.indexOf(mode) - 1]
    await hold(resource, lower)
    const refused = await requestAsHolder(name)
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining(`You need ${accessNames[mode]} access to ${resource}.`),
    ])
    await hold(resource, mode)
    expect((await requestAsHolder(name)).status).not.toBe(403)
  })
})

async function request(
  name: string,
  caller: Caller,
  { params, query, body, headers }: PolicyCall,
): Promise<{ status: number; text: string }> {
  const route = routes.get(name)
  if (route === undefined) throw new Error(`The server has no route ${name}.`)
  const search = new URLSearchParams(query).toString()
  const path = `${pathOf(route.path, params)}${search === '' ? '' : `?${search}`}`
  const json = route.bodyKind === undefined || route.bodyKind === 'json'
  const response = await world.sessions[caller].fetch(path, {
    method: route.method,
    headers: {
      ...(body === undefined
        ? {}
        : { 'Content-Type': json ? 'application/json' : 'application/octet-stream' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : {
          body:
            typeof body === 'string' || body instanceof Uint8Array ? (body as never) : JSON.stringify(body),
        }),
  })
  return { status: response.status, text: await textOf(response) }
}

/** Returns the body of a response; empty for an endless stream. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

/** Returns the objects that are visible to the owner. */
async function pictureOf({ group, fid, insight, prep, apiKeyId }: Made): Promise<string[]> {
  const { owner } = world.sessions
  const paths = [
    group === undefined ? [] : [`/file/group/${encodeURIComponent(group)}`],
    fid === undefined ? [] : [`/file/${fid}`, `/file/${fid}/download`],
    insight === undefined || group === undefined
      ? []
      : [`/insights/${encodeURIComponent(group)}/${encodeURIComponent(insight)}`],
    prep === undefined ? [] : [`/dataprep/${prep}`, `/dataprep/${prep}/versions`],
    apiKeyId === undefined ? [] : ['/auth/apiKeys'],
  ].flat()
  const responses = await Promise.all(paths.map((path) => owner.fetch(path)))
  return Promise.all(responses.map((reply) => reply.text()))
}
