import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroups, narrowScope, type AccessScope } from '@headwater/groups/server'
import { createJobQueue } from '@headwater/jobs'
import { migrationsFolders } from '@headwater/server/testing'
import { migrate, openDatabase, systemClock, type Database } from '@headwater/server-kit'
import { createTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { createItems, type Items, type ItemStore } from './index.ts'

let testDatabase: TestDatabase
let database: Database
let items: Items
let notes: ItemStore<{ files: string[] }>
let anna: number
let open: number
let secret: number
let scope: AccessScope

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, migrationsFolders)
  anna = await insertedId(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  open = await insertedId(`insert into groups (name, owner_id) values ('Open', ${anna}) returning id`)
  secret = await insertedId(`insert into groups (name, owner_id) values ('Secret', ${anna}) returning id`)
  const { access } = createGroups({
    database,
    clock: systemClock,
    jobs: createJobQueue({ pool: database.pool }),
    favoriteGroupNames: async () => [],
  })
  const principal = { userId: anna, userName: 'anna', companyId: 1, scheme: 'Bearer' as const }
  scope = narrowScope(await access.scope({ ...principal, isAdministrator: false, can: () => true }), [open])
  items = createItems({ database })
  notes = items.storeOf({
    kind: 'note',
    summaryOf: () => ({}),
    linksOf: ({ files }) => files.map((target) => ({ type: 'file', target })),
  })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

async function insertedId(text: string): Promise<number> {
  return (await database.pool.query<{ id: number }>(text)).rows[0]!.id
}

const noteOf = (name: string, files: string[], groupId = open) => ({
  groupId,
  name,
  content: { files },
  savedBy: anna,
  savedAt: new Date(),
})

/** Creates a note and returns its id. */
async function create(name: string, files: string[], groupId = open): Promise<string> {
  const id = randomUUID()
  expect(await notes.create(id, noteOf(name, files, groupId))).toBe('created')
  return id
}

/** Returns the names and versions of the notes that reference a file. */
async function usersOf(target: string): Promise<string[]> {
  const { items: matches } = await items.references([{ type: 'file', target }], { scope, size: 100 })
  return matches.map(({ name, version }) => `${name} ${version}`)
}

test('after each save, change, restore, copy or deletion, the references to an object are those of the newest versions', async () => {
  const id = await create('first', ['a', 'b', 'a'])
  expect([await usersOf('a'), await usersOf('b')]).toEqual([['first 1'], ['first 1']])
  expect(await notes.save(id, { ...noteOf('second', ['b']), basedOn: 1 })).toBe('saved')
  expect([await usersOf('a'), await usersOf('b')]).toEqual([[], ['second 2']])
  await notes.amend(id, { content: () => ({ files: ['c'] }) })
  expect([await usersOf('b'), await usersOf('c')]).toEqual([[], ['second 2']])
  const by = { savedBy: anna, savedAt: new Date() }
  await notes.restore(id, 1, { ...by, basedOn: 2 })
  expect([await usersOf('a'), await usersOf('c')]).toEqual([['second 3'], []])
  const copy = randomUUID()
  await notes.copy({ id, version: 2 }, { ...by, id: copy, groupId: open, name: 'copy' })
  expect(await usersOf('c')).toEqual(['copy 1'])
  await notes.remove(copy)
  expect(await usersOf('c')).toEqual([])
})

test('recorded versions have links, and removing a version restores those of the previous one', async () => {
  const at = { groupId: open, name: 'recorded' }
  const by = { savedBy: anna, savedAt: new Date() }
  await notes.transaction((tx) => notes.record(at, { ...by, version: 1, content: { files: ['r1'] } }, tx))
  await notes.transaction((tx) => notes.record(at, { ...by, version: 2, content: { files: ['r2'] } }, tx))
  expect([await usersOf('r1'), await usersOf('r2')]).toEqual([[], ['recorded 2']])
  await notes.transaction((tx) => notes.unrecord(at, 2, tx))
  expect([await usersOf('r1'), await usersOf('r2')]).toEqual([['recorded 1'], []])
})

test('a save that is rolled back or rejected leaves the links unchanged', async () => {
  const id = await create('kept', ['k1'])
  const failing = notes.save(
    id,
    { ...noteOf('kept', ['k2']), basedOn: 1 },
    { inSameTransaction: () => Promise.reject(new Error('no')) },
  )
  await expect(failing).rejects.toThrow('no')
  expect(await notes.save(id, { ...noteOf('kept', ['k2']), basedOn: 7 })).toBe('changed')
  expect([await usersOf('k1'), await usersOf('k2')]).toEqual([['kept 1'], []])
})

test('references outside the scope are only counted', async () => {
  await create('beside', ['s'])
  await create('unreadable', ['s'], secret)
  await create('apart', ['s'])
  const all = await items.references([{ type: 'file', target: 's' }], { scope, size: 100 })
  expect(all).toMatchObject({ items: [{ name: 'apart' }, { name: 'beside' }], total: 2, hidden: 1 })
  expect(JSON.stringify(all)).not.toMatch(/unreadable|Secret/)
  const first = await items.references([{ type: 'file', target: 's' }], { scope, size: 1 })
  expect(first).toMatchObject({ items: [{ name: 'apart', groupName: 'Open', kind: 'note' }], total: 2 })
  expect((await items.references([{ type: 'group', target: 's' }], { scope, size: 1 })).total).toBe(0)
})

test('accepts targets longer than an index entry, and treats SQL in them as text', async () => {
  const target = `'; drop table item_links; --${Array.from({ length: 400 }, () => randomUUID()).join('')}`
  await create('long', [target])
  expect(await usersOf(target)).toEqual(['long 1'])
})
