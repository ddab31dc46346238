// How fast lists of 100,000 items are, with as many items of another kind in the same tables.
import { withPostgres } from './with-postgres.ts'
import { sql } from 'kysely'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { createGroups, migrationsFolder as groupsMigrations, narrowScope } from '@headwater/groups/server'
import {
  createItems,
  migrationsFolder as itemsMigrations,
  type ItemFilter,
  type ItemPage,
} from '@headwater/items/server'
import { createJobQueue, migrationsFolder as jobsMigrations } from '@headwater/jobs'
import { systemClock, type Database } from '@headwater/server-kit'
import { atMost, median, type Figure } from './figure.ts'

const itemCount = 100_000
const groupCount = 1000
const rounds = 9
const limitMs = 250

/** Measures the first page of each list, with the number of all matches. */
export default async function items(): Promise<Figure[]> {
  return withPostgres(
    [accountsMigrations, jobsMigrations, groupsMigrations, itemsMigrations],
    async (database) => {
      const userId = await write(database)
      const store = createItems({ database }).storeOf({ kind: 'pipeline', summaryOf: () => ({}) })
      const all = await scopeOf(database, userId)
      const some = narrowScope(all, await firstGroups(database))
      const byName: ItemPage = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 100 }
      const byDate: ItemPage = { sortBy: 'updated', sortOrder: 'desc', from: 0, size: 100 }
      const where = [sql`saved.summary -> 'tags' ? ${'tag 5'}`]
      const lists: [name: string, filter: ItemFilter, page: ItemPage][] = [
        ['newest versions by name', { scope: all, latest: true }, byName],
        ['newest versions by date', { scope: all, latest: true }, byDate],
        ['newest versions in 100 of 1,000 groups by name', { scope: some, latest: true }, byName],
        ['newest versions in 100 of 1,000 groups by date', { scope: some, latest: true }, byDate],
        ['names that contain a text', { scope: all, latest: true, nameContains: 'abc' }, byDate],
        ['a tag', { scope: all, latest: true, where }, byDate],
        ['all versions by name', { scope: all, latest: false }, byName],
        ['all versions by date', { scope: all, latest: false }, byDate],
      ]
      const figures: Figure[] = []
      for (const [name, filter, page] of lists) {
        const times: number[] = []
        for (let round = 0; round < rounds; round++) {
          const start = performance.now()
          await store.search(filter, page)
          times.push(performance.now() - start)
        }
        figures.push(atMost(limitMs, { name, value: Math.round(median(times)), unit: 'ms' }))
      }
      return figures
    },
  )
}

/** Writes items with one to three versions of about 2 kB each; returns the id of their owner. */
async function write({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (user_name, company_id) select 'bench@example.com', id from companies returning id`,
  )
  const userId = rows[0]!.id
  await pool.query(
    `insert into groups (name, owner_id) select 'group ' || number, $1 from generate_series(1, $2) number`,
    [userId, groupCount],
  )
  for (const kind of ['pipeline', 'task'])
    await pool.query(
      `insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
       select gen_random_uuid(), $1, (select min(id) from groups) + number % $3, 'item ' || md5(number::text), $2,
         1 + number % 3, saved.at, saved.at
       from generate_series(1, $4) number, lateral (select now() - number * interval '1 minute') as saved (at)`,
      [kind, userId, groupCount, itemCount],
    )
  await pool.query(
    `insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
     select id, number, kind, jsonb_build_object('text', (select string_agg(md5(id::text || part), '') from generate_series(1, 60) part)),
       jsonb_build_object('tags', jsonb_build_array('tag ' || get_byte(uuid_send(id), 0) % 100)), owner_id,
       updated_at - (version - number) * interval '1 hour'
     from items, generate_series(1, version) number`,
  )
  await pool.query('vacuum analyze')
  return userId
}

function scopeOf(database: Database, userId: number) {
  const groups = createGroups({
    database,
    clock: systemClock,
    jobs: createJobQueue({ pool: database.pool }),
    favoriteGroupNames: async () => [],
  })
  return groups.access.scope({
    userId,
    userName: 'bench@example.com',
    companyId: 1,
    scheme: 'Bearer',
    isAdministrator: true,
    can: () => true,
  })
}

async function firstGroups({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from groups order by id limit 100')
  return rows.map(({ id }) => id)
}
