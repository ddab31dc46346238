import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate } from '@headwater/server-kit'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'

let testDatabase: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  pool = new pg.Pool({ connectionString: testDatabase.connectionString })
  await migrateUntil(pool, '2026-11-24T0300-create-items.sql')
  for (const name of ['anna', 'ben'])
    await pool.query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
  for (const name of ['Prices', 'Flows'])
    await pool.query(`insert into groups (name, owner_id) select $1, id from users where user_name = 'ben'`, [
      name,
    ])
  await writeOldTables()
  await migrate(pool, migrationsFolders)
})
afterAll(async () => {
  await pool.end()
  await testDatabase.drop()
})

const first = '2026-03-01T10:00:00.123456Z'
const second = '2026-03-02T10:00:00.654321Z'
const third = '2026-03-03T10:00:00.000001Z'

const [mailing, script] = [randomUUID(), randomUUID()]

const scriptVersions = [
  {
    readableName: '',
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: 'print("a\\n“b” \ud83d\ude00")' }],
  },
  { readableName: 'Daily script', definitionName: 'python-runner', timeout: 60, params: [] },
  { readableName: 'Daily script', definitionName: 'python-runner', timeout: 90, params: [] },
]
const mailingVersion = { definitionName: 'email-sender', params: [] }

/** Writes tasks as the server did before. */
async function writeOldTables(): Promise<void> {
  await oldTask(script, 'Prices', 'daily', [
    [scriptVersions[0]!, 'anna', first],
    [scriptVersions[1]!, 'ben', second],
    [scriptVersions[2]!, 'anna', third],
  ])
  await oldTask(mailing, 'Flows', 'daily', [[mailingVersion, 'ben', second]])
}

async function oldTask(
  id: string,
  group: string,
  name: string,
  versions: [input: object, by: string, at: string][],
): Promise<void> {
  await pool.query(
    `insert into tasks (id, group_id, name, version) select $1, id, $2, $3 from groups where name = $4`,
    [id, name, versions.length, group],
  )
  for (const [index, [input, by, at]] of versions.entries())
    await pool.query(
      `insert into task_versions (task_id, version, input, saved_by, saved_at)
       select $1, $2, $3, id, $4 from users where user_name = $5`,
      [id, index + 1, JSON.stringify(input), at, by],
    )
}

const utc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** An item with its versions, as the tables hold it; times to the microsecond. */
async function stored(id: string): Promise<unknown> {
  const { rows: items } = await pool.query(
    `select kind, groups.name as group, items.name, user_name as owner, version,
       ${utc('items.created_at')} as created, ${utc('items.updated_at')} as updated
     from items join groups on groups.id = group_id join users on users.id = items.owner_id where items.id = $1`,
    [id],
  )
  const { rows: versions } = await pool.query(
    `select version, kind, content, summary, user_name as by, ${utc('saved_at')} as at
     from item_versions join users on users.id = saved_by where item_id = $1 order by version`,
    [id],
  )
  return { ...items[0], versions }
}

test('tasks from before have the same ids, names, versions, contents, authors and times', async () => {
  expect(await stored(script)).toEqual({
    kind: 'task',
    group: 'Prices',
    name: 'daily',
    owner: 'anna',
    version: 3,
    created: first,
    updated: third,
    versions: [
      [scriptVersions[0], 'anna', first],
      [scriptVersions[1], 'ben', second],
      [scriptVersions[2], 'anna', third],
    ].map(([content, by, at], index) => ({
      version: index + 1,
      kind: 'task',
      content,
      summary: {
        readableName: index === 0 ? '' : 'Daily script',
        definitionName: 'python-runner',
      },
      by,
      at,
    })),
  })
  expect(await stored(mailing)).toEqual({
    kind: 'task',
    group: 'Flows',
    name: 'daily',
    owner: 'ben',
    version: 1,
    created: second,
    updated: second,
    versions: [
      {
        version: 1,
        kind: 'task',
        content: mailingVersion,
        summary: { readableName: null, definitionName: 'email-sender' },
        by: 'ben',
        at: second,
      },
    ],
  })
})

test('the tables from before are gone', async () => {
  const { rows } = await pool.query(
    `select to_regclass(name) as table from unnest(array['tasks', 'task_versions']) name`,
  )
  expect(rows).toEqual([{ table: null }, { table: null }])
})
