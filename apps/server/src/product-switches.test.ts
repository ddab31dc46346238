import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFile } from '@headwater/files/contract'
import {
  checkGroupShareable,
  createGroup,
  deleteGroup,
  searchShareEmails,
  shareGroups,
} from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { shareInsight, updatePublicStatus } from '@headwater/publishing/contract'
import { listTrash } from '@headwater/trash/contract'
import { startTestServer, upload, type Session, type TestServer } from './testing.ts'

const names = { groupName: 'Reports', insightName: 'Daily' }
const servers: Record<string, TestServer> = {}
const owners: Record<string, Session> = {}

beforeAll(async () => {
  for (const enabled of ['true', 'false']) {
    const server = await startTestServer({
      env: { HEADWATER_SHARING_ENABLED: enabled, HEADWATER_WAREHOUSE_ONLY: enabled },
    })
    servers[enabled] = server
    const owner = await server.createUser({ email: 'anna@example.com' })
    owners[enabled] = owner
    await server.createUser({ email: 'ben@example.com' })
    await owner.call(createGroup, { body: { name: names.groupName } })
    await owner.call(createInsight, { body: { ...names, content: emptyContent() } })
  }
})
afterAll(async () => {
  for (const server of Object.values(servers)) await server.stop()
})

const share = (owner: Session) =>
  owner.call(shareInsight, { body: { ...names, shares: ['ben@example.com'] } })
const publish = (owner: Session) => owner.call(updatePublicStatus, { body: { ...names, isPublic: true } })

test('SH-018 shares and publishes insights when the configuration enables sharing', async () => {
  await share(owners['true']!)
  await publish(owners['true']!)
})

test('SH-018 rejects sharing and publishing when the configuration disables sharing', async () => {
  for (const act of [share, publish])
    await expect(act(owners['false']!)).rejects.toMatchObject({ body: { code: 'sharingOff' } })
  await expect(owners['false']!.call(getInsight, { params: names })).resolves.toBeDefined()
})

test('groups can be shared only when the configuration enables sharing', async () => {
  const name = names.groupName
  const shareGroup = (owner: Session) =>
    owner.call(shareGroups, {
      body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName: name }] },
    })
  const search = (owner: Session) =>
    owner.call(searchShareEmails, { params: { name }, query: { query: 'ben' } })
  const check = (owner: Session) => owner.call(checkGroupShareable, { params: { name } })
  expect(await check(owners['true']!)).toEqual({ shareable: true, reason: null })
  await shareGroup(owners['true']!)
  expect(await check(owners['false']!)).toEqual({
    shareable: false,
    reason: 'Sharing is switched off on this server. Ask an administrator to switch it on.',
  })
  for (const act of [shareGroup, search])
    await expect(act(owners['false']!)).rejects.toMatchObject({ body: { code: 'sharingOff' } })
})

test('DP-625 the trash is available only in warehouse-only mode; otherwise deletions are permanent', async () => {
  const inTrash = async (enabled: string, groupName: string) => {
    const owner = owners[enabled]!
    await owner.call(createGroup, { body: { name: groupName } })
    const { fileId } = await upload(owner, { groupName, content: 'x' })
    await owner.call(deleteFile, { params: { fid: fileId } })
    await owner.call(deleteGroup, { params: { name: groupName } })
    const { pool } = servers[enabled]!.running.platform.database
    const { rows } = await pool.query(
      `select (select count(*) from files where id = $1)::int as files, (select count(*) from groups where name = $2)::int as groups`,
      [fileId, groupName],
    )
    const statuses: number[] = []
    for (const [method, path] of [
      ['GET', '/trash/files'],
      ['DELETE', `/trash/files/${fileId}`],
    ] as const)
      statuses.push((await owner.fetch(path, { method })).status)
    return [...statuses, rows]
  }
  expect(await inTrash('true', 'Deleted')).toEqual([200, 404, [{ files: 1, groups: 1 }]])
  expect(await inTrash('false', 'Deleted')).toEqual([404, 404, [{ files: 0, groups: 0 }]])
  const call = owners['false']!.call(listTrash, { params: { kind: 'groups' } })
  await expect(call).rejects.toMatchObject({ status: 404, body: { code: 'routeNotFound' } })
})
