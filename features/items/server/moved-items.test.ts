import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate, type Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'

let database: Database
let pool: Database['pool']

beforeAll(async () => {
  database = await openTestDatabase()
  pool = database.pool
  await migrateUntil(pool, '2026-11-24T0400-create-items.sql')
  for (const name of ['anna', 'ben'])
    await pool.query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
  for (const name of ['Prices', 'Flows', 'Short-lived'])
    await pool.query(`insert into groups (name, owner_id) select $1, id from users where user_name = 'ben'`, [
      name,
    ])
  await writeOldTables()
  await migrate(pool, migrationsFolders)
})
afterAll(() => database.close())

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

const [prep, emptyPrep, run] = [randomUUID(), randomUUID(), randomUUID()]
const [shortLived, shortRun] = [randomUUID(), randomUUID()]
const prepVersions = [
  {
    symbols: [{ groupName: 'Prices', symbols: { Code: 'A', Note: 'a \u00e9 \\ "b"' } }],
    range: 'BETWEEN',
    dateFrom: '2026-01-01T00:00:00',
    dateTo: null,
    lastType: 'VALUES',
    lastTypeAmount: 1,
  },
  {
    symbols: [{ symbols: { Code: '*' } }, { symbols: {} }],
    range: 'LAST',
    lastType: 'DAYS',
    lastTypeAmount: 30,
  },
]

const [pipeline, shortFlow] = [randomUUID(), randomUUID()]
const pipelineVersions = [
  { tasks: [], payload: '{}', tags: [], markdownId: null },
  {
    tasks: [{ id: 'a', name: 'a', taskName: 'daily', taskGroupName: 'Prices', taskId: script, params: [] }],
    payload: '{ "positions": {"a":\n[1.50, 2]}, "comments": ["\\u0000 “é”"] }',
    tags: ['insight', 'two, "three"'],
    markdownId: 'c0ffee',
  },
]

/** Writes items of all kinds in the format of earlier servers. */
async function writeOldTables(): Promise<void> {
  await oldTask(script, 'Prices', 'daily', [
    [scriptVersions[0]!, 'anna', first],
    [scriptVersions[1]!, 'ben', second],
    [scriptVersions[2]!, 'anna', third],
  ])
  await oldTask(mailing, 'Flows', 'daily', [[mailingVersion, 'ben', second]])
  await oldPrep(prep, 'Prices', 'daily', [
    [prepVersions[0]!, 'ben', second],
    [prepVersions[1]!, 'anna', third],
  ])
  await oldPrep(emptyPrep, 'Flows', 'nothing', [[{ symbols: [] }, 'anna', first]])
  await oldPrep(shortLived, 'Short-lived', 'daily', [[{ symbols: [] }, 'anna', first]])
  for (const [id, prepId] of [
    [run, prep],
    [shortRun, shortLived],
  ])
    await pool.query(
      `insert into data_prep_runs (id, data_prep_id, version, user_id) select $1, $2, 1, id from users where user_name = 'anna'`,
      [id, prepId],
    )
  await oldPipeline(pipeline, 'Prices', [
    [pipelineVersions[0]!, 'ben', first],
    [pipelineVersions[1]!, 'anna', third],
  ])
  await oldPipeline(shortFlow, 'Short-lived', [[pipelineVersions[0]!, 'anna', first]])
  await pool.query(
    `insert into schedules (kind, target_id, triggers, active, set_by, set_at)
     select kind, target_id::uuid, '[]', true, id, now() from users,
       (values ('pipeline', $1), ('data-prep', $2)) target (kind, target_id) where user_name = 'anna'`,
    [shortFlow, shortLived],
  )
}

async function oldPipeline(
  id: string,
  group: string,
  versions: [content: (typeof pipelineVersions)[number], by: string, at: string][],
): Promise<void> {
  await pool.query(
    `insert into pipelines (id, group_id, name, version) select $1, id, 'daily', $2 from groups where name = $3`,
    [id, versions.length, group],
  )
  for (const [index, [{ tasks, payload, tags, markdownId }, by, at]] of versions.entries())
    await pool.query(
      `insert into pipeline_versions (pipeline_id, version, tasks, payload, tags, markdown_id, saved_by, saved_at)
       select $1, $2, $3, $4, $5, $6, id, $7 from users where user_name = $8`,
      [id, index + 1, JSON.stringify(tasks), payload, tags, markdownId, at, by],
    )
}

async function oldPrep(
  id: string,
  group: string,
  name: string,
  versions: [definition: { symbols: object[] }, by: string, at: string][],
): Promise<void> {
  const [, owner, createdAt] = versions[0]!
  await pool.query(
    `insert into data_preps (id, group_id, name, owner_id, version, created_at, updated_at)
     select $1, groups.id, $2, users.id, $3, $4, $5 from groups, users where groups.name = $6 and user_name = $7`,
    [id, name, versions.length, createdAt, versions.at(-1)![2], group, owner],
  )
  for (const [index, [definition, by, at]] of versions.entries())
    await pool.query(
      `insert into data_prep_versions (data_prep_id, version, definition, symbol_count, saved_by, saved_at)
       select $1, $2, $3, $4, id, $5 from users where user_name = $6`,
      [id, index + 1, JSON.stringify(definition), definition.symbols.length, at, by],
    )
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

/** An item with its versions as stored in the tables, with times in microseconds. */
async function stored(id: string): Promise<unknown> {
  const { rows: items } = await pool.query(
    `select kind, groups.name as group, items.name, user_name as owner, items.version,
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

test('migrated tasks have the same ids, names, versions, contents, authors and times', async () => {
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

test('migrated data preps have the same ids, names, versions, definitions, authors, times and runs', async () => {
  const noRange = { range: null, lastType: null, lastTypeAmount: null, dateFrom: null, dateTo: null }
  expect(await stored(prep)).toEqual({
    kind: 'data-prep',
    group: 'Prices',
    name: 'daily',
    owner: 'ben',
    version: 2,
    created: second,
    updated: third,
    versions: [
      {
        version: 1,
        kind: 'data-prep',
        content: prepVersions[0],
        summary: {
          symbolCount: 1,
          range: {
            range: 'BETWEEN',
            lastType: 'VALUES',
            lastTypeAmount: 1,
            dateFrom: '2026-01-01T00:00:00',
            dateTo: null,
          },
        },
        by: 'ben',
        at: second,
      },
      {
        version: 2,
        kind: 'data-prep',
        content: prepVersions[1],
        summary: {
          symbolCount: 2,
          range: { ...noRange, range: 'LAST', lastType: 'DAYS', lastTypeAmount: 30 },
        },
        by: 'anna',
        at: third,
      },
    ],
  })
  expect(await stored(emptyPrep)).toMatchObject({
    group: 'Flows',
    name: 'nothing',
    version: 1,
    created: first,
    updated: first,
    versions: [{ content: { symbols: [] }, summary: { symbolCount: 0, range: noRange } }],
  })
  const { rows: runs } = await pool.query(
    'select id, data_prep_id, version from data_prep_runs where id = $1',
    [run],
  )
  expect(runs).toEqual([{ id: run, data_prep_id: prep, version: 1 }])
})

test('migrated pipelines have the same ids, names, versions, contents, authors and times', async () => {
  expect(await stored(pipeline)).toEqual({
    kind: 'pipeline',
    group: 'Prices',
    name: 'daily',
    owner: 'ben',
    version: 2,
    created: first,
    updated: third,
    versions: [
      {
        version: 1,
        kind: 'pipeline',
        content: pipelineVersions[0],
        summary: { tags: [], markdownId: null },
        by: 'ben',
        at: first,
      },
      {
        version: 2,
        kind: 'pipeline',
        content: {
          ...pipelineVersions[1],
          // A later migration changes the names of the fields.
          tasks: [
            {
              id: 'a',
              taskId: script,
              taskName: 'daily',
              taskGroup: 'Prices',
              taskReadableName: 'a',
              taskOverrides: { params: [] },
              prevTasks: [],
            },
          ],
        },
        summary: { tags: ['insight', 'two, "three"'], markdownId: 'c0ffee' },
        by: 'anna',
        at: third,
      },
    ],
  })
})

test('migrated schedules and runs are deleted with their items, and items with their group', async () => {
  const left = async () =>
    (
      await pool.query<{ id: string }>(
        `select target_id as id from schedules union all
         select id from data_prep_runs where id = $1 union all
         select id from items where id = any($2) order by id`,
        [shortRun, [shortLived, shortFlow]],
      )
    ).rows.map(({ id }) => id)
  expect(await left()).toEqual([shortLived, shortLived, shortFlow, shortFlow, shortRun].toSorted())
  await pool.query(`delete from groups where name = 'Short-lived'`)
  expect(await left()).toEqual([])
})

test('the old tables do not exist', async () => {
  const { rows } = await pool.query(
    `select to_regclass(name) as table
     from unnest(array['tasks', 'task_versions', 'data_preps', 'data_prep_versions', 'pipelines', 'pipeline_versions']) name where to_regclass(name) is not null`,
  )
  expect(rows).toEqual([])
})
