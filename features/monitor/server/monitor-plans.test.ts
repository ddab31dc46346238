import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsFolders } from '@headwater/server/testing'
import { migrate, openDatabase, tablesOn, type Database, type Executor } from '@headwater/server-kit'
import { createTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { jobStatuses, type JobStatus } from '@headwater/statuses/contract'
import { createMonitorStore } from './monitor-store.ts'

const runCount = 20_000
let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, migrationsFolders)
  await database.pool.query(`insert into users (user_name, company_id) select 'anna', id from companies`)
  await addRuns(runCount, 'INFO')
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

async function addRuns(count: number, status: JobStatus): Promise<void> {
  await database.pool.query(
    `insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at, ended_at)
     select gen_random_uuid(), 'PIPELINE', 'Run', (select id from users where user_name = 'anna'), $2, $2, '{CRON}', false, now(), now()
     from generate_series(1, $1)`,
    [count, status],
  )
  await database.pool.query('vacuum analyze jobs, failed_jobs')
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Lists and counts runs, and returns the number of jobs that PostgreSQL reads for each statement. */
async function readJobs(filter: { statuses?: JobStatus[] }, failuresFirst: boolean): Promise<number[]> {
  const { pool } = database
  const reads: number[] = []
  const executor: Executor = {
    async query(text, values) {
      const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      const nodes = nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan)
      reads.push(
        nodes
          .filter((node) => node['Relation Name'] === 'jobs')
          .reduce(
            (sum, node) =>
              sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
            0,
          ),
      )
      return { rows: [] }
    },
  }
  const store = createMonitorStore({ ...database, tables: () => tablesOn(executor) })
  await store.list({ visibleTo: 'everything', ...filter }, { from: 0, size: 50, failuresFirst })
  await store.count({ visibleTo: 'everything', ...filter }, 101)
  return reads
}

test.each(jobStatuses.filter((status) => status !== 'INFO'))(
  'a filter on the status %s without a match reads none of the other runs, in both orders',
  async (status) => {
    expect(await readJobs({ statuses: [status] }, true)).toEqual([0, 0])
    expect(await readJobs({ statuses: [status] }, false)).toEqual([0, 0])
  },
)

test('the filters for failed and for running runs without a match read none of the other runs', async () => {
  expect(await readJobs({ statuses: ['ERROR', 'WARN'] }, true)).toEqual([0, 0])
  expect(await readJobs({ statuses: ['RUNNING', 'PENDING'] }, true)).toEqual([0, 0])
})

test('a page without a filter reads only the runs of the page', async () => {
  expect(await readJobs({}, true)).toEqual([50, 101])
})

test('the filter for successful runs reads no failed runs', async () => {
  await addRuns(2000, 'ERROR')
  await addRuns(50, 'INFO')
  expect(await readJobs({ statuses: ['INFO', 'COMPLETED'] }, true)).toEqual([50, 101])
})
