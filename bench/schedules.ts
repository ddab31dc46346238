// How fast the job queue is beside 100,000 waiting schedules, against a queue in which each of them waits as a job.
import { withPostgres } from './with-postgres.ts'
import { randomUUID } from 'node:crypto'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { createJobQueue, migrationsFolder as jobsMigrations } from '@headwater/jobs'
import { createSchedules, migrationsFolder as schedulesMigrations } from '@headwater/schedules/server'
import { systemClock, type Database } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { median, type Figure } from './figure.ts'

const scheduleCount = 100_000
const jobCount = 3000
/** Fewer jobs, because each takes at least ten times as long. */
const jobCountBesideJobs = 200
const rounds = 5
/** Number of schedules that are due within a minute, at equal intervals. */
const dueCount = 1000

/** The waiting schedules or jobs beside the queue. */
const settings = {
  nothing: [],
  schedules: [
    `insert into schedules (kind, target_id, triggers, active, set_by, set_at, next_at)
     select 'bench', gen_random_uuid(), '[{"cron": "0 7 * * *", "timeZone": "UTC"}]', true, users.id, now(),
       now() + interval '1 day' + number * interval '1 second'
     from generate_series(1, ${scheduleCount}) as number, users`,
  ],
  jobs: [
    `insert into queue_jobs (kind, payload, run_after, unique_key, serial_key, max_attempts)
     select 'bench', '{}', now() + interval '1 day' + number * interval '1 second', 'waiting ' || number,
       'waiting ' || number, 5
     from generate_series(1, ${scheduleCount}) as number`,
  ],
}

/** Measures the three settings alternately, and how fast due schedules become jobs. */
export default async function schedules(): Promise<Figure[]> {
  return withPostgres([accountsMigrations, jobsMigrations, schedulesMigrations], async (database) => {
    await database.pool.query(
      `insert into users (user_name, company_id) select 'bench@example.com', id from companies`,
    )
    const rates = { nothing: [] as number[], schedules: [] as number[], jobs: [] as number[] }
    for (let round = 0; round <= rounds; round++)
      for (const setting of ['nothing', 'schedules', 'jobs'] as const) {
        const rate = await jobsPerSecond(
          database,
          settings[setting],
          setting === 'jobs' ? jobCountBesideJobs : jobCount,
        )
        console.log(`${setting}: ${rate.toFixed(0)} jobs/s`)
        if (round > 0) rates[setting].push(rate)
      }
    const due = await dueRunsPerSecond(database)
    const drift = await driftOfRuns(database)
    const [alone, beside, old] = [median(rates.nothing), median(rates.schedules), median(rates.jobs)]
    return [
      {
        name: `jobs of the queue beside ${scheduleCount.toLocaleString('en')} waiting schedules`,
        value: Math.round(beside),
        unit: 'jobs/s',
        peer: 'the same queue without schedules',
        ratio: beside / alone,
        goal: '≥ 0.9 × peer',
        holds: beside / alone >= 0.9,
      },
      {
        name: `the same`,
        value: Math.round(beside),
        unit: 'jobs/s',
        peer: 'the queue with a waiting job for each schedule',
        ratio: beside / old,
        goal: '≥ 1 × peer',
        holds: beside >= old,
      },
      {
        name: 'due schedules that become jobs',
        value: Math.round(due),
        unit: '1/s',
        peer: null,
        ratio: null,
        goal: '≥ 500 1/s',
        holds: due >= 500,
      },
      {
        name: `drift of ${dueCount.toLocaleString('en')} runs in a minute beside ${scheduleCount.toLocaleString('en')} schedules, p99`,
        value: Math.round(drift.p99Ms),
        unit: 'ms',
        peer: null,
        ratio: null,
        goal: '≤ 200 ms',
        holds: drift.p99Ms <= 200,
      },
      {
        name: `start of the loop with ${scheduleCount.toLocaleString('en')} schedules`,
        value: Math.round(drift.loadedMs),
        unit: 'ms',
        peer: null,
        ratio: null,
        goal: '≤ 8000 ms',
        holds: drift.loadedMs <= 8000,
      },
    ]
  })
}

async function prepare({ pool }: Database, statements: readonly string[]): Promise<void> {
  await pool.query('truncate queue_jobs, schedules')
  for (const statement of statements) await pool.query(statement)
  await pool.query('vacuum analyze queue_jobs, schedules')
}

/** Runs jobs sequentially through a queue, beside a loop that watches the schedules. */
async function jobsPerSecond(database: Database, waiting: readonly string[], count: number): Promise<number> {
  await prepare(database, waiting)
  const { pool } = database
  const loop = createSchedules({ database, clock: systemClock, log: silentLog() })
  const queue = createJobQueue({ pool })
  let ended = 0
  const { promise: allEnded, resolve: end } = Promise.withResolvers<void>()
  queue.handle('work', {
    async run() {
      if (++ended === count) end()
    },
  })
  loop.register('bench', { queue, start: async () => {}, giveUp: async () => {} })
  await pool.query(
    `insert into queue_jobs (kind, payload, max_attempts) select 'work', '{}', 5 from generate_series(1, ${count})`,
  )
  await loop.start()
  const begin = performance.now()
  queue.start()
  await allEnded
  const seconds = (performance.now() - begin) / 1000
  await loop.stop()
  await queue.stop()
  return count / seconds
}

async function dueRunsPerSecond(database: Database): Promise<number> {
  await prepare(database, settings.schedules)
  const { pool } = database
  await pool.query(
    `update schedules set next_at = now() where target_id in (select target_id from schedules limit ${jobCount})`,
  )
  const loop = createSchedules({ database, clock: systemClock, log: silentLog() })
  const queue = createJobQueue({ pool, owner: randomUUID() })
  loop.register('bench', { queue, start: async () => {}, giveUp: async () => {} })
  const begin = performance.now()
  await loop.start()
  for (;;) {
    const { rows } = await pool.query('select count(*)::int as count from schedules where due_at is not null')
    if (rows[0].count === jobCount) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - begin) / 1000
  await loop.stop()
  await queue.stop()
  return jobCount / seconds
}

/** Measures how late the runs of schedules start that are due within a minute, and how long the loop needs for its first read. */
async function driftOfRuns(database: Database): Promise<{ p99Ms: number; loadedMs: number }> {
  await prepare(database, settings.schedules)
  const { pool } = database
  const loop = createSchedules({ database, clock: systemClock, log: silentLog() })
  const queue = createJobQueue({ pool, owner: randomUUID() })
  const lateMs: number[] = []
  const { promise: allStarted, resolve: end } = Promise.withResolvers<void>()
  loop.register('bench', {
    queue,
    async start({ dueAt }, record) {
      lateMs.push(Date.now() - dueAt!.getTime())
      await record(randomUUID(), pool)
      if (lateMs.length === dueCount) end()
    },
    giveUp: async () => {},
  })
  queue.start()
  const begin = performance.now()
  await loop.start()
  const loadedMs = performance.now() - begin
  // Occurrences are whole milliseconds, like those that the service computes.
  await pool.query(
    `update schedules
     set next_at = date_trunc('milliseconds', now() + interval '2 seconds' + chosen.number * interval '1 minute' / ${dueCount})
     from (select target_id, row_number() over () as number from schedules limit ${dueCount}) as chosen
     where schedules.target_id = chosen.target_id`,
  )
  await allStarted
  await loop.stop()
  await queue.stop()
  lateMs.sort((a, b) => a - b)
  return { p99Ms: lateMs[Math.ceil(dueCount * 0.99) - 1]!, loadedMs }
}
