import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate, type Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

type Right = { user: string; group: string; access: string }

async function query<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query(text, values)).rows as Row[]
}

/** Formats access as `user group access`, sorted. */
const formatRights = (rights: readonly Right[]) =>
  rights.map(({ user, group, access }) => `${user} ${group} ${access}`).toSorted()

const held = ['', 'R', 'RW', 'RS', 'RWS']
const shared = ['', 'R', 'RW', 'RWS']

/** One user for each way to have a grant on a group in addition to the shares of two insights. */
const cases = held.flatMap((direct) =>
  shared.flatMap((first) => shared.map((second) => ({ direct, first, second }))),
)
const userOf = ({ direct, first, second }: (typeof cases)[number]) => `${direct}-${first}-${second}`

async function writeOldGrants(): Promise<void> {
  const addUser = (name: string) =>
    query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
  for (const name of ['owner', 'stranger', ...cases.map(userOf)]) await addUser(name)
  for (const name of ['Prices', 'Board'])
    await query(`insert into groups (name, owner_id) select $1, id from users where user_name = 'owner'`, [
      name,
    ])
  for (const name of ['first', 'second']) {
    await query(`insert into insights (group_id, name) select id, $1 from groups where name = 'Board'`, [
      name,
    ])
    await query(
      `insert into files (id, group_id, name, type, owner_id, zipped, partial_update, avoid_duplicates, skip_metadata,
         job_id, announced_at, state, hash, size_bytes, version, latest, arrival, arrived_at)
       select gen_random_uuid(), id, $1, 'INSIGHT', owner_id, false, false, false, false, gen_random_uuid(), now(),
         'ready', 'hash', 2, 1, true, 1, now() from groups where name = 'Board'`,
      [`${name}.json`],
    )
    await query(
      `insert into insight_shares (insight_id, user_id, shared_by, shared_at)
       select insights.id, users.id, groups.owner_id, now() from insights, users, groups
       where insights.name = $1 and groups.name = 'Board' and users.user_name like '%-%-%'`,
      [name],
    )
  }
  for (const each of cases) {
    const user = userOf(each)
    if (each.direct !== '')
      await query(
        `insert into group_grants (group_id, user_id, access)
         select groups.id, users.id, $2 from groups, users where groups.name = 'Prices' and user_name = $1`,
        [user, each.direct],
      )
    for (const insight of ['first', 'second'] as const)
      if (each[insight] !== '')
        await query(
          `insert into insight_grants (insight_id, user_id, group_id, access)
           select insights.id, users.id, groups.id, $3 from insights, users, groups
           where insights.name = $2 and groups.name = 'Prices' and user_name = $1`,
          [user, insight, each[insight]],
        )
  }
}

/**
 * Effective access as earlier servers computed it: full access for owners, and the access of the single grant for
 * others.
 */
const oldRights = () =>
  query<Right>(
    `select users.user_name as user, groups.name as group,
       case when groups.owner_id = users.id then 'RWS' else group_grants.access end as access
     from users cross join groups
     left join group_grants on group_grants.group_id = groups.id and group_grants.user_id = users.id
     where groups.owner_id = users.id or group_grants.access is not null`,
  )

const newRights = () =>
  query<Right>(
    `select users.user_name as user, groups.name as group, access from effective_grants
     join users on users.id = user_id join groups on groups.id = group_id`,
  )

/** Returns the access that the shares of both insights gave together. */
function sharedAccess({ first, second }: (typeof cases)[number]): string {
  return ['R', 'W', 'S'].filter((letter) => first.includes(letter) || second.includes(letter)).join('')
}

test('migrated grants preserve the access of every user and are deleted with their shares', async () => {
  await migrateUntil(database.pool, '2026-11-24T0300-export-users.sql')
  await writeOldGrants()
  const before = await oldRights()
  expect(before).toHaveLength(2 + cases.filter(({ direct }) => direct !== '').length)

  await migrate(database.pool, migrationsFolders)

  expect(formatRights(await newRights())).toEqual(formatRights(before))
  const limited = await query('select from group_grants where data_from is not null or data_to is not null')
  expect(limited).toEqual([])
  expect(await query(`select to_regclass('insight_grants') as old`)).toEqual([{ old: null }])

  await query('delete from insight_shares')
  const direct = cases.filter((each) => each.direct !== '' && each.direct !== sharedAccess(each))
  expect(formatRights((await newRights()).filter(({ user }) => user !== 'owner'))).toEqual(
    formatRights(direct.map((each) => ({ user: userOf(each), group: 'Prices', access: each.direct }))),
  )
  expect(await query(`select from group_grants where source <> 'direct'`)).toEqual([])
})
