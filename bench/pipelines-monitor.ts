// The monitor over a million runs, and the history of a pipeline with 50 tasks over 365 dates.
import { join } from 'node:path'
import type { Database } from '@headwater/server-kit'
import { administratorOf, startServerProcess } from '../tests/acceptance/server-process.ts'
import { atMost, median, type Figure } from './figure.ts'
import { withPostgres } from './with-postgres.ts'

const runCount = Number(process.env.HEADWATER_BENCH_RUNS ?? 1_000_000)
const runsAtOnce = 50_000
const [dates, tasks] = [365, 50]
const rounds = 9
const goalMs = 500

type Api = ReturnType<typeof administratorOf>

/** Measures requests of the monitor from their start to the end of the response. */
export default async function monitor(): Promise<Figure[]> {
  return withPostgres([], async (database, { connectionString, folder }) => {
    const server = await startServerProcess(join(folder, 'server'), { DATABASE_URL: connectionString })
    try {
      const api = administratorOf(server.url)
      const { pipelineId, jobId } = await oneRun(api)
      await addDates(database, jobId)
      await addRuns(database)
      const measure = async (name: string, path: string, expected: number) => {
        const [ms, count] = await measured(api, path)
        if (count !== expected) throw new Error(`${path} returned ${count} items instead of ${expected}.`)
        return atMost(goalMs, { name, value: Math.round(ms), unit: 'ms' })
      }
      const runs = `monitor over ${runCount.toLocaleString('en')} runs`
      return [
        await measure(`${runs}: open failures first`, '/mgmt/run?size=50', 50),
        await measure(`${runs}: newest first`, '/mgmt/run?size=50&sortBy=start', 50),
        await measure(`${runs}: row 5,000`, '/mgmt/run?size=50&from=5000&sortBy=start', 50),
        await measure(`${runs}: search with 500 matches`, '/mgmt/run?size=50&query=pipeline%20777%20', 50),
        await measure(`${runs}: search without a match`, '/mgmt/run?size=50&query=nothing%20of%20this', 0),
        await measure(`${runs}: errors`, '/mgmt/run?size=50&status=ERROR', 50),
        await measure(`${runs}: running, none`, '/mgmt/run?size=50&status=RUNNING', 0),
        await measure(`${runs}: tag`, '/mgmt/run?size=50&tag=rare', 50),
        await measure(
          `history of ${dates} dates and ${tasks} tasks`,
          `/mgmt/pipeline/${pipelineId}/history?from=2025-01-01&to=2025-12-31`,
          dates,
        ),
      ]
    } finally {
      await server.stop()
    }
  })
}

/** Executes a pipeline of 50 tasks once. */
async function oneRun(api: Api): Promise<{ pipelineId: string; jobId: string }> {
  await api.post('/file/group', { name: 'Flows' })
  const nodes = Array.from({ length: tasks }, (_, index) => ({
    id: `step ${index}`,
    taskReadableName: `step ${index}`,
    taskName: 'cron-trigger',
    prevTasks: index === 0 ? [] : [{ id: `step ${index - 1}` }],
    taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
  }))
  const body = { name: 'daily', groupName: 'Flows', tasks: nodes }
  const { pipeline } = (await api.post('/mgmt/pipeline', body)) as { pipeline: { id: string } }
  const { jobId } = (await api.post(`/mgmt/pipeline/${pipeline.id}/execute`, { waitSeconds: 60 })) as {
    jobId: string
  }
  return { pipelineId: pipeline.id, jobId }
}

/** Copies a run with its steps to each date of 2025. */
async function addDates(database: Database, jobId: string): Promise<void> {
  const { pool } = database
  await pool.query(
    `create table copies as select gen_random_uuid() as id, timestamptz '2025-01-01 12:00Z' + day * interval '1 day' as at
     from generate_series(0, $1::integer - 1) as day`,
    [dates],
  )
  const copy = async (table: string, replaced: Record<string, string>, key: string) => {
    const { rows } = await pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    )
    const names = rows.map(({ name }) => name)
    const values = names.map((name) => replaced[name] ?? `source."${name}"`)
    await pool.query(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
       select ${values.join(', ')} from ${table} as source cross join copies where source."${key}" = $1 order by copies.at`,
      [jobId],
    )
  }
  await copy('jobs', { id: 'copies.id', started_at: 'copies.at', ended_at: 'copies.at' }, 'id')
  await copy('runs', { id: 'copies.id' }, 'id')
  await copy('run_steps', { run_id: 'copies.id' }, 'run_id')
  await pool.query('drop table copies')
}

/** Adds ended runs of 2,000 pipelines, every twentieth with an error; the last run of most pipelines succeeded. */
async function addRuns({ pool }: Database): Promise<void> {
  // The server would report every run to the browsers that are connected.
  await pool.query('alter table jobs disable trigger jobs_added')
  for (let from = 0; from < runCount; from += runsAtOnce) {
    await pool.query(
      `insert into jobs (id, type, name, group_id, group_name, owner_id, status, latest_status, types, tags, version, root_id,
         follows_components, started_at, ended_at)
       select gen_random_uuid(), 'PIPELINE', 'pipeline ' || run % 2000 || ' of the day', groups.id, groups.name, users.id,
         state, state, '{CRON}', case when run % 1999 = 0 then '{rare}'::text[] else '{daily}' end, 1,
         md5((run % 2000)::text)::uuid::text, false, now() - ($3 - run) * interval '7 seconds', now() - ($3 - run) * interval '7 seconds'
       from generate_series($1::integer, $2::integer - 1) as run
       cross join lateral (select case when run % 20 = 7 then 'ERROR' else 'INFO' end as state) as ending
       cross join (select id from users order by id limit 1) as users
       cross join (select id, name from groups where name = 'Flows') as groups order by run`,
      [from, Math.min(from + runsAtOnce, runCount), runCount],
    )
  }
  await pool.query('alter table jobs enable trigger jobs_added')
  await pool.query('analyze')
}

/** Returns the median of the milliseconds, and the number of items of the response. */
async function measured(api: Api, path: string): Promise<[number, number]> {
  const times: number[] = []
  let count = 0
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    const { items, dates: days } = (await api.get(path)) as { items?: unknown[]; dates?: unknown[] }
    times.push(performance.now() - startedMs)
    count = (items ?? days ?? []).length
  }
  return [median(times), count]
}
