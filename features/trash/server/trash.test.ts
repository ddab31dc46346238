import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deleteFile,
  getFile,
  listFileVersions,
  searchFiles,
  transferOwnership,
} from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup, listGroups } from '@headwater/groups/contract'
import {
  createDataPrep,
  getDataPrep,
  getPrepSchedule,
  setPrepSchedule,
  updateDataPrep,
} from '@headwater/preps/contract'
import { createFormula, listSymbolGroups, removeSymbols, searchSymbols } from '@headwater/symbols/contract'
import { refusal, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { deleteTrashed, listTrash, restoreTrashed, type TrashKind } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  ben = await server.createUser()
})
afterAll(() => server.stop())

let groups = 0
async function newGroup(): Promise<string> {
  const name = `Trash ${++groups}`
  await anna.call(createGroup, { body: { name } })
  return name
}

/** Gives Ben a direct share of a group. */
async function share(groupName: string, access: 'R' | 'RW'): Promise<void> {
  await server.grantGroup({ groupName, userName: ben.userName, access })
}

const list = (session: Session, kind: TrashKind, query: string) =>
  session.call(listTrash, { params: { kind }, query: { query } })
const restore = (session: Session, kind: TrashKind, id: string, name?: string) =>
  session.call(restoreTrashed, { params: { kind, id }, body: name === undefined ? {} : { name } })
const remove = (session: Session, kind: TrashKind, id: string) =>
  session.call(deleteTrashed, { params: { kind, id } })

async function storeFile(groupName: string, fileName: string, content: string): Promise<string> {
  return (await upload(anna, { groupName, fileName, content })).fileId
}

async function storeSeries(groupName: string, fileName: string, rows: string): Promise<string> {
  const file = { groupName, fileName, fileType: 'NCSV', content: `Code,Date,Close\n${rows}` }
  const { fileId, status, message } = await upload(anna, file)
  expect([status, message]).toEqual(['READY', message])
  return fileId
}

/** Returns the values of a symbol by date. */
async function values(groupName: string, code: string): Promise<unknown> {
  const body = { keys: [{ groupName, symbols: { Code: code } }], range: 'LAST', lastTypeAmount: 50 }
  const response = await anna.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status === 200
    ? (await response.text()).split('\n').filter((line) => line.includes('2026'))
    : response.status
}

test('a deleted file is in the trash, its id and name return 404, and it can be restored with its id and content', async () => {
  const groupName = await newGroup()
  const fid = await storeFile(groupName, 'notes.txt', 'the notes')
  await anna.call(deleteFile, { params: { fid } })

  expect(await refusal(anna.call(getFile, { params: { fid } }))).toMatchObject({ status: 404 })
  expect((await anna.call(searchFiles, { query: { query: `groupName=${groupName}` } })).totalSize).toBe(0)
  const { items, totalSize } = await list(anna, 'files', groupName)
  expect(totalSize).toBe(1)
  expect(items[0]).toMatchObject({
    id: fid,
    name: 'notes.txt',
    groupName,
    owner: anna.userName,
    deletedBy: anna.userName,
    sizeBytes: 9,
    canRestore: true,
  })
  const days = Date.parse(items[0]!.purgedAt) - Date.parse(items[0]!.deletedAt)
  expect(days / 86_400_000).toBe(30)

  expect(await restore(anna, 'files', fid)).toEqual({
    id: fid,
    name: 'notes.txt',
    groupName,
    isBeingRestored: false,
  })
  expect(await anna.call(getFile, { params: { fid } })).toMatchObject({ fid, version: 1, latest: true })
  expect((await list(anna, 'files', groupName)).totalSize).toBe(0)
  expect(await refusal(restore(anna, 'files', fid))).toMatchObject({
    status: 404,
    body: { code: 'notInTrash' },
  })
})

test('a restored version is listed between the other versions; a file whose name was taken by a newer upload needs another name', async () => {
  const groupName = await newGroup()
  const ids = [
    await storeFile(groupName, 'a.txt', 'one'),
    await storeFile(groupName, 'a.txt', 'two'),
    await storeFile(groupName, 'a.txt', 'three'),
  ] as const
  const versions = async (fid: string) =>
    (await anna.call(listFileVersions, { params: { fid }, query: {} })).items.map((file) => [
      file.fid,
      file.version,
      file.latest,
    ])
  for (const fid of [ids[1], ids[2]]) await anna.call(deleteFile, { params: { fid } })
  expect(await versions(ids[0])).toEqual([[ids[0], 1, true]])
  await restore(anna, 'files', ids[2])
  await restore(anna, 'files', ids[1])
  expect(await versions(ids[0])).toEqual([
    [ids[2], 3, true],
    [ids[1], 2, false],
    [ids[0], 1, false],
  ])

  await anna.call(deleteFile, { params: { fid: ids[2] } })
  const newer = await storeFile(groupName, 'a.txt', 'newer')
  expect(await refusal(restore(anna, 'files', ids[2]))).toMatchObject({
    status: 409,
    body: { code: 'nameTaken', validationErrors: [{ field: 'name' }] },
  })
  for (const name of ['bad/name.txt', 'b.zip', 'b'])
    expect(await refusal(restore(anna, 'files', ids[2], name))).toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: 'name' }] },
    })
  expect(await restore(anna, 'files', ids[2], 'b.txt')).toMatchObject({ name: 'b.txt' })
  expect(await versions(ids[2])).toEqual([[ids[2], 1, true]])
  expect((await versions(newer))[0]).toEqual([newer, 3, true])
})

test('a restored series file has its points again, with lower priority than newer files', async () => {
  const groupName = await newGroup()
  const first = await storeSeries(groupName, 'first.csv', 'A,2026-01-02,1\nA,2026-01-03,2\nB,2026-01-02,9\n')
  await storeSeries(groupName, 'second.csv', 'A,2026-01-03,20\n')
  const before = [await values(groupName, 'A'), await values(groupName, 'B')]
  await anna.call(deleteFile, { params: { fid: first } })
  expect(await values(groupName, 'A')).toEqual([expect.stringContaining('20')])
  expect(await values(groupName, 'B')).toEqual([])

  expect(await restore(anna, 'files', first)).toMatchObject({ isBeingRestored: false })
  expect([await values(groupName, 'A'), await values(groupName, 'B')]).toEqual(before)
  expect(await anna.call(getFile, { params: { fid: first } })).toMatchObject({ version: 1 })

  // The second time, the version of the points is still that of the first upload.
  await anna.call(deleteFile, { params: { fid: first } })
  await restore(anna, 'files', first)
  expect([await values(groupName, 'A'), await values(groupName, 'B')]).toEqual(before)
  expect((await anna.call(searchSymbols, { query: { query: `groupName=${groupName}` } })).totalSize).toBe(2)
})

test('a series file whose name and symbols contain characters that uploads reject is restored unchanged', async () => {
  const groupName = await newGroup()
  const old = `Code,Date,Close\nA\u202eB,2026-01-05,7\n`
  const plain = await storeFile(groupName, 'bytes.txt', old)
  const fid = await storeSeries(groupName, 'prices.csv', 'A,2026-01-05,1\n')
  // A file that was stored before the rule: the server has its bytes and its name.
  const { pool } = server.running.platform.database
  const { rowCount } = await pool.query(
    `update files set name = $1, hash = (select hash from files where id = $2) where id = $3`,
    ['pri\u202eces.csv', plain, fid],
  )
  expect(rowCount).toBe(1)
  await anna.call(deleteFile, { params: { fid } })
  expect(await restore(anna, 'files', fid)).toMatchObject({
    name: 'pri\u202eces.csv',
    isBeingRestored: false,
  })
  expect(await anna.call(getFile, { params: { fid } })).toMatchObject({ fileName: 'pri\u202eces.csv' })
  expect(await values(groupName, 'A\u202eB')).toEqual(['A\u202eB,2026-01-05T00:00:00,7'])
})

test('only users with write access can restore and delete; an owner without it sees the entry', async () => {
  const groupName = await newGroup()
  const fid = await storeFile(groupName, 'of-anna.txt', 'x')
  await share(groupName, 'RW')
  const ofBen = (await upload(ben, { groupName, fileName: 'of-ben.txt', content: 'y' })).fileId
  for (const id of [fid, ofBen]) await anna.call(deleteFile, { params: { fid: id } })
  expect((await list(ben, 'files', groupName)).totalSize).toBe(2)
  const other = await storeFile(groupName, 'other.txt', 'z')
  await anna.call(deleteFile, { params: { fid: other } })
  await restore(ben, 'files', fid)
  expect(await anna.call(getFile, { params: { fid } })).toMatchObject({ fileName: 'of-anna.txt' })
  await anna.call(deleteFile, { params: { fid } })
  await remove(ben, 'files', other)
  expect(await refusal(restore(anna, 'files', other))).toMatchObject({ status: 404 })

  await share(groupName, 'R')
  expect((await list(ben, 'files', groupName)).items).toEqual([
    expect.objectContaining({ id: ofBen, canRestore: false }),
  ])
  for (const id of [fid, ofBen]) {
    expect(await refusal(restore(ben, 'files', id))).toMatchObject({ status: 403 })
    expect(await refusal(remove(ben, 'files', id))).toMatchObject({ status: 403 })
  }
  const stranger = await server.createUser()
  expect((await list(stranger, 'files', groupName)).totalSize).toBe(0)
  expect(await refusal(restore(stranger, 'files', fid))).toMatchObject({
    status: 404,
    body: { code: 'notInTrash' },
  })
  expect((await list(anna, 'files', groupName)).totalSize).toBe(2)
})

test('a file deleted permanently cannot be restored, and its bytes no longer count', async () => {
  const groupName = await newGroup()
  const fid = await storeFile(groupName, 'big.txt', 'x'.repeat(1000))
  const { files } = server.running.platform
  const stored = await files.storedBytes('everybody')
  await anna.call(deleteFile, { params: { fid } })
  expect(await files.storedBytes('everybody')).toBe(stored)
  await remove(anna, 'files', fid)
  expect(await files.storedBytes('everybody')).toBe(stored - 1000)
  expect((await list(anna, 'files', groupName)).totalSize).toBe(0)
  expect(await refusal(restore(anna, 'files', fid))).toMatchObject({ status: 404 })
})

test('a file restored many times concurrently is restored once, and either restored or deleted permanently', async () => {
  const groupName = await newGroup()
  const fid = await storeSeries(groupName, 'raced.csv', 'A,2026-01-02,1\n')
  await anna.call(deleteFile, { params: { fid } })
  const outcomes = (calls: readonly Promise<unknown>[]) =>
    Promise.all(
      calls.map((call) =>
        call.then(
          () => 200,
          (error: { status: number }) => error.status,
        ),
      ),
    )
  const restored = await outcomes(Array.from({ length: 6 }, () => restore(anna, 'files', fid)))
  expect(restored.filter((status) => status === 200)).toHaveLength(1)
  expect(restored.every((status) => [200, 404, 409].includes(status))).toBe(true)
  expect(await values(groupName, 'A')).toHaveLength(1)
  expect((await anna.call(listFileVersions, { params: { fid }, query: {} })).items).toHaveLength(1)

  await anna.call(deleteFile, { params: { fid } })
  const raced = await outcomes(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? restore(anna, 'files', fid) : remove(anna, 'files', fid),
    ),
  )
  expect(raced.filter((status) => status === 200)).toHaveLength(1)
  expect(raced.every((status) => [200, 404, 409].includes(status))).toBe(true)
})

/** Deletes a group and returns its id. */
async function trashGroup(name: string): Promise<string> {
  const { groupId } = await anna.call(getGroup, { params: { name } })
  await anna.call(deleteGroup, { params: { name } })
  return String(groupId)
}

test('a deleted group, its files, symbols and data preps are in no response, not even for administrators, and can be restored with its contents', async () => {
  const groupName = await newGroup()
  const fid = await storeSeries(groupName, 'prices.csv', 'A,2026-01-02,1\n')
  const deletedFid = await storeFile(groupName, 'deleted.txt', 'x')
  await anna.call(deleteFile, { params: { fid: deletedFid } })
  await share(groupName, 'R')
  const symbols = [{ groupName, symbols: { Code: 'A' }, columns: ['Close'] }]
  const prep = await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'Prices', outputGroup: groupName, symbols } },
  })
  const before = await values(groupName, 'A')
  const id = await trashGroup(groupName)

  for (const session of [anna, ben, server.admin]) {
    const status = async (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    expect(await status(session.call(getGroup, { params: { name: groupName } }))).toBe(404)
    expect(await status(session.call(getFile, { params: { fid } }))).toBe(404)
    expect(await status(session.call(getDataPrep, { params: { id: prep.id } }))).toBe(404)
    const query = { query: groupName }
    expect(
      (await session.call(searchFiles, { query: { query: `name=prices.csv` } })).items,
    ).not.toContainEqual(expect.objectContaining({ fid }))
    expect((await session.call(listGroups, { query })).items.map(({ name }) => name)).not.toContain(groupName)
    expect(
      (await session.call(searchSymbols, { query: { query: `groupName=${groupName}` } })).totalSize,
    ).toBe(0)
    expect((await session.call(listSymbolGroups, { query })).items).not.toContainEqual(
      expect.objectContaining({ groupName }),
    )
    expect((await list(session, 'files', groupName)).totalSize).toBe(0)
  }
  expect(await values(groupName, 'A')).toBe(404)
  expect((await list(anna, 'groups', groupName)).items).toEqual([
    expect.objectContaining({
      id,
      name: groupName,
      owner: anna.userName,
      content: '1 file, 1 symbol, 1 data prep',
    }),
  ])

  await restore(anna, 'groups', id)
  expect(await values(groupName, 'A')).toEqual(before)
  expect(await ben.call(getFile, { params: { fid } })).toMatchObject({ fid })
  expect(await anna.call(getDataPrep, { params: { id: prep.id } })).toMatchObject({ name: 'Prices' })
  expect((await list(anna, 'files', groupName)).items).toEqual([expect.objectContaining({ id: deletedFid })])
})

test('only the owner and administrators can see and restore a deleted group', async () => {
  const groupName = await newGroup()
  await share(groupName, 'RW')
  const id = await trashGroup(groupName)
  expect((await list(ben, 'groups', groupName)).totalSize).toBe(0)
  for (const call of [restore, remove])
    expect(await refusal(call(ben, 'groups', id))).toMatchObject({
      status: 404,
      body: { code: 'notInTrash' },
    })
  expect((await list(server.admin, 'groups', groupName)).totalSize).toBe(1)
  await restore(server.admin, 'groups', id)
  expect(await anna.call(getGroup, { params: { name: groupName } })).toMatchObject({ owner: anna.userName })

  await trashGroup(groupName)
  expect((await list(anna, 'groups', groupName)).items).toEqual([
    expect.objectContaining({ id, canRestore: true }),
  ])
  await restore(anna, 'groups', id)
  expect(await anna.call(getGroup, { params: { name: groupName } })).toMatchObject({ owner: anna.userName })
})

test('the name of a deleted group becomes free; if it is taken, the group is restored under another name', async () => {
  const groupName = await newGroup()
  const id = await trashGroup(groupName)
  await anna.call(createGroup, { body: { name: groupName } })
  expect(await refusal(restore(anna, 'groups', id))).toMatchObject({
    status: 409,
    body: { code: 'nameTaken' },
  })
  expect(await refusal(restore(anna, 'groups', id, 'a/b'))).toMatchObject({ status: 400 })
  const other = `${groupName} restored`
  expect(await restore(anna, 'groups', id, other)).toMatchObject({ name: other })
  expect((await anna.call(getGroup, { params: { name: other } })).groupId).toBe(Number(id))
})

/** Starts a request while a transaction changes a group; the transaction is committed once the request waits for it. */
async function during<Result>(
  statements: readonly string[],
  request: () => Promise<Result>,
): Promise<Result> {
  const { pool } = server.running.platform.database
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    const result = request()
    const waiting = async () =>
      (
        await pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows.length
    await expect.poll(waiting).toBeGreaterThan(0)
    await client.query('commit')
    return await result
  } finally {
    client.release()
  }
}

test('a group is not restored under a name that another user is taking at the same time', async () => {
  const groupName = await newGroup()
  const id = await trashGroup(groupName)
  const insertion = `insert into groups (name, description, fields, owner_id) select '${groupName}', '', '[]', id from users limit 1`
  const error = await during([insertion], () => refusal(restore(anna, 'groups', id)))
  expect(error).toMatchObject({ status: 409, body: { code: 'nameTaken' } })
})

test('nothing is created, saved or moved in a group that is being deleted', async () => {
  const groupName = await newGroup()
  const outside = await newGroup()
  const prepIn = (outputGroup: string) =>
    anna.call(createDataPrep, { body: { dataPrep: { name: 'early', outputGroup, symbols: [] } } })
  const [own, other] = [await prepIn(groupName), await prepIn(outside)]
  const { groupId } = await anna.call(getGroup, { params: { name: groupName } })
  const dataPrep = { name: 'late', outputGroup: groupName, symbols: [] }
  const deletion = `update groups set deleted_at = now(), deleted_contents = '{}' where id = ${groupId}`
  const lock = `select id from live_groups where id = ${groupId} for update`
  const update = (id: string, name: string) =>
    anna.call(updateDataPrep, {
      params: { id },
      body: { dataPrep: { ...dataPrep, name, version: 1 } } as never,
    })
  const errors = await during([lock, deletion], () =>
    Promise.all(
      [
        anna.call(createDataPrep, { body: { dataPrep } as never }),
        update(own.id, 'saved'),
        update(other.id, 'moved'),
      ].map(refusal),
    ),
  )
  for (const { status } of errors) expect([400, 404]).toContain(status)
  const { rows } = await server.running.platform.database.pool.query(
    'select name, version from items where group_id = $1',
    [groupId],
  )
  expect(rows).toEqual([{ name: 'early', version: 1 }])
  expect((await anna.call(getDataPrep, { params: { id: other.id } })).outputGroup).toBe(outside)
})

test('two groups restored concurrently under one name do not both get it', async () => {
  const ids: string[] = []
  const groupName = await newGroup()
  ids.push(await trashGroup(groupName))
  await anna.call(createGroup, { body: { name: groupName } })
  ids.push(await trashGroup(groupName))
  const results = await Promise.all(
    ids.map((id) =>
      restore(anna, 'groups', id).then(
        () => 200,
        (error: { status: number }) => error.status,
      ),
    ),
  )
  expect(new Set(results)).toEqual(new Set([200, 409]))
})

test('a schedule of a restored group continues with its next run', async () => {
  const groupName = await newGroup()
  await storeSeries(groupName, 'prices.csv', 'A,2026-01-02,1\n')
  const symbols = [{ groupName, symbols: { Code: 'A' }, columns: ['Close'] }]
  const prep = await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'Hourly', outputGroup: groupName, symbols } },
  })
  const schedule = { cron: '0 * * * *', timeZone: 'UTC', active: true }
  await anna.call(setPrepSchedule, { params: { id: prep.id }, body: schedule })
  const id = await trashGroup(groupName)
  // A run was due while the group was deleted.
  const { pool } = server.running.platform.database
  await pool.query(
    `update schedules set next_at = now() - interval '1 day', due_at = now() - interval '1 day'
    where target_id = $1`,
    [prep.id],
  )
  await restore(anna, 'groups', id)
  const { rows } = await pool.query(
    'select due_at is null as "isFree", next_at > now() as "isNext" from schedules where target_id = $1',
    [prep.id],
  )
  expect(rows).toEqual([{ isFree: true, isNext: true }])
  expect(await anna.call(getPrepSchedule, { params: { id: prep.id } })).toMatchObject({
    schedule: { active: true },
  })
})

/** Removes symbols of a group by the values of their key Code. */
const removeCodes = (groupName: string, codes: string[]) =>
  anna.call(removeSymbols, {
    body: { groupName, symbols: codes.map((Code) => ({ Code })), checkTimeSeries: false },
  })

test('a removed symbol has no values and is in no search; its points are stored and are restored with it', async () => {
  const groupName = await newGroup()
  await storeSeries(groupName, 'prices.csv', 'A,2026-01-02,1\nA,2026-01-03,2\nB,2026-01-02,9\n')
  const before = await values(groupName, 'A')
  await removeCodes(groupName, ['A', 'B'])
  expect(await values(groupName, 'A')).toEqual([])
  expect((await anna.call(searchSymbols, { query: { query: `groupName=${groupName}` } })).totalSize).toBe(0)
  const { items } = await list(anna, 'symbols', groupName)
  expect(items.map(({ name }) => name).toSorted()).toEqual(['Code=A', 'Code=B'])
  expect((await list(anna, 'symbols', 'code=a')).items).toContainEqual(
    expect.objectContaining({ groupName, keys: { Code: 'A' }, deletedBy: anna.userName, content: 'Series' }),
  )

  const idOf = (name: string) => items.find((item) => item.name === name)!.id
  await restore(anna, 'symbols', idOf('Code=A'))
  expect(await values(groupName, 'A')).toEqual(before)
  expect((await list(anna, 'symbols', groupName)).totalSize).toBe(1)

  // The symbol is removed, restored, removed again and then deleted permanently.
  await removeCodes(groupName, ['A'])
  await restore(anna, 'symbols', idOf('Code=A'))
  expect(await values(groupName, 'A')).toEqual(before)
  await remove(anna, 'symbols', idOf('Code=B'))
  expect(await refusal(restore(anna, 'symbols', idOf('Code=B')))).toMatchObject({ status: 404 })
})

test('a symbol that was uploaded again after its removal is restored with other key values', async () => {
  const groupName = await newGroup()
  await storeSeries(groupName, 'old.csv', 'A,2026-01-02,1\n')
  const before = await values(groupName, 'A')
  await removeCodes(groupName, ['A'])
  await storeSeries(groupName, 'new.csv', 'A,2026-01-02,100\n')
  const [{ id } = { id: '' }] = (await list(anna, 'symbols', groupName)).items
  expect(await refusal(restore(anna, 'symbols', id))).toMatchObject({
    status: 409,
    body: {
      code: 'nameTaken',
      message: expect.stringMatching(/already has a symbol “Code=A”.*remove the other symbol/),
    },
  })
  for (const name of ['B', '{"Other":"B"}', '{"Code":" "}', '{"Code":"\\ud800"}', '{"Code":"a\\u202eb"}'])
    expect(await refusal(restore(anna, 'symbols', id, name))).toMatchObject({ status: 400 })
  expect(await restore(anna, 'symbols', id, '{"Code":"OLD"}')).toMatchObject({ name: 'Code=OLD' })
  expect(await values(groupName, 'OLD')).toEqual([(before as string[])[0]!.replace('A', 'OLD')])
  expect(await values(groupName, 'A')).toEqual([expect.stringContaining('100')])
})

test('points of files that were deleted while a symbol was in the trash are not restored', async () => {
  const groupName = await newGroup()
  const first = await storeSeries(groupName, 'first.csv', 'A,2026-01-02,1\n')
  await storeSeries(groupName, 'second.csv', 'A,2026-01-03,2\n')
  await removeCodes(groupName, ['A'])
  await anna.call(deleteFile, { params: { fid: first } })
  const [{ id } = { id: '' }] = (await list(anna, 'symbols', groupName)).items
  await restore(anna, 'symbols', id)
  expect(await values(groupName, 'A')).toEqual([expect.stringContaining('2026-01-03')])
  await restore(anna, 'files', first)
  expect(await values(groupName, 'A')).toHaveLength(2)
})

test('a removed formula is restored, unless it would then depend on itself', async () => {
  const groupName = await newGroup()
  await storeSeries(groupName, 'prices.csv', 'A,2026-01-02,2\n')
  const formula = (code: string, input: string) => ({
    groupName,
    symbols: { Code: code },
    column: 'Close',
    expression: '2 * x',
    inputs: [{ name: 'x', groupName, symbols: { Code: input }, column: 'Close' }],
  })
  await anna.call(createFormula, { body: formula('TWICE', 'A') })
  const before = await values(groupName, 'TWICE')
  await removeCodes(groupName, ['TWICE'])
  expect(await values(groupName, 'TWICE')).toEqual([])
  const [{ id, content } = { id: '', content: '' }] = (await list(anna, 'symbols', groupName)).items
  expect(content).toBe('Formula')
  await restore(anna, 'symbols', id)
  expect(await values(groupName, 'TWICE')).toEqual(before)

  await anna.call(createFormula, { body: formula('FOUR', 'TWICE') })
  await removeCodes(groupName, ['TWICE', 'A'])
  const inTrash = (await list(anna, 'symbols', groupName)).items
  // The input of the removed formula becomes a formula that uses it through another one.
  await anna.call(createFormula, { body: formula('A', 'FOUR') })
  const twice = inTrash.find(({ name }) => name === 'Code=TWICE')!
  expect(await refusal(restore(anna, 'symbols', twice.id))).toMatchObject({
    status: 409,
    body: { code: 'notRestored' },
  })
})

test('objects past the retention period are deleted permanently; all others remain', async () => {
  const groupName = await newGroup()
  const gone = await storeFile(groupName, 'gone.txt', 'x')
  const later = await storeFile(groupName, 'later.txt', 'x')
  const last = await storeFile(groupName, 'last.txt', 'x')
  for (const fid of [gone, later, last]) await anna.call(deleteFile, { params: { fid } })
  const old = await newGroup()
  await storeSeries(old, 'prices.csv', 'A,2026-01-02,1\n')
  await storeSeries(groupName, 'symbols.csv', 'OLD,2026-01-02,1\nLAST,2026-01-02,1\n')
  await removeCodes(groupName, ['OLD', 'LAST'])
  const oldId = await trashGroup(old)
  const lastGroup = await newGroup()
  const lastId = await trashGroup(lastGroup)
  const { pool } = server.running.platform.database
  // The retention period of the objects named “last” ends in ten minutes.
  const [over, nearlyOver] = ['30 days', '29 days 23 hours 50 minutes']
  for (const [fid, age] of [
    [gone, over],
    [last, nearlyOver],
  ])
    await pool.query(`update files set deleted_at = deleted_at - $2::interval where id = $1`, [fid, age])
  for (const [groupId, age] of [
    [oldId, over],
    [lastId, nearlyOver],
  ])
    await pool.query(`update groups set deleted_at = deleted_at - $2::interval where id = $1`, [groupId, age])
  await pool.query(
    `update removed_symbols set removed_at = removed_at -
       case when keys ->> 'Code' = 'LAST' then $1::interval else $2::interval end where is_restorable`,
    [nearlyOver, over],
  )
  await server.running.platform.trash.purge()
  expect((await list(anna, 'files', groupName)).items.map(({ id }) => id)).toEqual([later, last])
  expect((await list(anna, 'groups', old)).totalSize).toBe(0)
  expect((await list(anna, 'groups', lastGroup)).totalSize).toBe(1)
  expect((await list(anna, 'symbols', '')).items.map(({ name }) => name)).toEqual(['Code=LAST'])
  expect((await pool.query('select from files where group_id = $1', [oldId])).rowCount).toBe(0)
})

test('an object that cannot be deleted permanently does not prevent the deletion of others', async () => {
  const groupName = await newGroup()
  const { pool } = server.running.platform.database
  const fids = []
  for (const name of ['a.txt', 'stuck.txt', 'c.txt']) fids.push(await storeFile(groupName, name, 'x'))
  for (const fid of fids) await anna.call(deleteFile, { params: { fid } })
  await storeSeries(groupName, 'symbols.csv', 'P1,2026-01-02,1\nSTUCK,2026-01-02,1\nP2,2026-01-02,1\n')
  await removeCodes(groupName, ['P1', 'STUCK', 'P2'])
  const names = [await newGroup(), `Stuck ${await newGroup()}`, await newGroup()]
  await anna.call(createGroup, { body: { name: names[1]! } })
  const groupIds = []
  for (const name of names) groupIds.push(await trashGroup(name))
  // The failing object is the oldest, so it is deleted first.
  for (const [table, column, isStuck] of [
    ['files', 'deleted_at', `name = 'stuck.txt'`],
    ['groups', 'deleted_at', `name like 'Stuck %'`],
    ['removed_symbols', 'removed_at', `keys ->> 'Code' = 'STUCK'`],
  ] as const) {
    await pool.query(
      `update ${table} set ${column} = ${column} - interval '30 days' - case when ${isStuck} then interval '1 day' else interval '0' end
       where ${column} is not null`,
    )
    await pool.query(
      `create or replace function fail() returns trigger language plpgsql as $$ begin raise 'It is stuck.'; end $$`,
    )
    await pool.query(
      `create trigger fails before delete or update on ${table} for each row
       when (${isStuck.replace('name', 'old.name').replace('keys', 'old.keys')}) execute function fail()`,
    )
  }
  try {
    await expect(server.running.platform.trash.purge()).rejects.toMatchObject({
      errors: Array.from({ length: 3 }, () => expect.objectContaining({ message: 'It is stuck.' })),
    })
    expect((await list(anna, 'files', groupName)).items.map(({ name }) => name)).toEqual(['stuck.txt'])
    expect((await list(anna, 'symbols', groupName)).items.map(({ name }) => name)).toEqual(['Code=STUCK'])
    const left = (await list(anna, 'groups', '')).items.map(({ id }) => id)
    expect(groupIds.filter((id) => left.includes(id))).toEqual([groupIds[1]])
  } finally {
    for (const table of ['files', 'groups', 'removed_symbols'])
      await pool.query(`drop trigger fails on ${table}`)
  }
  await server.running.platform.trash.purge()
  expect((await list(anna, 'groups', '')).items.map(({ id }) => id)).not.toContain(groupIds[1])
})

test('a transfer of all files includes those in the trash, so a restored file belongs to the new owner', async () => {
  const dora = await server.createUser()
  const groupName = await newGroup()
  await server.grantGroup({ groupName, userName: dora.userName, access: 'RW' })
  const fids = []
  for (const fileName of ['there.txt', 'deleted.txt'])
    fids.push((await upload(dora, { groupName, fileName })).fileId)
  await dora.call(deleteFile, { params: { fid: fids[1]! } })
  const body = { currentOwnerUser: dora.userName, targetOwnerUser: anna.userName, transferAll: true }
  expect(await dora.call(transferOwnership, { body })).toEqual({ transferred: 2 })
  expect((await list(anna, 'files', groupName)).items).toMatchObject([{ id: fids[1], owner: anna.userName }])
  await restore(anna, 'files', fids[1]!)
  for (const fid of fids)
    expect(await anna.call(getFile, { params: { fid: fid! } })).toMatchObject({ owner: anna.userName })
})

test('10,000 deleted files can be listed by page and searched', async () => {
  const groupName = await newGroup()
  await server.running.platform.database.pool.query(
    `insert into files (id, group_id, name, type, owner_id, zipped, partial_update, avoid_duplicates, skip_metadata, job_id,
       state, hash, size_bytes, version, announced_at, deleted_at)
     select gen_random_uuid(), groups.id, 'file ' || n || '.txt', 'SOURCE', owner_id, false, false, false, false,
       gen_random_uuid(), 'deleted', '', n, 1, now(), now() - n * interval '1 second'
     from groups, generate_series(1, 10000) n where groups.name = $1`,
    [groupName],
  )
  const page = async (query: object) => {
    const { items, totalSize } = await anna.call(listTrash, {
      params: { kind: 'files' },
      query: { query: groupName, size: 2, ...query },
    })
    return [totalSize, items.map(({ name }) => name)]
  }
  expect(await page({})).toEqual([10_000, ['file 1.txt', 'file 2.txt']])
  expect(await page({ from: 9_999 })).toEqual([10_000, ['file 10000.txt']])
  expect(await page({ sortBy: 'sizeBytes', sortOrder: 'desc', from: 1 })).toEqual([
    10_000,
    ['file 9999.txt', 'file 9998.txt'],
  ])
  expect(await page({ query: 'FILE 777_.txt' })).toEqual([0, []])
  expect(await page({ query: 'FILE 7777.TXT' })).toEqual([1, ['file 7777.txt']])
})

test('SQL of the groups feature reads the view of live groups, and only the store of deleted groups reads the table', async () => {
  const folder = 'features/groups/server'
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const reading: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    if (/selectFrom\('groups'\)|\b(from|join) groups\b|Join\('groups'/.test(text)) reading.push(name)
  }
  expect(reading).toEqual(['trashed-groups.ts'])
})
