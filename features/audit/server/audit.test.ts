import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword, logIn } from '@headwater/accounts/contract'
import { completeParts, createFile } from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup, updateGroup } from '@headwater/groups/contract'
import { putSecret } from '@headwater/secrets/contract'
import {
  refusal,
  startTestServer,
  testPassword,
  upload,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { listAuditRecords, type AuditRecord } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())

type Query = NonNullable<Parameters<typeof anna.call<typeof listAuditRecords>>[1]['query']>

async function records(query: Query = {}): Promise<AuditRecord[]> {
  await server.running.platform.audit.flush()
  return (await server.admin.call(listAuditRecords, { query })).items
}
const names = (items: readonly AuditRecord[]) => items.map(({ route, status }) => `${route} ${status}`)

test('each request that changes data is recorded with user, route, object, outcome, address and time; reads are not', async () => {
  const before = new Date().toISOString().slice(0, 19)
  await anna.call(createGroup, { body: { name: 'Recorded', description: 'confidential text' } })
  const params = { name: 'Recorded' }
  await anna.call(getGroup, { params })
  await anna.fetch('/ts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"groupName":"Recorded"}',
  })
  await anna.call(updateGroup, { params, body: { description: 'other text' } })
  await refusal(ben.call(updateGroup, { params, body: { description: 'mine' } }))
  await upload(anna, { groupName: 'Recorded', fileName: 'notes.txt', content: 'confidential content' })
  await anna.call(deleteGroup, { params })
  const items = await records({ object: 'recorded' })
  expect(items.map(({ route }) => route)).toEqual([
    'deleteGroup',
    'createFile',
    'updateGroup',
    'updateGroup',
    'createGroup',
  ])
  expect(items.map(({ userName, status }) => [userName, status < 400])).toEqual([
    ['anna@example.com', true],
    ['anna@example.com', true],
    ['ben@example.com', false],
    ['anna@example.com', true],
    ['anna@example.com', true],
  ])
  expect(items[0]).toMatchObject({
    method: 'DELETE',
    path: '/file/group/:name',
    object: { name: 'Recorded' },
    runId: null,
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  })
  expect(items[0]!.time >= before).toBe(true)
  expect(JSON.stringify(items)).not.toMatch(/confidential|other text|mine/)
  expect(names(await records({ userName: 'anna@example.com' }))).not.toContainEqual(
    expect.stringMatching(/getGroup|getData/),
  )
  expect(names(await records({ route: 'putContent' }))).toHaveLength(1)
})

test('an upload to a signed address and a login are recorded with their user', async () => {
  await anna.call(createGroup, { body: { name: 'Named' } })
  const body = { groupName: 'Named', fileName: 'whole.txt', fileType: 'SOURCE' }
  const whole = await anna.call(createFile, { body })
  // No request has credentials of its own.
  const put = (path: string, content: string) =>
    server.nobody.fetch(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
    })
  const contentPath = `/file/${whole.fileId}/content?token=`
  expect((await put(contentPath + whole.permit, 'text')).status).toBe(200)
  // The permit cannot replace the content.
  const again = await put(contentPath + whole.permit, 'other text')
  expect(again.status).toBeGreaterThanOrEqual(400)
  await put(`${contentPath}forged`, 'text')
  const parted = await anna.call(createFile, { body: { ...body, fileName: 'parts.txt' } })
  await put(`/file/${parted.fileId}/parts/1?token=${parted.permit}`, 'text')
  await server.nobody.call(completeParts, {
    params: { fid: parted.fileId },
    query: { token: parted.permit },
    body: { parts: 1, size: 4 },
  })
  await server.nobody.call(logIn, { body: { userName: 'ben@example.com', password: testPassword } })
  const uploads = await records({ object: whole.fileId })
  expect(uploads.map(({ route, userName, status }) => [route, userName, status])).toEqual([
    ['putContent', 'anna@example.com', again.status],
    ['putContent', 'anna@example.com', 200],
  ])
  const [ofParts] = await records({ object: parted.fileId, route: 'completeParts' })
  expect(ofParts).toMatchObject({ userName: 'anna@example.com', status: 200 })
  const [login] = await records({ route: 'logIn' })
  expect(login).toMatchObject({ userName: 'ben@example.com', status: 200 })
})

test('records contain no secrets', async () => {
  const value = 'a value that nobody may read'
  await anna.call(createGroup, { body: { name: 'Secrets' } })
  await anna.call(putSecret, { params: { name: 'API_KEY' }, body: { groupName: 'Secrets', value } })
  await server.nobody.call(logIn, { body: { userName: 'anna@example.com', password: testPassword } })
  await refusal(anna.call(changePassword, { body: { currentPassword: 'wrong one', password: value } }))
  await server.nobody.fetch('/auth/activation/a-secret-token', { method: 'POST', body: '{}' })
  const items = await records()
  expect(names(items).join()).toMatch(/putSecret 200/)
  const text = JSON.stringify(items)
  for (const secret of [value, testPassword, 'wrong one', 'a-secret-token', anna.token])
    expect(text).not.toContain(secret)
})

test('administrators filter records by user, route, outcome and time, and page through them; others have no access', async () => {
  for (let index = 0; index < 5; index++) {
    await ben.call(createGroup, { body: { name: `Paged ${index}` } })
    await refusal(ben.call(createGroup, { body: { name: `Paged ${index}` } }))
  }
  const query = { userName: 'BEN@example.com', route: 'createGroup' }
  expect(await records(query)).toHaveLength(10)
  expect(await records({ ...query, outcome: 'succeeded' })).toHaveLength(5)
  expect((await records({ ...query, outcome: 'refused' })).every(({ status }) => status === 400)).toBe(true)
  expect(await records({ ...query, timeTo: '2020-01-01T00:00:00' })).toEqual([])
  expect(await records({ ...query, timeFrom: '2020-01-01T00:00:00Z' })).toHaveLength(10)
  const all = await records(query)
  // A record at the exact start of a period belongs to it, one at its end does not.
  const { time } = all.at(-1)!
  const timesOf = async (period: object) => (await records({ ...query, ...period })).map((each) => each.time)
  expect(await timesOf({ timeFrom: time })).toContain(time)
  expect(await timesOf({ timeTo: time })).toEqual([])
  const paged: AuditRecord[] = []
  let before: number | null | undefined
  do {
    const page: { items: AuditRecord[]; next: number | null } = await server.admin.call(listAuditRecords, {
      query: { ...query, size: 4, ...(before ? { before } : {}) },
    })
    paged.push(...page.items)
    before = page.next
  } while (before !== null)
  expect(paged).toEqual(all)
  expect(await refusal(anna.call(listAuditRecords, {}))).toMatchObject({ status: 403 })
})

test('rejected requests without credentials are not recorded', async () => {
  const count = (await records()).length
  for (let index = 0; index < 3; index++)
    await server.nobody.fetch('/file/group/Prices', { method: 'DELETE' })
  expect(await records()).toHaveLength(count)
})

test('the database rejects changes of records; the retention deletes old ones only', async () => {
  await anna.call(createGroup, { body: { name: 'Old' } })
  const [record] = await records({ object: 'Old', route: 'createGroup' })
  const run = (text: string) => server.running.platform.database.pool.query(text)
  for (const text of [
    'update audit_records set status = 200',
    'delete from audit_records',
    'truncate audit_records',
  ])
    await expect(run(text)).rejects.toThrow('cannot be changed or deleted')
  await run(`insert into audit_records (at, route, method, path, object, status, address)
    values (now() - interval '366 days', 'tooOld', 'POST', '/', '{}', 200, ''), (now() - interval '364 days', 'recent', 'POST', '/', '{}', 200, '')`)
  expect(await server.running.platform.audit.deleteOld()).toBe(1)
  expect(await records({ route: 'tooOld' })).toEqual([])
  expect(await records({ route: 'recent' })).toHaveLength(1)
  expect(await records({ object: 'Old', route: 'createGroup' })).toEqual([record])
})

test('only the listed routes with another method than GET are not recorded', () => {
  const unrecorded = server.running.platform.router.routes
    .filter(({ method, isAudited = method !== 'GET' }) => method !== 'GET' && !isAudited)
    .map(({ name }) => name)
  expect(unrecorded.toSorted()).toEqual(
    [
      'findFormula',
      'getApproval',
      'getData',
      'getDraftTileData',
      'getPublicTileData',
      'getTileData',
      'listPublicValues',
      'listSymbolBranches',
      'listSymbolKeys',
      'listSymbolValues',
      'previewFormula',
      'processTaskExpression',
      'putPart',
      'refreshSession',
      'reportError',
      'runTileCode',
      'searchInsightsByBody',
      'streamData',
      'streamDataBatch',
      'validateNcsv',
      'validatePublicAccess',
    ].toSorted(),
  )
})
