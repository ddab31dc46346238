import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroups, type AccessScope } from '@headwater/groups/server'
import { createJobQueue } from '@headwater/jobs'
import { migrationsFolders } from '@headwater/server/testing'
import { migrate, openDatabase, systemClock, type Database } from '@headwater/server-kit'
import { createTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { countedFiles } from '../contract/index.ts'
import { parseFileQuery } from './file-query.ts'
import type { FileTables } from './file-rows.ts'
import { searchFiles, type FileFilter } from './search-files.ts'

const fileCount = 30_000
const groupCount = 100
const pageSize = 20
let testDatabase: TestDatabase
let database: Database
let scope: AccessScope

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, migrationsFolders)
  const { pool } = database
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  const userId = Number(rows[0]!.id)
  await pool.query(
    `insert into groups (name, owner_id) select 'Group ' || number, $1 from generate_series(1, $2) number`,
    [userId, groupCount],
  )
  await pool.query(
    `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, fields, partial_update, avoid_duplicates, skip_metadata,
       job_id, state, hash, size_bytes, version, latest, arrival, arrived_at, announced_at)
     select gen_random_uuid(), groups.id, 'f' || number * 7907 % $1 || case number when 7 then '.md' else '.csv' end, 'SOURCE', owner_id,
       owner_id, false, '{}', false, false, false, gen_random_uuid(), 'ready', encode(sha256(number::text::bytea), 'hex'),
       number * 7919 % $1, 1, true, nextval('file_arrivals'), now(), now()
     from generate_series(1, $1) number join groups on groups.name = 'Group ' || 1 + number % $2`,
    [fileCount, groupCount],
  )
  await pool.query('vacuum analyze files, groups')
  const { access } = createGroups({
    database,
    clock: systemClock,
    jobs: createJobQueue({ pool }),
    favoriteGroupNames: async () => [],
  })
  const principal = { userId, userName: 'anna', companyId: 1, scheme: 'Bearer' as const }
  scope = await access.scope({ ...principal, isAdministrator: false, can: () => true })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** How PostgreSQL executes one statement of a search. */
interface StatementPlan {
  isOrdered: boolean
  indexes: string[]
  /** Number of rows that it reads from the table of files. */
  readFiles: number
}

/** Runs a search, and then each of its statements again to see its plan. */
async function plansOf(filter: Partial<FileFilter>): Promise<StatementPlan[]> {
  const { pool } = database
  const statements: CompiledQuery[] = []
  const db = new Kysely<FileTables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  })
  await searchFiles(db, {
    query: { ...parseFileQuery(''), latest: true },
    scope,
    limited: [],
    sortBy: 'arrival',
    sortOrder: 'desc',
    from: 0,
    size: pageSize,
    countUpTo: countedFiles,
    ...filter,
  })
  return Promise.all(
    statements.map(async ({ sql, parameters }) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${sql}`,
        [...parameters],
      )
      const nodes = nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan)
      const reads = nodes.filter((node) => node['Relation Name'] === 'files')
      return {
        isOrdered: sql.includes('order by'),
        indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
        readFiles: reads.reduce(
          (sum, node) =>
            sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
          0,
        ),
      }
    }),
  )
}

test.each([
  { sortBy: 'name', sortOrder: 'asc', index: 'files_latest_by_name' },
  { sortBy: 'name', sortOrder: 'desc', index: 'files_latest_by_name' },
  { sortBy: 'size', sortOrder: 'asc', index: 'files_latest_by_size' },
  { sortBy: 'size', sortOrder: 'desc', index: 'files_latest_by_size' },
] as const)(
  'a page of the newest versions by $sortBy $sortOrder reads few files through an index, and its count reads at most one file above its limit',
  async ({ sortBy, sortOrder, index }) => {
    const plans = await plansOf({ sortBy, sortOrder })
    expect(plans).toHaveLength(2)
    const page = plans.find(({ isOrdered }) => isOrdered)!
    const count = plans.find(({ isOrdered }) => !isOrdered)!
    expect(page.indexes).toContain(index)
    expect(page.readFiles).toBeGreaterThanOrEqual(pageSize)
    expect(page.readFiles).toBeLessThanOrEqual(2 * pageSize)
    expect(count.readFiles).toBeLessThanOrEqual(countedFiles + 1)
  },
)

test.each(['asc', 'desc'] as const)(
  'a page in the order of group names %s reads only the files of the first groups, also those of a user who can read few groups',
  async (sortOrder) => {
    const all = await plansOf({ sortBy: 'groupName', sortOrder })
    const { groupIds } = scope
    const few = await plansOf({
      sortBy: 'groupName',
      sortOrder,
      scope: { ...scope, groupIds: (groupIds as readonly number[]).slice(0, 10) },
    })
    for (const plans of [all, few]) {
      const page = plans.find(({ isOrdered }) => isOrdered)!
      expect(page.indexes).toContain('groups_by_lower_name')
      expect(page.readFiles).toBeLessThanOrEqual(fileCount / groupCount + pageSize)
    }
  },
)

test('a search for a rare extension uses the text index', async () => {
  const plans = await plansOf({
    query: { ...parseFileQuery(''), latest: true, extensions: ['md'] },
  })
  expect(plans).toHaveLength(2)
  for (const { indexes, readFiles } of plans) {
    expect(indexes).toContain('files_search_text')
    expect(readFiles).toBeLessThan(50)
  }
})
