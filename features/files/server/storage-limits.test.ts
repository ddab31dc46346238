import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  getOwnStorage,
  getStorageLimits,
  updateStorageLimits,
  type StorageOverview,
} from '@headwater/accounts/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { deleteTrashed, listTrash, restoreTrashed } from '@headwater/trash/contract'
import { createFile, deleteFile, getFileSize, transferOwnership } from '../contract/index.ts'

const groupName = 'Limited'
const groupOfBen = 'Limited of Ben'
let testDatabase: TestDatabase
let database: pg.Pool
let server: TestServer
let defaults: StorageOverview
let anna: Session
let ben: Session
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = new pg.Pool({ connectionString: testDatabase.connectionString })
  server = await startTestServer({ env: { DATABASE_URL: testDatabase.connectionString } })
  defaults = await server.admin.call(getStorageLimits, {})
  anna = await server.createUser()
  ben = await server.createUser()
  await anna.call(createGroup, { body: { name: groupName } })
  await ben.call(createGroup, { body: { name: groupOfBen } })
  await server.grantGroup({ groupName, userName: ben.userName, access: 'R' })
})
afterAll(async () => {
  await server.stop()
  await database.end()
  await testDatabase.drop()
})

const none = { bytesPerUser: 0, bytesPerCompany: 0, bytesInAll: 0, reservedDiskBytes: 0 }
const limit = (limits: Partial<typeof none>) => server.admin.call(updateStorageLimits, { body: limits })
afterEach(() => limit(none))

const bytes = (count: number) => new Uint8Array(count).fill(65)
const stored = async (user: Session) => (await user.call(getOwnStorage, {})).storedBytes
const unfinished = () => readdir(join(server.dataFolder, 'content', 'unfinished'))

test('by default users have no limit, and 1 GB of disk space is reserved', async () => {
  expect(defaults).toMatchObject({ ...none, reservedDiskBytes: 1_000_000_000, storedBytes: 0 })
})

test('an upload above the limit of a user is rejected before it begins, and the error states the used and allowed size', async () => {
  const carl = await server.createUser()
  await carl.call(createGroup, { body: { name: 'Of Carl' } })
  await limit({ bytesPerUser: 100_000 })
  await upload(carl, { groupName: 'Of Carl', content: bytes(60_000) })
  await expect(upload(carl, { groupName: 'Of Carl', content: bytes(50_000) })).rejects.toMatchObject({
    status: 413,
    body: {
      code: 'storageLimitReached',
      message:
        'Storage limit reached: your files use 60 KB of 100 KB, and this upload needs 50 KB. Nothing was stored. ' +
        'Delete files you no longer need, or ask an administrator for more space.',
    },
  })
  expect(await carl.call(getOwnStorage, {})).toEqual({ storedBytes: 60_000, limitBytes: 100_000 })
  await upload(carl, { groupName: 'Of Carl', content: bytes(40_000) })
})

test('an upload of unknown size is stopped midway at the limit, and nothing of it is stored', async () => {
  const before = await stored(anna)
  await limit({ bytesPerUser: before + 1_000_000 })
  const { location, fileId } = await anna.call(createFile, { body: { groupName, fileName: 'endless.bin' } })
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 100_000
      if (sent > 30_000_000) controller.close()
      else controller.enqueue(bytes(100_000))
    },
  })
  const response = await fetch(location, { method: 'PUT', body: endless, duplex: 'half' } as RequestInit)
  expect(await response.json()).toMatchObject({
    status: 413,
    message: expect.stringContaining('this upload needs at least 1'),
  })
  await expect(anna.call(getFileSize, { params: { fid: fileId } })).rejects.toMatchObject({ status: 404 })
  expect([await stored(anna), await unfinished()]).toEqual([before, []])
})

test('many concurrent uploads fill a limit exactly, including one shared by two users', async () => {
  for (const [scope, reached] of [
    ['bytesPerUser', 'Storage limit reached: your files use'],
    [
      'bytesPerCompany',
      'The storage limit of your company has been reached. Nothing was stored. Delete files you',
    ],
    [
      'bytesInAll',
      'The storage limit of this installation has been reached. Nothing was stored. Delete files you',
    ],
  ] as const) {
    const users = scope === 'bytesPerUser' ? [anna] : [anna, ben]
    const usage = async () => (await Promise.all(users.map(stored))).reduce((sum, each) => sum + each)
    const before = await usage()
    const used = scope === 'bytesPerUser' ? before : (await limit(none)).storedBytes
    await limit({ ...none, [scope]: used + 100_000 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        upload(users[at % users.length] as Session, {
          groupName: at % users.length === 0 ? groupName : groupOfBen,
          fileName: `${scope} ${at}`,
          content: bytes(30_000),
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          status: 413,
          body: { code: 'storageLimitReached', message: expect.stringContaining(reached) },
        })
    expect(await usage()).toBe(before + 90_000)
  }
})

const give = (fileIds: string[], to: Session) =>
  anna.call(transferOwnership, {
    body: { fileIds, currentOwnerUser: anna.userName, targetOwnerUser: to.userName },
  })

test('a transfer waits for an upload of the recipient, so that together they cannot exceed the limit', async () => {
  const { fileId } = await upload(anna, { groupName, fileName: 'given', content: bytes(30_000) })
  const own = { groupName: groupOfBen, fileName: 'own' }
  const { fileId: first } = await upload(ben, { ...own, content: 'the first version' })
  const before = await stored(ben)
  await limit({ bytesPerUser: before + 50_000, bytesPerCompany: 1e12 })
  const waiting = async () => {
    const { rowCount } = await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount
  }
  const holder = await database.connect()
  try {
    await holder.query('begin')
    await holder.query('select from files where id = $1 for update', [first])
    const uploaded = upload(ben, { ...own, content: bytes(30_000) })
    await expect.poll(waiting).toBe(1)
    const both = Promise.allSettled([uploaded, give([fileId], ben)])
    await expect.poll(waiting).toBe(2)
    await holder.query('rollback')
    expect(await both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 413, body: { code: 'recipientLimitReached' } } },
    ])
  } finally {
    holder.release(true)
  }
  expect(await stored(ben)).toBe(before + 30_000)
})

test('a transfer to another company respects that company’s limit; a transfer within a company is not limited', async () => {
  const { fileId } = await upload(anna, { groupName, fileName: 'inside', content: bytes(1000) })
  const stranger = await server.createUser()
  await server.grantGroup({ groupName, userName: stranger.userName, access: 'R' })
  await limit({ bytesPerCompany: 500 })
  await give([fileId], ben)
  await database.query(
    `with elsewhere as (insert into companies (name) values ('Elsewhere') returning id)
     update users set company_id = elsewhere.id from elsewhere where user_name = $1`,
    [stranger.userName],
  )
  await limit(none)
  const outside = await upload(anna, { groupName, fileName: 'outside', content: bytes(1000) })
  await limit({ bytesPerCompany: 999 })
  await expect(give([outside.fileId], stranger)).rejects.toMatchObject({
    status: 413,
    body: { code: 'recipientLimitReached' },
  })
  await limit({ bytesPerCompany: 1000 })
  await give([outside.fileId], stranger)
  expect(await stored(stranger)).toBe(1000)
})

test('series files, versions, deletions, transfers and the hourly sweep update the usage', async () => {
  const [before, ofBen] = [await stored(anna), await stored(ben)]
  const content = 'key,Date,Close\nOIL,2026-01-01,1.5\n'
  const series = await uploadSeries(anna, { groupName, fileName: 'oil.ncsv', content })
  const { fileId } = await upload(anna, { groupName, content: bytes(1000) })
  await upload(anna, { groupName, content: bytes(500) })
  const { fileId: empty } = await upload(anna, { groupName, fileName: 'empty', content: '' })
  expect(await stored(anna)).toBe(before + content.length + 1500)
  await anna.call(deleteFile, { params: { fid: series } })
  expect(await stored(anna)).toBe(before + content.length + 1500)
  expect((await anna.fetch(`/trash/files/${series}`, { method: 'DELETE' })).status).toBe(200)
  await limit({ bytesPerUser: ofBen + 999 })
  await expect(give([fileId], ben)).rejects.toMatchObject({
    status: 413,
    body: {
      code: 'recipientLimitReached',
      message: 'The recipient does not have enough storage for these files. Nothing was transferred.',
      validationErrors: [{ field: 'targetOwnerUser' }],
    },
  })
  await limit({ bytesPerUser: ofBen + 1000 })
  await give([fileId], ben)
  await limit({ bytesPerUser: 1 })
  await give([empty], ben)
  await server.running.platform.files.sweep()
  expect([await stored(anna), await stored(ben)]).toEqual([before + 500, ofBen + 1000])
})

test('the disk reserve rejects every upload with 507', async () => {
  await limit({ reservedDiskBytes: 1e15 })
  await expect(upload(anna, { groupName })).rejects.toMatchObject({
    status: 507,
    body: {
      code: 'diskReserved',
      message:
        'The server keeps 1,000,000 GB of its disk free, and this upload would use part of it. Nothing was stored. ' +
        'Ask an administrator to free disk space, then upload again.',
    },
  })
  const { freeDiskBytes } = await limit({ reservedDiskBytes: 0 })
  expect(freeDiskBytes).toBeGreaterThan(0)
  await upload(anna, { groupName })
})

test('an upload in progress is stopped when it reaches the disk reserve', async () => {
  const { location, fileId } = await anna.call(createFile, { body: { groupName, fileName: 'large.bin' } })
  let sent = 0
  const large = new ReadableStream({
    async pull(controller) {
      if (sent === 1_000_000) await limit({ reservedDiskBytes: 1e15 })
      sent += 100_000
      if (sent > 20_000_000) controller.close()
      else controller.enqueue(bytes(100_000))
    },
  })
  const response = await fetch(location, { method: 'PUT', body: large, duplex: 'half' } as RequestInit)
  expect(await response.json()).toMatchObject({ status: 507, code: 'diskReserved' })
  await expect(anna.call(getFileSize, { params: { fid: fileId } })).rejects.toMatchObject({ status: 404 })
  expect(await unfinished()).toEqual([])
})

test.each([{ bytesPerUser: -1 }, { bytesInAll: 1.5 }, { reservedDiskBytes: 2e15 }, { bytesPerCompany: '1' }])(
  'a meaningless limit is rejected: %j',
  async (body) => {
    await expect(server.admin.call(updateStorageLimits, { body: body as never })).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: Object.keys(body)[0] }] },
    })
  },
)

test('files in a deleted group count against its owner, and against their owners again when it is restored within their limits', async () => {
  const [gina, hugo] = [await server.createUser(), await server.createUser()]
  await gina.call(createGroup, { body: { name: 'Of Gina' } })
  await hugo.call(createGroup, { body: { name: 'Of Hugo' } })
  await server.grantGroup({ groupName: 'Of Gina', userName: hugo.userName, access: 'RW' })
  await upload(gina, { groupName: 'Of Gina', fileName: 'own.bin', content: bytes(10_000) })
  const { fileId } = await upload(hugo, {
    groupName: 'Of Gina',
    fileName: 'other.bin',
    content: bytes(60_000),
  })
  await upload(hugo, { groupName: 'Of Gina', fileName: 'deleted.bin', content: bytes(20_000) })
  await hugo.call(deleteFile, { params: { fid: fileId } })
  const usage = async () => [await stored(gina), await stored(hugo)]
  expect(await usage()).toEqual([10_000, 80_000])

  await gina.call(deleteGroup, { params: { name: 'Of Gina' } })
  expect(await usage()).toEqual([90_000, 0])
  const idOf = async () =>
    (await gina.call(listTrash, { params: { kind: 'groups' }, query: { query: 'Of Gina' } })).items[0]!.id
  const restore = async () =>
    gina.call(restoreTrashed, { params: { kind: 'groups', id: await idOf() }, body: {} })
  await restore()
  expect(await usage()).toEqual([10_000, 80_000])

  // Otherwise a deleted group would store files beyond the limit.
  await gina.call(deleteGroup, { params: { name: 'Of Gina' } })
  await limit({ bytesPerUser: 100_000 })
  const { fileId: more } = await upload(hugo, { groupName: 'Of Hugo', content: bytes(30_000) })
  await expect(restore()).rejects.toMatchObject({ status: 413, body: { code: 'ownersLimitReached' } })
  expect(await usage()).toEqual([90_000, 30_000])
  await hugo.call(deleteFile, { params: { fid: more } })
  await hugo.call(deleteTrashed, { params: { kind: 'files', id: more } })
  await restore()
  expect(await usage()).toEqual([10_000, 80_000])

  await gina.call(deleteGroup, { params: { name: 'Of Gina' } })
  await gina.call(deleteTrashed, { params: { kind: 'groups', id: await idOf() } })
  expect(await usage()).toEqual([0, 0])
})
