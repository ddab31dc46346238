import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGroups, narrowScope, type GroupAccess } from '@headwater/groups/server'
import { createJobQueue } from '@headwater/jobs'
import { migrationsFolders } from '@headwater/server/testing'
import { migrate, openDatabase, systemClock, type Database, type Principal } from '@headwater/server-kit'
import { createTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { createItems, type ItemFilter, type ItemPage, type ItemStore } from './index.ts'

interface Recipe {
  title: string
  steps: string[]
}
type Recipes = ItemStore<Recipe, { title: string }, { nameLength: number }>

let testDatabase: TestDatabase
let database: Database
let groups: GroupAccess
let recipes: Recipes
let anna: number
let ben: number
let kitchen: number
let cellar: number

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, migrationsFolders)
  anna = await insertedId(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  ben = await insertedId(
    `insert into users (user_name, company_id) select 'ben', id from companies returning id`,
  )
  groups = createGroups({
    database,
    clock: systemClock,
    jobs: createJobQueue({ pool: database.pool }),
    favoriteGroupNames: async () => [],
  }).access
  recipes = createItems({ database }).storeOf({
    kind: 'recipe',
    summaryOf: ({ title }: Recipe) => ({ title }),
    contentOf: (stored: Recipe) => ({ ...stored, steps: stored.steps ?? [] }),
    extra: {
      join: sql`left join lateral (select length(item.name) as size) name on true`,
      columns: { nameLength: sql<number>`name.size` },
    },
  })
})
beforeEach(async () => {
  kitchen = await insertedId('insert into groups (name, owner_id) values ($1, $2) returning id', [
    `Kitchen ${randomUUID()}`,
    anna,
  ])
  cellar = await insertedId('insert into groups (name, owner_id) values ($1, $2) returning id', [
    `Cellar ${randomUUID()}`,
    anna,
  ])
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

async function insertedId(text: string, values: unknown[] = []): Promise<number> {
  return (await database.pool.query<{ id: number }>(text, values)).rows[0]!.id
}

function principal({ isAdministrator }: { isAdministrator: boolean }): Principal {
  return { userId: anna, userName: 'anna', companyId: 1, scheme: 'Bearer', isAdministrator, can: () => true }
}

/** Anna's scope, narrowed to these groups. */
const scopeOf = async (groupIds: number[]) =>
  narrowScope(await groups.scope(principal({ isAdministrator: false })), groupIds)

const hour = (number: number) => new Date(Date.UTC(2026, 2, 1, number))

/** Saves a new recipe in the kitchen and returns its id. */
async function create(
  name: string,
  { steps = [], groupId = kitchen, at = 0 }: { steps?: string[]; groupId?: number; at?: number } = {},
): Promise<string> {
  const id = randomUUID()
  const content = { title: `The ${name}`, steps }
  expect(await recipes.create(id, { groupId, name, content, savedBy: anna, savedAt: hour(at) })).toBe(
    'created',
  )
  return id
}

/** Saves a version by Ben. */
function save(id: string, basedOn: number | undefined, change: { name?: string; groupId?: number } = {}) {
  const content = { title: 'Changed', steps: ['stir'] }
  return recipes.save(id, {
    groupId: kitchen,
    name: 'soup',
    content,
    savedBy: ben,
    savedAt: hour(5),
    basedOn,
    ...change,
  })
}

async function namesOf(filter: Partial<ItemFilter> = {}, page: Partial<ItemPage> = {}): Promise<string[]> {
  const { items } = await recipes.search(
    { scope: await scopeOf([kitchen, cellar]), latest: true, ...filter },
    { sortBy: 'name', sortOrder: 'asc', from: 0, size: 100, ...page },
  )
  return items.map(({ name, version }) => (version === 1 ? name : `${name} ${version}`))
}

test('an item has a version for each save, with author, time and content', async () => {
  const id = await create('soup', { steps: ['boil'] })
  expect(await save(id, 1, { name: 'stew' })).toBe('saved')
  const newest = await recipes.find({ groupId: kitchen, name: 'stew' })
  expect(newest).toMatchObject({
    id,
    groupId: kitchen,
    name: 'stew',
    owner: 'anna',
    createdAt: hour(0),
    version: 2,
    newestVersion: 2,
    summary: { title: 'Changed' },
    content: { title: 'Changed', steps: ['stir'] },
    savedBy: 'ben',
    savedById: ben,
    savedAt: hour(5),
    nameLength: 4,
  })
  expect(await recipes.find({ id }, 1)).toMatchObject({
    name: 'stew',
    version: 1,
    newestVersion: 2,
    content: { title: 'The soup', steps: ['boil'] },
    savedBy: 'anna',
    savedAt: hour(0),
  })
  expect(await recipes.find({ id }, 3)).toBeUndefined()
  expect(await recipes.find({ groupId: kitchen, name: 'soup' })).toBeUndefined()
  const { items, total } = await recipes.listVersions(id, { from: 0, size: 1 })
  expect([items.map(({ version }) => version), total]).toEqual([[2], 2])
})

test('unpaired surrogates in texts and keys are stored as replacement characters; other text is stored unchanged', async () => {
  const plain = '\\ud800 \\\\ \ud83d\ude00 "\n\\'
  const id = await create('soup', { steps: [plain, 'a\ud800', '\udc00\udc00b', '\\\udbff'] })
  const steps = [plain, 'a\ufffd', '\ufffd\ufffdb', '\\\ufffd']
  expect(await recipes.find({ id })).toMatchObject({ content: { steps } })
  const content = { title: '', steps: [], ['\ud800']: 1 }
  const item = { groupId: kitchen, name: 'soup', content, savedBy: ben, savedAt: hour(1), basedOn: 1 }
  expect(await recipes.save(id, item)).toBe('saved')
  expect(await recipes.find({ id })).toMatchObject({ content: { '\ufffd': 1 } })
})

test('a save is rejected when its version is not the newest, its item or group does not exist, or its name is taken', async () => {
  const id = await create('soup')
  await create('bread')
  expect(await save(id, 1, { name: 'bread' })).toBe('name-taken')
  expect(await save(id, 1, { groupId: -1 })).toBe('group-gone')
  expect(await save(randomUUID(), 1)).toBe('gone')
  expect(await save(id, 2)).toBe('changed')
  expect(await recipes.find({ id })).toMatchObject({ name: 'soup', version: 1, newestVersion: 1 })
  expect(await save(id, 1)).toBe('saved')
  expect(await save(id, 1)).toBe('changed')
  expect(await save(id, undefined)).toBe('saved')
  const again = {
    groupId: kitchen,
    name: 'bread',
    content: { title: '', steps: [] },
    savedBy: anna,
    savedAt: hour(0),
  }
  expect(await recipes.create(randomUUID(), again)).toBe('name-taken')
  expect(await recipes.create(randomUUID(), { ...again, groupId: -1 })).toBe('group-gone')
})

test('one of several concurrent saves based on the same version succeeds', async () => {
  const id = await create('soup')
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => save(id, 1)))
  expect(outcomes.toSorted()).toEqual([...Array<string>(7).fill('changed'), 'saved'])
  expect(await recipes.find({ id })).toMatchObject({ version: 2 })
})

test('a callback runs in the transaction of a write, but not for a rejected write', async () => {
  const id = await create('soup')
  const noted: unknown[] = []
  const options = {
    async inSameTransaction(executor: {
      query: (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>
    }) {
      noted.push((await executor.query('select version from items where id = $1', [id])).rows)
    },
  }
  const item = {
    groupId: kitchen,
    name: 'soup',
    content: { title: '', steps: [] },
    savedBy: anna,
    savedAt: hour(1),
  }
  expect(await recipes.save(id, { ...item, basedOn: 1 }, options)).toBe('saved')
  expect(await recipes.save(id, { ...item, basedOn: 1 }, options)).toBe('changed')
  expect(noted).toEqual([[{ version: 2 }]])
  const failing = { inSameTransaction: () => Promise.reject(new Error('refused by the callback')) }
  await expect(recipes.save(id, { ...item, basedOn: 2 }, failing)).rejects.toThrow('refused by the callback')
  await expect(recipes.create(randomUUID(), { ...item, name: 'new' }, failing)).rejects.toThrow()
  expect(await namesOf()).toEqual(['soup 2'])
})

test('a write in a transaction of the caller is rolled back with it', async () => {
  const id = await create('soup')
  const work = recipes.transaction(async (executor) => {
    const content = { title: '', steps: [] }
    const item = { groupId: kitchen, name: 'broth', content, savedBy: anna, savedAt: hour(1) }
    expect(await recipes.save(id, { ...item, basedOn: 1 }, { executor })).toBe('saved')
    expect(await recipes.find({ id }, undefined, { executor })).toMatchObject({ name: 'broth' })
    throw new Error('rolled back')
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await namesOf()).toEqual(['soup'])
})

test('a rejected write leaves the transaction of the caller unchanged', async () => {
  const id = await create('soup')
  await create('bread')
  await recipes.transaction(async (executor) => {
    const content = { title: '', steps: [] }
    const item = { groupId: kitchen, name: 'broth', content, savedBy: anna, savedAt: hour(1) }
    expect(await recipes.save(id, { ...item, basedOn: 1 }, { executor })).toBe('saved')
    expect(await recipes.save(id, { ...item, name: 'bread', basedOn: 2 }, { executor })).toBe('name-taken')
    expect(await recipes.create(randomUUID(), { ...item, groupId: -1 }, { executor })).toBe('group-gone')
  })
  expect(await namesOf()).toEqual(['bread', 'broth 2'])
})

test('an item can be renamed, moved, restored and copied with the content of a version', async () => {
  const id = await create('soup', { steps: ['boil'] })
  await save(id, 1)
  const by = { savedBy: ben, savedAt: hour(6) }
  expect(await recipes.move(id, { ...by, name: 'stew', groupId: cellar, basedOn: 2 })).toBe('saved')
  expect(await recipes.find({ groupId: cellar, name: 'stew' })).toMatchObject({
    id,
    version: 3,
    content: { title: 'Changed', steps: ['stir'] },
  })
  expect(await recipes.restore(id, 1, { ...by, basedOn: 2 })).toBe('changed')
  expect(await recipes.restore(id, 7, { ...by, basedOn: 3 })).toBe('gone')
  expect(await recipes.restore(id, 1, { ...by, basedOn: 3 })).toBe('saved')
  expect(await recipes.find({ id })).toMatchObject({
    name: 'stew',
    version: 4,
    summary: { title: 'The soup' },
    content: { title: 'The soup', steps: ['boil'] },
  })
  const copyId = randomUUID()
  const to = { ...by, id: copyId, groupId: kitchen, name: 'copy' }
  expect(await recipes.copy({ id, version: 2 }, to)).toBe('created')
  expect(await recipes.copy({ id }, { ...to, id: randomUUID() })).toBe('name-taken')
  expect(await recipes.copy({ id, version: 9 }, { ...to, id: randomUUID() })).toBe('gone')
  expect(await recipes.find({ id: copyId })).toMatchObject({
    name: 'copy',
    version: 1,
    owner: 'ben',
    content: { title: 'Changed', steps: ['stir'] },
  })
})

test('two versions can be read with their contents for a comparison', async () => {
  const id = await create('soup', { steps: ['boil'] })
  await save(id, 1)
  const { items } = await recipes.listVersions(id, { from: 0, size: 10 })
  const contents = (await recipes.withContents(items)).map(({ version, content }) => [version, content])
  expect(contents).toEqual([
    [2, { title: 'Changed', steps: ['stir'] }],
    [1, { title: 'The soup', steps: ['boil'] }],
  ])
})

test('versions stored by another feature are recorded under their numbers, and the item is removed with its last version', async () => {
  const soup = { groupId: kitchen, name: 'soup' }
  const record = (version: number, at = soup) =>
    recipes.transaction((executor) =>
      recipes.record(
        at,
        {
          version,
          content: { title: `Version ${version}`, steps: [] },
          savedBy: anna,
          savedAt: hour(version),
        },
        executor,
      ),
    )
  const unrecord = (version: number) =>
    recipes.transaction((executor) => recipes.unrecord(soup, version, executor))
  await record(2)
  await record(5)
  const { id } = (await recipes.find(soup))!
  expect(await recipes.find({ id })).toMatchObject({
    version: 5,
    newestVersion: 5,
    content: { title: 'Version 5' },
    createdAt: hour(2),
  })
  expect((await recipes.find({ id }, 2))?.savedAt).toEqual(hour(2))
  await unrecord(5)
  expect(await recipes.find({ id })).toMatchObject({ version: 2, newestVersion: 2 })
  const stew = { groupId: cellar, name: 'stew' }
  await recipes.transaction((executor) => recipes.relocate(soup, stew, executor))
  expect(await recipes.find(stew)).toMatchObject({ id, version: 2, groupId: cellar })
  await recipes.transaction((executor) => recipes.relocate(stew, soup, executor))
  await unrecord(2)
  expect(await recipes.find({ id })).toBeUndefined()
  await unrecord(2)
})

test('items of another kind have separate names and are not accessible', async () => {
  const others = createItems({ database }).storeOf({ kind: 'menu', summaryOf: () => ({}) })
  const id = await create('soup')
  const item = { groupId: kitchen, name: 'soup', content: {}, savedBy: anna, savedAt: hour(0) }
  expect(await others.create(randomUUID(), item)).toBe('created')
  expect(await others.find({ id })).toBeUndefined()
  expect(await others.save(id, { ...item, basedOn: 1 })).toBe('gone')
  await others.remove(id)
  expect(await others.transaction((executor) => others.hold(id, executor))).toBe(false)
  expect(await others.transaction((executor) => others.listIds(kitchen, executor))).not.toContain(id)
  expect(await recipes.transaction((executor) => recipes.listIds(kitchen, executor))).toEqual([id])
  expect(await namesOf()).toEqual(['soup'])
})

test('a search filters by group, name, pattern and condition, sorts in either direction and returns pages', async () => {
  const soup = await create('soup', { at: 1 })
  await create('Soufflé 100%', { at: 3 })
  await create('bread', { at: 2, groupId: cellar })
  await save(soup, 1)
  const { name: cellarName } = (
    await database.pool.query<{ name: string }>('select name from groups where id = $1', [cellar])
  ).rows[0]!
  expect(await namesOf()).toEqual(['bread', 'Soufflé 100%', 'soup 2'])
  expect(await namesOf({ scope: await scopeOf([cellar]) })).toEqual(['bread'])
  expect(await namesOf({ scope: await scopeOf([]) })).toEqual([])
  expect(await namesOf({ groupName: cellarName })).toEqual(['bread'])
  expect(await namesOf({ groupPattern: 'CELLAR*' })).toEqual(['bread'])
  expect(await namesOf({ nameContains: 'OU' })).toEqual(['Soufflé 100%', 'soup 2'])
  expect(await namesOf({ nameContains: '0%' })).toEqual(['Soufflé 100%'])
  expect(await namesOf({ namePattern: 'SOU*' })).toEqual(['Soufflé 100%', 'soup 2'])
  expect(await namesOf({ namePattern: 'sou' })).toEqual([])
  expect(await namesOf({ id: soup })).toEqual(['soup 2'])
  expect(await namesOf({ where: [sql`saved.summary ->> 'title' = 'The bread'`] })).toEqual(['bread'])
  expect(await namesOf({ where: [sql`name.size > 4`] })).toEqual(['bread', 'Soufflé 100%'])
  expect(await namesOf({ latest: false })).toEqual(['bread', 'Soufflé 100%', 'soup 2', 'soup'])
  expect(await namesOf({}, { sortOrder: 'desc' })).toEqual(['soup 2', 'Soufflé 100%', 'bread'])
  expect(await namesOf({}, { sortBy: 'created' })).toEqual(['soup 2', 'bread', 'Soufflé 100%'])
  expect(await namesOf({}, { sortBy: 'updated' })).toEqual(['bread', 'Soufflé 100%', 'soup 2'])
  expect(await namesOf({ latest: false }, { sortBy: 'updated', sortOrder: 'desc' })).toEqual([
    'soup 2',
    'Soufflé 100%',
    'bread',
    'soup',
  ])
  const page = { sortBy: 'name', sortOrder: 'asc', from: 1, size: 1 } as const
  const { items, total } = await recipes.search(
    { scope: await scopeOf([kitchen, cellar]), latest: true },
    page,
  )
  expect([items.map(({ name }) => name), total]).toEqual([['Soufflé 100%'], 3])
})

test('a locked item is deleted only after the transaction ends', async () => {
  const id = await create('soup')
  const order: string[] = []
  let deleted: Promise<void> | undefined
  await recipes.transaction(async (executor) => {
    expect(await recipes.hold(id, executor)).toBe(true)
    deleted = recipes.remove(id).then(() => void order.push('deleted'))
    const waiting = async () =>
      (
        await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount
    await expect.poll(waiting).toBe(1)
    order.push('held')
  })
  await deleted
  expect(order).toEqual(['held', 'deleted'])
  expect(await recipes.transaction((executor) => recipes.hold(id, executor))).toBe(false)
})

test.each([
  ['moves to the trash', 'update groups set deleted_at = now() where id = $1'],
  ['is deleted permanently', 'delete from groups where id = $1'],
])(
  'nothing is created, saved, moved, copied or restored in a group that concurrently %s',
  async (_, deletion) => {
    const inside = await create('inside')
    const outside = await create('outside', { groupId: cellar })
    const by = { savedBy: ben, savedAt: hour(7), groupId: kitchen }
    const content = { title: 'Late', steps: [] }
    const writes = [
      () => recipes.create(randomUUID(), { ...by, name: 'created', content }),
      () => recipes.save(inside, { ...by, name: 'saved', content, basedOn: 1 }),
      () => recipes.save(outside, { ...by, name: 'saved elsewhere', content, basedOn: 1 }),
      () => recipes.move(outside, { ...by, name: 'moved', basedOn: 1 }),
      () => recipes.copy({ id: outside }, { ...by, id: randomUUID(), name: 'copied' }),
      () => recipes.restore(inside, 1, { savedBy: ben, savedAt: hour(7), basedOn: 1 }),
    ]
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from live_groups where id = $1 for update', [kitchen])
      const results = Promise.all(writes.map((write) => write()))
      const waiting = async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount
      await expect.poll(waiting).toBe(writes.length)
      await client.query(deletion, [kitchen])
      await client.query('commit')
      expect(new Set(await results)).toEqual(new Set(['group-gone']))
    } finally {
      client.release()
    }
    const { rows } = await database.pool.query(
      'select name, version from items where group_id = any($1::bigint[]) order by name',
      [[kitchen, cellar]],
    )
    const left = [{ name: 'outside', version: 1 }]
    expect(rows).toEqual(deletion.startsWith('update') ? [{ name: 'inside', version: 1 }, ...left] : left)
  },
)

test('deleting a group deletes its items', async () => {
  const id = await create('soup')
  await save(id, 1)
  await database.pool.query('delete from groups where id = $1', [kitchen])
  const { rows } = await database.pool.query('select from item_versions where item_id = $1', [id])
  expect(rows).toEqual([])
})

test('lists of many items are read in index order, without sorting', async () => {
  const single = openDatabase({
    connectionString: testDatabase.connectionString,
    log: silentLog(),
    poolSize: 1,
  })
  const everything = await groups.scope(principal({ isAdministrator: true }))
  const statements: [text: string, values: unknown[]][] = []
  single.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => never
    client.query = (...given: unknown[]) => {
      statements.push(given as [string, unknown[]])
      return query(...given)
    }
  })
  const planOf = async ([text, values]: [text: string, values: unknown[]]) =>
    (await single.pool.query<Record<string, string>>(`explain ${text}`, values)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n')
  try {
    await single.pool.query(
      `insert into items (id, kind, group_id, name, owner_id, version, created_at, updated_at)
       select gen_random_uuid(), 'many', $1, 'item ' || number, $2, 1, at, at
       from generate_series(1, 20000) number, lateral (select timestamptz '2026-01-01Z' + number * interval '1 minute') as saved (at)`,
      [kitchen, anna],
    )
    await single.pool.query(
      `insert into item_versions (item_id, version, kind, content, summary, saved_by, saved_at)
       select id, version, kind, '{}', '{}', owner_id, updated_at from items where kind = 'many'`,
    )
    await single.pool.query('analyze items, item_versions, groups, users')
    const many = createItems({ database: single }).storeOf({ kind: 'many', summaryOf: () => ({}) })
    for (const latest of [true, false])
      for (const sortBy of ['name', 'updated'] as const)
        for (const sortOrder of ['asc', 'desc'] as const) {
          statements.length = 0
          const page = { sortBy, sortOrder, from: 0, size: 100 }
          expect((await many.search({ scope: everything, latest }, page)).total).toBe(20_000)
          const plan = await planOf(statements.find(([text]) => text.includes('limit'))!)
          const index = sortBy === 'name' ? 'items_name' : latest ? 'items_updated' : 'item_versions_saved'
          expect(plan).toMatch(new RegExp(`Index Scan (Backward )?using ${index} `))
          // Rows with equal keys can be in any order.
          expect(plan).not.toMatch(/(?<!Incremental )Sort {2}\(/)
        }
  } finally {
    await single.close()
  }
})
