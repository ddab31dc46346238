import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { createFile, searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { getLog } from '@headwater/logs/contract'
import { createPipeline, executePipeline } from '@headwater/pipelines/contract'
import { searchSymbols } from '@headwater/symbols/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'

let server: TestServer
let anna: Session
let ben: Session
beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  ben = await server.createUser()
})
afterAll(() => server.stop())

const points = (groupName: string) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ keys: [{ groupName, symbols: { Code: 'A' } }], range: 'LAST', lastTypeAmount: 5 }),
})

test('the cache does not return query results of one user to another', async () => {
  await anna.call(createGroup, { body: { name: 'Cached' } })
  await uploadSeries(anna, { groupName: 'Cached', content: 'Code,Date,Close\nA,2026-01-01,4711\n' })
  const send = async (session: Session) => (await session.fetch('/ts', points('Cached'))).text()
  for (let round = 0; round < 3; round++) {
    expect(await send(anna)).toContain('4711')
    expect(await send(ben)).not.toContain('4711')
    expect(await send(server.nobody)).not.toContain('4711')
  }
  const path = '/file/search?query=*&groupName=Cached'
  expect(await (await anna.fetch(path)).text()).toContain('Cached')
  const others = await (await ben.fetch(path)).json()
  expect(others).toMatchObject({ items: [] })
})

test('an expired grant no longer gives access to points, files and symbols', async () => {
  await anna.call(createGroup, { body: { name: 'Lent' } })
  await uploadSeries(anna, { groupName: 'Lent', content: 'Code,Date,Close\nA,2026-01-01,4712\n' })
  const { pool } = server.running.platform.database
  await pool.query(
    `insert into group_grants (group_id, user_id, access, ends_at)
     select groups.id, users.id, 'R', now() + interval '1 day' from groups, users
     where groups.name = 'Lent' and user_name = $1`,
    [ben.userName],
  )
  const seen = async () => ({
    points: (await (await ben.fetch('/ts', points('Lent'))).text()).includes('4712'),
    files: (await ben.call(searchFiles, { query: { groupName: 'Lent' } })).items.length,
    symbols: (await ben.call(searchSymbols, { query: { query: 'groupName=Lent' } })).items.length,
  })
  expect(await seen()).toEqual({ points: true, files: 1, symbols: 1 })
  await pool.query(
    `update group_grants set ends_at = now() where group_id = (select id from groups where name = 'Lent')`,
  )
  expect(await seen()).toEqual({ points: false, files: 0, symbols: 0 })
})

test('access to a deleted group does not apply to a new group with the same name', async () => {
  await anna.call(createGroup, { body: { name: 'Again' } })
  const { location } = await anna.call(createFile, { body: { groupName: 'Again', fileName: 'late.txt' } })
  const { fileId } = await upload(anna, { groupName: 'Again', fileName: 'old.txt' })
  const download = (await anna.fetch(`/file/${fileId}`)).headers.get('Location') ?? ''
  await anna.call(deleteGroup, { params: { name: 'Again' } })
  await ben.call(createGroup, { body: { name: 'Again' } })
  await upload(ben, { groupName: 'Again', fileName: 'old.txt', content: 'of ben' })

  expect((await fetch(location, { method: 'PUT', body: 'late' })).status).toBe(403)
  expect((await fetch(download)).status).toBeGreaterThanOrEqual(400)
  const { items } = await ben.call(searchFiles, { query: { groupName: 'Again' } })
  expect(items.map(({ fileName }) => fileName)).toEqual(['old.txt'])
  expect((await anna.call(searchFiles, { query: { groupName: 'Again' } })).items).toEqual([])
})

const grantToBen = (groupName: string) =>
  server.grantGroup({ groupName, userName: ben.userName, access: 'R' })
const revoke = (groupName: string, userName: string) =>
  server.running.platform.database.pool.query(
    `delete from group_grants using groups, users
     where group_id = groups.id and user_id = users.id and groups.name = $1 and user_name = $2`,
    [groupName, userName],
  )

test('the content URL expires with the access of the user who requested it, not with that of other users', async () => {
  await anna.call(createGroup, { body: { name: 'Permits' } })
  const { fileId } = await upload(anna, { groupName: 'Permits', fileName: 'a.txt', content: 'secret' })
  await grantToBen('Permits')
  const addressOf = async (session: Session) =>
    (await session.fetch(`/file/${fileId}`)).headers.get('Location') ?? ''
  const [ofAnna, ofBen] = [await addressOf(anna), await addressOf(ben)]
  expect(await (await fetch(ofBen)).text()).toBe('secret')
  await revoke('Permits', ben.userName)
  const refused = await fetch(ofBen)
  expect(refused.status).toBe(403)
  expect(await refused.text()).not.toContain('secret')
  expect((await fetch(ofBen, { method: 'HEAD' })).status).toBe(403)
  expect((await fetch(ofBen, { headers: { Range: 'bytes=0-1' } })).status).toBe(403)
  expect(await (await fetch(ofAnna)).text()).toBe('secret')

  await grantToBen('Permits')
  expect(await (await fetch(ofBen)).text()).toBe('secret')
  const { pool } = server.running.platform.database
  await pool.query(`update group_grants set ends_at = now() where user_id = $1`, [
    (await pool.query(`select id from users where user_name = $1`, [ben.userName])).rows[0].id,
  ])
  expect((await fetch(ofBen)).status).toBe(403)
})

test('a download in progress ends when access is revoked or the account is deactivated', async () => {
  await anna.call(createGroup, { body: { name: 'Large' } })
  const sizeBytes = 64 * 1024 * 1024
  const { fileId } = await upload(anna, {
    groupName: 'Large',
    fileName: 'large.txt',
    content: 'x'.repeat(sizeBytes),
  })
  const ways = [
    async (user: Session) => fetch((await user.fetch(`/file/${fileId}`)).headers.get('Location') ?? ''),
    (user: Session) => user.fetch(`/file/${fileId}/download`),
  ]
  const ends = [
    ({ userName }: Session) => revoke('Large', userName),
    ({ userName }: Session) =>
      server.admin.call(updateUser, { params: { userName }, body: { active: false } }),
  ]
  for (const [open, end] of ways.flatMap((way) => ends.map((each) => [way, each] as const))) {
    const user = await server.createUser()
    await server.grantGroup({ groupName: 'Large', userName: user.userName, access: 'R' })
    const whole = await (await open(user)).arrayBuffer()
    expect(whole.byteLength).toBe(sizeBytes)
    const response = await open(user)
    expect(response.status).toBe(200)
    const reader = response.body!.getReader()
    await reader.read()
    await end(user)
    const readAll = async () => {
      while (!(await reader.read()).done);
    }
    await expect(readAll()).rejects.toThrow()
  }
})

test('a run loses access when its user does: a running script at once, and a deactivated user runs no further task', async () => {
  const runner = await server.createUser({ role: 'Pipeline builder' })
  await runner.call(createGroup, { body: { name: 'Steps' } })
  await anna.call(createGroup, { body: { name: 'Shared prices' } })
  await upload(anna, { groupName: 'Shared prices', fileName: 'prices.txt', content: '1' })
  await server.grantGroup({ groupName: 'Shared prices', userName: runner.userName, access: 'R' })
  const script = `
import json, os, time, urllib.error, urllib.request
def files():
    request = urllib.request.Request(os.environ["NG_API_ENDPOINT"] + "/file/search?query=*&groupName=Shared%20prices",
        headers={"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"]})
    try:
        with urllib.request.urlopen(request) as response: return len(json.load(response)["items"])
    except urllib.error.HTTPError as error: return error.code
for expected in 1, 0, 401:
    while (found := files()) != expected: time.sleep(0.1)
    print("found", found, flush=True)`
  const params = [{ name: 'Script', valueType: 'SCRIPT', value: script }]
  const common = { groupName: 'Steps', definitionName: 'python-runner' }
  await runner.call(createTask, { body: { ...common, name: 'read', params } as never })
  await runner.call(createTask, {
    body: { ...common, name: 'next', params: [{ ...params[0], value: 'print(1)' }] } as never,
  })
  const tasks = ['read', 'next'].map((taskName, index) => ({
    id: taskName,
    taskName,
    taskReadableName: taskName,
    taskGroup: 'Steps',
    prevTasks: index === 0 ? [] : [{ id: 'read' }],
  }))
  const { pipeline } = await runner.call(createPipeline, {
    body: { name: 'steps', groupName: 'Steps', tasks } as never,
  })
  const { jobId } = await runner.call(executePipeline, { params: { pipelineId: pipeline.id }, body: {} })
  const lines = async () =>
    (await runner.call(getLog, { params: { jobId }, query: {} as never })).items.map(({ text }) => text)
  await expect.poll(lines).toEqual(['found 1'])
  await revoke('Shared prices', runner.userName)
  await expect.poll(lines).toEqual(['found 1', 'found 0'])
  await server.admin.call(updateUser, { params: { userName: runner.userName }, body: { active: false } })
  const { pool } = server.running.platform.database
  const steps = async () =>
    (
      await pool.query(
        'select component, status, message from job_components where job_id = $1 order by component desc',
        [jobId],
      )
    ).rows as unknown
  await expect.poll(steps).toEqual([
    { component: 'read', status: 'INFO', message: 'found 1\nfound 0\nfound 401' },
    {
      component: 'next',
      status: 'ERROR',
      message: 'The user who started the run no longer has permission to run tasks.',
    },
  ])
})
