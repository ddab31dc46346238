import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate, openDatabase, silentLog, type Database } from '@headwater/server-kit'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrateUntil(database.pool, '2026-11-24T0610-export-items.sql')
  for (const name of ['anna', 'ben'])
    await query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
  for (const name of ['Prices', 'Board'])
    await query(`insert into groups (name, owner_id) select $1, id from users where user_name = 'ben'`, [
      name,
    ])
  await writeOldTables()
  await migrate(database.pool, migrationsFolders)
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

async function query<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

const at = (day: number) => `2026-03-0${day}T10:00:00.123456Z`

/** Versions of files as the server wrote them before; the author of one of them is not known. */
const files = [
  { group: 'Board', name: 'sales.json', type: 'SOURCE', version: 1, owner: 'ben', savedBy: 'ben', day: 1 },
  { group: 'Board', name: 'sales.json', type: 'INSIGHT', version: 2, owner: 'ben', savedBy: 'anna', day: 2 },
  { group: 'Board', name: 'sales.json', type: 'INSIGHT', version: 4, owner: 'ben', savedBy: null, day: 3 },
  {
    group: 'Prices',
    name: 'sales.json',
    type: 'INSIGHT',
    version: 1,
    owner: 'anna',
    savedBy: 'anna',
    day: 4,
  },
  {
    group: 'Prices',
    name: 'form.json',
    type: 'INSIGHT_TEMPLATE',
    version: 1,
    owner: 'anna',
    savedBy: 'ben',
    day: 5,
  },
  { group: 'Prices', name: 'notes.txt', type: 'INSIGHT', version: 1, owner: 'anna', savedBy: 'ben', day: 5 },
  { group: 'Prices', name: '.json', type: 'INSIGHT', version: 1, owner: 'anna', savedBy: 'ben', day: 5 },
  {
    group: 'Prices',
    name: 'coming.json',
    type: 'INSIGHT',
    version: null,
    owner: 'anna',
    savedBy: 'ben',
    day: 5,
  },
].map((file) => ({ ...file, id: randomUUID() }))

async function writeOldTables(): Promise<void> {
  for (const { id, group, name, type, version, owner, savedBy, day } of files) {
    const latest = version !== null && !files.some((other) => isNewer(other, { group, name, version }))
    await query(
      `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, partial_update, avoid_duplicates,
         skip_metadata, job_id, announced_at, state, hash, size_bytes, version, latest, arrival, arrived_at)
       select $1, groups.id, $3, $4, owner.id, (select id from users where user_name = $6), false, false, false, false,
         $1, now(), case when $7::int is null then 'awaiting' else 'ready' end, 'hash', 2, $7, $8, 1, $9
       from groups, users owner where groups.name = $2 and owner.user_name = $5`,
      [id, group, name, type, owner, savedBy, version, latest, at(day)],
    )
  }
}

function isNewer(
  other: (typeof files)[number],
  { group, name, version }: { group: string; name: string; version: number },
): boolean {
  return other.group === group && other.name === name && (other.version ?? 0) > version
}

const utc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

test('insights and templates from before are items, with a version for each one of their files', async () => {
  const items = await query(
    `select items.kind, groups.name as group, items.name, owner.user_name as owner, items.version as newest,
       ${utc('items.created_at')} as created, ${utc('items.updated_at')} as updated, saved.version, content, summary,
       saver.user_name as by, ${utc('saved_at')} as at
     from items join groups on groups.id = group_id join users owner on owner.id = items.owner_id
     join item_versions saved on item_id = items.id join users saver on saver.id = saved.saved_by
     where items.kind like 'insight%' order by items.kind, groups.name, saved.version`,
  )
  const version = (fileIndex: number, by: string) => {
    const { id, version: number, day } = files[fileIndex]!
    return { version: number, content: { fileId: id }, summary: {}, by, at: at(day) }
  }
  const sales = { kind: 'insight', group: 'Board', name: 'sales', owner: 'anna', newest: 4 }
  const dates = { created: at(2), updated: at(3) }
  expect(items).toEqual([
    { ...sales, ...dates, ...version(1, 'anna') },
    { ...sales, ...dates, ...version(2, 'ben') },
    { ...sales, group: 'Prices', newest: 1, created: at(4), updated: at(4), ...version(3, 'anna') },
    {
      kind: 'insight-template',
      group: 'Prices',
      name: 'form',
      owner: 'ben',
      newest: 1,
      created: at(5),
      updated: at(5),
      ...version(4, 'ben'),
    },
  ])
})
