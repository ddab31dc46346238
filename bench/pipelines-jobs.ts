// The job queue of the run engine against graphile-worker: jobs that do nothing, on the same PostgreSQL with full durability.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJobQueue, migrationsFolder as jobsMigrations } from '@headwater/jobs'
import type { Database } from '@headwater/server-kit'
import { atMost, median, type Figure } from './figure.ts'
import { installPeers } from './peers.ts'
import { withPostgres } from './with-postgres.ts'

const folder = fileURLToPath(new URL('pipelines/', import.meta.url))
const jobCount = 10_000
const delayedCount = 100_000
const startCount = 300
const rounds = 5

/** A queue with the statements that use it. */
interface Queue {
  /** Script of a worker process in the folder of peers. */
  script: string
  /** Adds `$1` jobs that do nothing, and notifies the workers. */
  enqueue: string
  /** Counts the jobs that have not ended, as `left`. */
  left: string
}

const ours: Queue = {
  script: 'worker-ours.ts',
  enqueue: `with added as (
      insert into queue_jobs (kind, payload, max_attempts) select 'nothing', '{}', 5 from generate_series(1, $1) returning id
    )
    select pg_notify('queue_ready', 'nothing') from (select count(*) from added) as counted`,
  left: `select count(*)::int as left from queue_jobs where state in ('waiting', 'running')`,
}

const graphile: Queue = {
  script: 'worker-graphile.ts',
  enqueue: `select graphile_worker.add_job('nothing') from generate_series(1, $1)`,
  left: `select count(*)::int as left from graphile_worker.jobs`,
}

/** The PostgreSQL of the benchmark. */
interface Target {
  pool: Database['pool']
  connectionString: string
}

/** Measures throughput with one and two workers, beside delayed jobs, and the time from enqueue to start. */
export default async function jobs(): Promise<Figure[]> {
  installPeers(folder, 'graphile-worker')
  return withPostgres([jobsMigrations], async ({ pool }, { connectionString }) => {
    const target = { pool, connectionString }
    const rates = { one: [] as number[], two: [] as number[], delayed: [] as number[], peer: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      const measured = {
        one: await jobsPerSecond(target, ours, { workers: 1 }),
        peer: await jobsPerSecond(target, graphile, { workers: 1 }),
        two: await jobsPerSecond(target, ours, { workers: 2 }),
        delayed: await jobsPerSecond(target, ours, { workers: 1, delayed: delayedCount }),
      }
      console.log(measured)
      if (round === 0) continue
      for (const name of Object.keys(rates) as (keyof typeof rates)[]) rates[name].push(measured[name])
    }
    const starts = await startTimes(target)
    return figures({
      one: median(rates.one),
      two: median(rates.two),
      delayed: median(rates.delayed),
      peer: median(rates.peer),
      startMs: median(starts),
    })
  })
}

async function jobsPerSecond(
  { pool, connectionString }: Target,
  queue: Queue,
  { workers, delayed = 0 }: { workers: number; delayed?: number },
): Promise<number> {
  await pool.query('truncate queue_jobs')
  if (delayed > 0)
    await pool.query(
      `insert into queue_jobs (kind, payload, state, run_after, max_attempts)
       select 'nothing', '{}', 'delayed', now() + interval '1 day', 5 from generate_series(1, $1)`,
      [delayed],
    )
  const processes = await Promise.all(
    Array.from({ length: workers }, () => startWorkerProcess(queue.script, connectionString)),
  )
  try {
    await pool.query('vacuum analyze')
    const started = performance.now()
    await pool.query(queue.enqueue, [jobCount])
    while (((await pool.query(queue.left)).rows[0] as { left: number }).left > 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    return jobCount / ((performance.now() - started) / 1000)
  } finally {
    for (const child of processes) {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}

async function startWorkerProcess(script: string, connectionString: string): Promise<ChildProcess> {
  const child = fork(join(folder, script), [connectionString], { stdio: ['ignore', 2, 2, 'ipc'] })
  await once(child, 'message')
  return child
}

/** Returns milliseconds from the enqueueing of single jobs to their starts, one after the other. */
async function startTimes({ pool }: Target): Promise<number[]> {
  await pool.query('truncate queue_jobs')
  const queue = createJobQueue({ pool })
  let start = () => {}
  queue.handle('lone', { run: async () => start() })
  queue.start()
  const times: number[] = []
  try {
    for (let number = 0; number < startCount; number++) {
      const started = new Promise<void>((resolve) => {
        start = resolve
      })
      const enqueued = performance.now()
      await queue.enqueue('lone', {})
      await started
      times.push(performance.now() - enqueued)
    }
    return times
  } finally {
    await queue.stop(0)
  }
}

function figures(measured: Record<'one' | 'two' | 'delayed' | 'peer' | 'startMs', number>): Figure[] {
  const { one, two, delayed, peer, startMs } = measured
  const compared = (
    name: string,
    value: number,
    against: number,
    peerName: string,
    goal: number,
  ): Figure => ({
    name,
    value: Math.round(value),
    unit: 'jobs/s',
    peer: peerName,
    ratio: value / against,
    goal: `≥ ${goal} × peer`,
    holds: value / against >= goal,
  })
  return [
    {
      ...compared(
        'jobs that do nothing, one worker',
        one,
        peer,
        'graphile-worker 0.18.0 with default settings',
        2,
      ),
      goal: '≥ 5,000 jobs/s and ≥ 2 × peer',
      holds: one >= 5000 && one / peer >= 2,
    },
    compared('the same, two workers', two, one, 'one worker', 1.3),
    compared(
      `the same, one worker beside ${delayedCount.toLocaleString('en')} delayed jobs`,
      delayed,
      one,
      'one worker without them',
      0.9,
    ),
    atMost(5, { name: 'from enqueue to start, p50', value: startMs, unit: 'ms' }),
  ]
}
