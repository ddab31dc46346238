import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSettings } from '@headwater/accounts/contract'
import { createFile, getFile } from '@headwater/files/contract'
import { createGroup, listGroups } from '@headwater/groups/contract'
import { executePipeline } from '@headwater/pipelines/contract'
import {
  refusal,
  signRunToken,
  startTestServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'

let server: TestServer
let owner: Session
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  await owner.call(createGroup, { body: { name: 'Code' } })
})
afterAll(() => server.stop())

async function statusOf(token: string, path = '/file/group'): Promise<number> {
  const response = await fetch(server.url + path, { headers: { Authorization: `Bearer ${token}` } })
  await response.text()
  return response.status
}

test('a token has the access of its user while the attempt is running, and none afterwards', async () => {
  const { session, end } = await server.startCode(owner)
  expect(session.token.length).toBeGreaterThanOrEqual(70)
  expect(session.token).not.toMatch(/^(NG_|bearer|basic|apikey)/i)
  const groups = await session.call(listGroups, { query: {} })
  expect(groups.items.map(({ name }) => name)).toContain('Code')
  await end()
  expect(await statusOf(session.token)).toBe(401)
})

test('another process of the installation accepts a token', async () => {
  const { grant, end } = await server.startCode(owner)
  expect(await statusOf(await signRunToken(grant, server))).toBe(200)
  await end()
})

test('a forged, changed or expired token, or one of another installation, is rejected', async () => {
  const { session, grant, end } = await server.startCode(owner)
  const { token } = session
  const bytes = Buffer.from(token.slice(4), 'base64url')
  const textOf = (content: Buffer) => `run.${content.toString('base64url')}`
  const withByte = (index: number) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(index) ^ 1, index)
    return textOf(copy)
  }
  const forged: Record<string, string> = {
    'without signature': textOf(bytes.subarray(0, 46)),
    'with an empty signature': textOf(Buffer.concat([bytes.subarray(0, 46), Buffer.alloc(20)])),
    'with a text after it': `${token}A`,
    'with a padding': `${token}=`,
    'in the alphabet of Base64': `${token.slice(0, -1)}+`,
    'with another prefix': token.replace('run.', 'RUN.'),
    'of nothing': 'run.',
    expired: await signRunToken({ ...grant, ends: new Date(Date.now() - 1) }, server),
    'of another installation': await signRunToken(grant, { secret: 'another secret '.repeat(5) }),
    'of a run that does not exist': await signRunToken(
      { ...grant, run: { ...grant.run, runId: randomUUID() } },
      server,
    ),
    'of another step': await signRunToken({ ...grant, run: { ...grant.run, eId: randomUUID() } }, server),
    'of a later attempt': await signRunToken({ ...grant, run: { ...grant.run, attempt: 2 } }, server),
  }
  // Every bit counts: those of the user, the expiry, the run, the step, the attempt and the signature.
  for (const index of bytes.keys()) forged[`with a change in byte ${index}`] = withByte(index)
  for (const [name, text] of Object.entries(forged)) expect([name, await statusOf(text)]).toEqual([name, 401])
  expect(await statusOf(token)).toBe(200)
  await end()
})

test('a token becomes invalid when its worker loses the lease, or another attempt begins', async () => {
  const { pool } = server.running.platform.database
  const lost = await server.startCode(owner)
  expect(await statusOf(lost.session.token)).toBe(200)
  // The queue may give the job to another worker at once, so the lease stays lost.
  await pool.query(
    `update queue_jobs set lease_until = now() - interval '1 second'
     where id = (select queue_job from run_steps where run_id = $1)`,
    [lost.grant.run.runId],
  )
  expect(await statusOf(lost.session.token)).toBe(401)

  const replaced = await server.startCode(owner)
  expect(await statusOf(replaced.session.token)).toBe(200)
  await pool.query('update run_steps set attempt = 2 where run_id = $1', [replaced.grant.run.runId])
  expect(await statusOf(replaced.session.token)).toBe(401)
})

test('links requested by code end with its attempt', async () => {
  const { session, end } = await server.startCode(owner)
  const announce = (fileName: string) =>
    session.call(createFile, { body: { groupName: 'Code', fileName, fileType: 'SOURCE' } })
  const first = await announce('first.txt')
  const sent = await fetch(first.location, { method: 'PUT', body: 'first' })
  expect(sent.status).toBe(200)
  const read = await session.fetch(`${getFile.path.replace(':fid', first.fileId)}`)
  const location = read.headers.get('Location') ?? ''
  expect(await (await fetch(location)).text()).toBe('first')
  const second = await announce('second.txt')
  await end()
  expect((await fetch(second.location, { method: 'PUT', body: 'second' })).status).toBe(403)
  expect((await fetch(location)).status).toBe(403)
})

test('a token of an administrator gives access neither to accounts nor to routes that start runs, in any spelling of the path', async () => {
  const { session, end } = await server.startCode(server.admin)
  expect((await refusal(session.call(getSettings, {}))).body.code).toBe('notAllowedInRuns')
  const starting = session.call(executePipeline, { params: { pipelineId: randomUUID() }, body: {} })
  expect((await refusal(starting)).body.code).toBe('notAllowedInRuns')
  for (const path of [
    '//auth/settings',
    '/%61uth/settings',
    '/auth/settings/',
    '//auth//users',
    '/auth/%75sers',
  ])
    expect([path, [403, 404].includes(await statusOf(session.token, path))]).toEqual([path, true])
  await end()
})

test('a token of a deactivated user is rejected', async () => {
  const leaver = await server.createUser()
  const { session } = await server.startCode(leaver)
  expect(await statusOf(session.token)).toBe(200)
  const response = await server.admin.fetch(`/auth/users/${encodeURIComponent(leaver.userName)}`, {
    method: 'PATCH',
    body: JSON.stringify({ active: false }),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(response.status).toBe(200)
  expect(await statusOf(session.token)).toBe(401)
})
