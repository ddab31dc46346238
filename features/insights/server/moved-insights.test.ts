import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate, type Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
  await migrateUntil(database.pool, '2026-11-24T0610-export-items.sql')
  for (const name of ['anna', 'ben'])
    await query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
  for (const name of ['Prices', 'Board'])
    await query(`insert into groups (name, owner_id) select $1, id from users where user_name = 'ben'`, [
      name,
    ])
  await writeOldTables()
  await writeOldSharing()
  await writeOldExporters()
  await migrate(database.pool, migrationsFolders)
})
afterAll(() => database.close())

async function query<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

const at = (day: number) => `2026-03-0${day}T10:00:00.123456Z`

/** Versions of files as earlier servers wrote them. The author of one of them is unknown. */
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

/** Rows about insights besides their files: an id for each group and name, and the rows that reference it. */
async function writeOldSharing(): Promise<void> {
  for (const [group, name] of [
    ['Prices', 'sales'],
    ['Board', 'gone'],
    ['Board', 'sales'],
  ])
    await query(`insert into insights (group_id, name) select id, $2 from groups where name = $1`, [
      group,
      name,
    ])
  for (const name of ['sales', 'gone']) {
    const shared = `from insights, users, groups where insights.name = $1 and insights.group_id =
      (select id from groups where name = 'Board') and users.user_name = 'anna'`
    await query(
      `insert into insight_shares (insight_id, user_id, shared_by, shared_at)
       select insights.id, users.id, owner_id, $2 ${shared} and groups.name = 'Board'`,
      [name, at(6)],
    )
    await query(
      `insert into group_grants (group_id, user_id, source, source_id, access)
       select groups.id, users.id, 'insight', insights.id, 'RW' ${shared} and groups.name = 'Prices'`,
      [name],
    )
  }
  await query(
    `insert into insight_publications (insight_id, publisher_id, signing_key, published_at, expires_at)
     select insights.id, users.id, 'key of ' || groups.name, $1, case groups.name when 'Prices' then $1::timestamptz end
     from insights join groups on groups.id = group_id, users where user_name = 'ben' and insights.name = 'sales'`,
    [at(7)],
  )
  const onBoard = `from insights join groups on groups.id = group_id
    where insights.name = 'sales' and groups.name = 'Board'`
  await query(
    `insert into insight_public_links (insight_id, key, parameters, dates, created_at)
     select insights.id, 'link', '[{"name": "Code", "values": ["A"]}]', true, $1 ${onBoard}`,
    [at(8)],
  )
  await query(
    `insert into insight_visitors (insight_id, company, email, full_name, discount_code, submitted_at)
     select insights.id, 'ACME', 'vera@example.com', 'Vera', 'X', $1 ${onBoard}`,
    [at(9)],
  )
}

/** Inputs of the task that reads tiles, in the former format of exporters. */
const byNames = (groupName: string, fileName: string) => [
  { name: 'tiles', type: 'OUTPUT', value: '${tiles}' },
  { name: 'groupName', type: 'INPUT', value: groupName },
  { name: 'fileName', type: 'INPUT', value: fileName },
]
const exportTasks = (params: object[]) => [
  {
    id: 'cron-trigger',
    taskName: 'cron-trigger',
    params: [{ name: 'cron', type: 'INPUT', value: '0 7 * * *' }],
  },
  { id: 'tile-downloader', taskName: 'tile-downloader', params },
  {
    id: 'generic-html-template',
    taskName: 'generic-html-template',
    params: [{ name: 'groupName', type: 'INPUT', value: 'Board' }],
  },
]

/** A task in the format of later versions. */
const withPresentFields = ({ params, ...task }: ReturnType<typeof exportTasks>[number]) => ({
  ...task,
  taskGroup: '',
  taskReadableName: null,
  prevTasks: [],
  taskOverrides: { params },
})

/** Pipelines with the tasks of each version. */
const exporters = [
  {
    name: 'sales email exporter',
    tags: ['insight'],
    versions: [exportTasks(byNames('Board', 'older.json')), exportTasks(byNames('Board', 'sales.json'))],
  },
  { name: 'gone email exporter', tags: ['insight'], versions: [exportTasks(byNames('Board', 'gone.json'))] },
  { name: 'own', tags: [], versions: [exportTasks(byNames('Board', 'sales.json'))] },
  { name: 'empty', tags: ['insight'], versions: [[]] },
]

async function writeOldExporters(): Promise<void> {
  for (const { name, tags, versions } of exporters) {
    const id = randomUUID()
    await query(
      `insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
       select $1, 'pipeline', id, $2, owner_id, $3, now(), now() from groups where name = 'Board'`,
      [id, name, versions.length],
    )
    for (const [index, tasks] of versions.entries())
      await query(
        `insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
         select $1, $2, 'pipeline', $3, $4, owner_id, now() from items where id = $1`,
        [
          id,
          index + 1,
          JSON.stringify({ tasks, payload: '{}', tags, markdownId: null }),
          JSON.stringify({ tags, markdownId: null }),
        ],
      )
    await query(
      `insert into schedules (kind, target_id, triggers, active, set_by, set_at)
       select 'pipeline', $1, '[{"cron": "0 7 * * *", "timeZone": "UTC"}]', true, owner_id, now() from items where id = $1`,
      [id],
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

test('migrated insights and templates are items with a version for each of their files', async () => {
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

const insight = `items.name || ' in ' || of_group.name as insight`
const ofInsight = (column: string) =>
  `join items on items.id::text = ${column}::text join groups of_group on of_group.id = items.group_id`

test('migrated shares have their users, authors, times and grants', async () => {
  expect(
    await query(
      `select ${insight}, sharer.user_name as by, users.user_name as user, ${utc('shared_at')} as at
       from insight_shares ${ofInsight('insight_id')} join users on users.id = user_id
       join users sharer on sharer.id = shared_by`,
    ),
  ).toEqual([{ insight: 'sales in Board', user: 'anna', by: 'ben', at: at(6) }])
  const grants = `select ${insight}, groups.name as group, users.user_name as user, access from group_grants
    ${ofInsight('source_id')} join groups on groups.id = group_grants.group_id join users on users.id = user_id
    where source = 'insight'`
  expect(await query(grants)).toEqual([
    { insight: 'sales in Board', group: 'Prices', user: 'anna', access: 'RW' },
  ])
  expect(await query('select from group_grants')).toHaveLength(1)
})

test('migrated public views have their publishers, keys, times, links and visitors', async () => {
  expect(
    await query(
      `select ${insight}, users.user_name as by, signing_key as key, ${utc('published_at')} as at,
         ${utc('expires_at')} as until
       from insight_publications ${ofInsight('insight_id')} join users on users.id = publisher_id order by key`,
    ),
  ).toEqual([
    { insight: 'sales in Board', by: 'ben', key: 'key of Board', at: at(7), until: null },
    { insight: 'sales in Prices', by: 'ben', key: 'key of Prices', at: at(7), until: at(7) },
  ])
  expect(
    await query(
      `select ${insight}, key, parameters, dates, ${utc('links.created_at')} as at
       from insight_public_links links ${ofInsight('insight_id')}`,
    ),
  ).toEqual([
    {
      insight: 'sales in Board',
      key: 'link',
      parameters: [{ name: 'Code', values: ['A'] }],
      dates: true,
      at: at(8),
    },
  ])
  expect(
    await query(
      `select ${insight}, company, email, full_name, discount_code, ${utc('submitted_at')} as at
       from insight_visitors ${ofInsight('insight_id')}`,
    ),
  ).toEqual([
    {
      insight: 'sales in Board',
      company: 'ACME',
      email: 'vera@example.com',
      full_name: 'Vera',
      discount_code: 'X',
      at: at(9),
    },
  ])
})

test('migrated exporters reference their insight by id in all versions, and have their schedules', async () => {
  const [sales] = await query<{ id: string }>(
    `select items.id from items join groups on groups.id = group_id
     where kind = 'insight' and items.name = 'sales' and groups.name = 'Board'`,
  )
  const stored = await query<{ name: string; content: object }>(
    `select name, content from items join item_versions on item_id = items.id where items.kind = 'pipeline'
     order by items.created_at, item_versions.version`,
  )
  const [output] = byNames('', '')
  const byId = exportTasks([output!, { name: 'insightId', type: 'INPUT', value: sales!.id }])
  expect(stored).toEqual(
    exporters.flatMap(({ name, tags, versions }, index) =>
      versions.map((tasks) => ({
        name,
        content: {
          tasks: (index === 0 ? byId : tasks).map(withPresentFields),
          payload: '{}',
          tags,
          markdownId: null,
        },
      })),
    ),
  )
  expect(
    await query(
      `select from schedules join items on items.id = target_id where triggers @> '[{"cron": "0 7 * * *"}]'`,
    ),
  ).toHaveLength(exporters.length)
})

test('shares, grants and public views are deleted with their insight', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query(`delete from items where kind = 'insight'`)
    for (const table of [
      'insight_shares',
      'insight_publications',
      'insight_public_links',
      'insight_visitors',
      'group_grants',
    ])
      expect([table, (await client.query(`select from ${table}`)).rows]).toEqual([table, []])
  } finally {
    // The other tests read the same rows.
    await client.query('rollback')
    client.release()
  }
})
