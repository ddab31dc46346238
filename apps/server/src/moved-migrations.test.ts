import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, type Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { migrateUntil, migrationsFolders } from './testing.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function query<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

/**
 * Names under which databases recorded the migrations of insights before publishing and reports became separate
 * features.
 */
const recorded = [
  '2026-11-21T1530-create-insights.sql',
  '2026-11-22T1250-exports-become-pipelines.sql',
  '2026-11-23T2150-public-links.sql',
  '2026-11-24T0302-move-insight-grants.sql',
  '2026-11-24T0620-insights-become-items.sql',
  '2026-11-24T0640-refer-to-insights-by-id.sql',
  '2026-11-24T0650-exporters-name-insights-by-id.sql',
]

test('migrations that moved to another feature keep their names and do not run again', async () => {
  await migrateUntil(database.pool, '2026-11-24T0651')
  const before = await query<{ name: string; ran_at: Date }>(
    'select name, ran_at from migrations where name = any($1) order by name',
    [recorded],
  )
  expect(before.map(({ name }) => name)).toEqual(recorded)
  await writeSharedInsight()

  const ran = await migrate(database.pool, migrationsFolders)

  expect(ran.filter((name) => name <= recorded.at(-1)!)).toEqual([])
  expect(
    await query('select name, ran_at from migrations where name = any($1) order by name', [recorded]),
  ).toEqual(before)
  expect(
    await query(
      `select items.name, signing_key, key from items
       join insight_shares on insight_shares.insight_id = items.id
       join insight_publications on insight_publications.insight_id = items.id
       join insight_public_links on insight_public_links.insight_id = items.id`,
    ),
  ).toEqual([{ name: 'sales', signing_key: 'secret', key: 'link' }])
})

/** Writes an insight that is shared and public. */
async function writeSharedInsight(): Promise<void> {
  await query(`insert into users (user_name, company_id) select 'anna', id from companies`)
  await query(`insert into groups (name, owner_id) select 'Board', id from users where user_name = 'anna'`)
  await query(
    `insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
     select gen_random_uuid(), 'insight', id, 'sales', owner_id, 1, now(), now() from groups where name = 'Board'`,
  )
  await query(
    `insert into insight_shares (insight_id, user_id, shared_by, shared_at)
     select id, owner_id, owner_id, now() from items`,
  )
  await query(
    `insert into insight_publications (insight_id, publisher_id, signing_key, published_at)
     select id, owner_id, 'secret', now() from items`,
  )
  await query(
    `insert into insight_public_links (insight_id, key, parameters, dates, created_at)
     select id, 'link', '[]', false, now() from items`,
  )
}
