import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { createJobQueue, migrationsFolder, type JobQueue, type JobQueueOptions } from './index.ts'
import { createListener } from './listener.ts'
import type { RunningJob } from './worker.ts'
import { claimJobs, completeJob, extendLeases, reapLost, retryJob } from './transitions.ts'

let database: TestDatabase
let pool: pg.Pool
const queues: JobQueue[] = []
const processes: ChildProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.connectionString, max: 30 })
  pool.on('error', () => {})
  for (const name of await readdir(migrationsFolder))
    await pool.query(await readFile(`${migrationsFolder}/${name}`, 'utf8'))
  await pool.query('create table starts (job uuid, pid int); create table ends (job uuid, pid int)')
})

afterEach(async () => {
  for (const child of processes.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await Promise.all(queues.splice(0).map((queue) => queue.stop(0)))
  await pool.query('truncate queue_jobs, starts, ends')
})

afterAll(async () => {
  await pool.end()
  await database.drop()
})

function open(options: Partial<JobQueueOptions> = {}): JobQueue {
  // On a busy machine, this process can stall for longer than a short lease, and another queue would claim its jobs.
  const queue = createJobQueue({ pool, pollMs: 50, leaseMs: 30_000, ...options })
  queues.push(queue)
  return queue
}

const withCapacity = (capacity: number) => ({ lanes: { default: { capacity } } })

async function startProcess(...options: string[]): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../test/worker-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, database.connectionString, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  await once(child.stdout!, 'data')
  return child
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const count = async (text: string) => Number((await pool.query(text)).rows[0].count)

/** A polling interval longer than any test, so that only notifications can wake a queue. */
const neverMs = 600_000

/** Waits until this many connections have executed `listen` for this channel. */
function untilListening(channel: string, connections = 1): Promise<void> {
  const listening = `select count(*) from pg_stat_activity
    where datname = current_database() and query = 'listen ${channel}' and state = 'idle'`
  return until(async () => (await count(listening)) === connections)
}

test('wakes the worker and waiting callers through notifications, without polling', async () => {
  await untilListening('queue_ended', 0)
  const queue = open({ pollMs: neverMs })
  queue.handle('x', { run: async () => 'ok' })
  queue.start()
  await untilListening('queue_ended')
  const id = await queue.enqueue('x', {})
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done', result: 'ok' })
})

test('receives notifications again after the listener connection was lost, and reports the loss', async () => {
  await untilListening('queue_ended', 0)
  const warnings: string[] = []
  const queue = open({ pollMs: neverMs, warn: (message) => void warnings.push(message) })
  queue.handle('x', { run: async () => 'ok' })
  queue.start()
  await untilListening('queue_ended')
  const { rows } = await pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen queue_ended'`,
  )
  await until(async () => warnings.length > 0)
  expect(warnings).toEqual([
    expect.stringMatching(/^A listener lost its database connection: .+\. It will reconnect\.$/),
  ])
  // The terminated connection can still be listed for a moment.
  await until(
    async () => (await count(`select count(*) from pg_stat_activity where pid = ${rows[0]!.pid}`)) === 0,
  )
  await untilListening('queue_ended')
  const id = await queue.enqueue('x', {})
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done' })
})

test('retries when the listener cannot connect', async () => {
  const warnings: string[] = []
  let tries = 0
  const connect = () => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('too many connections')) : pool.connect()
  }
  const listener = createListener({ connect } as unknown as pg.Pool, ['queue_test'], (message) =>
    warnings.push(message),
  )
  const notification = new Promise<string>((resolve) => listener.subscribe('queue_test', resolve))
  await untilListening('queue_test')
  await pool.query(`notify queue_test, 'hello'`)
  expect(await notification).toBe('hello')
  expect(warnings).toEqual([
    'A listener lost its database connection: too many connections. It will reconnect.',
  ])
  await listener.close()
})

test('accepts one handler per kind, registered before the start', () => {
  const queue = open()
  queue.handle('x', { run: async () => 'ok' })
  expect(() => queue.handle('x', { run: async () => 'other' })).toThrow('x already has a handler.')
  queue.start()
  expect(() => queue.handle('y', { run: async () => 'ok' })).toThrow(
    'must be registered before the queue starts',
  )
})

test('lets the handler choose the delay based on the number of failures, and stores any thrown value as the error', async () => {
  const queue = open()
  const failures: number[] = []
  queue.handle('fails', {
    run: () => Promise.reject('plain\u0000 text'),
    pauseMs(count) {
      failures.push(count)
      return 0
    },
  })
  queue.start()
  const id = await queue.enqueue('fails', {}, { maxAttempts: 3 })
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'failed', error: 'plain text', failures: 3 })
  expect(failures).toEqual([1, 2, 3])
})

test.each([
  { failures: 5, seconds: 32 },
  { failures: 7, seconds: 128 },
  { failures: 20, seconds: 300 },
])('by default the attempt after $failures failures starts in $seconds s', async (row) => {
  const queue = open()
  queue.handle('fails', { run: () => Promise.reject(new Error('no')) })
  const id = await queue.enqueue('fails', {}, { maxAttempts: 100 })
  await pool.query('update queue_jobs set failures = $1 where id = $2', [row.failures, id])
  queue.start()
  await until(async () => (await queue.find(id))?.failures === row.failures + 1)
  const { rows } = await pool.query(
    'select extract(epoch from run_after - now()) as left from queue_jobs where id = $1',
    [id],
  )
  // Part of the delay passes while the test runs.
  expect(Number(rows[0].left)).toBeLessThanOrEqual(row.seconds)
  expect(Number(rows[0].left)).toBeGreaterThan(row.seconds / 2)
})

test('lets a running job finish within the grace time of a shutdown', async () => {
  const queue = open()
  let started = () => {}
  const running = new Promise<void>((resolve) => (started = resolve))
  let finish = () => {}
  queue.handle('long', {
    async run({ signal }) {
      started()
      await new Promise<void>((resolve, reject) => {
        finish = resolve
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      return 'finished'
    },
  })
  queue.start()
  const id = await queue.enqueue('long', {})
  await running
  const stopped = queue.stop(20_000)
  // Without the grace time, the shutdown would abort the job during these queries.
  for (let i = 0; i < 20; i++) await queue.find(id)
  finish()
  await stopped
  expect(await queue.find(id)).toMatchObject({ state: 'done', result: 'finished' })
})

test('runs a job once and returns its result to the waiting caller', async () => {
  const queue = open()
  queue.handle<{ a: number }>('double', { run: async ({ payload }) => payload.a * 2 })
  queue.start()
  const id = await queue.enqueue('double', { a: 21 })
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done', result: 42, error: null })
})

test('enqueues a job in a transaction only when it commits', async () => {
  const queue = open()
  const connection = await pool.connect()
  await connection.query('begin')
  const lost = await queue.enqueue('x', {}, {}, connection)
  await connection.query('rollback')
  await connection.query('begin')
  const storedJobId = await queue.enqueue('x', {}, {}, connection)
  await connection.query('commit')
  connection.release()
  expect(await queue.find(lost)).toBeUndefined()
  expect(await queue.find(storedJobId)).toMatchObject({ state: 'waiting' })
})

test('does not run a job before its earliest start', async () => {
  const queue = open()
  const ran: string[] = []
  queue.handle<string>('note', { run: async ({ payload }) => void ran.push(payload) })
  queue.start()
  const late = await queue.enqueue('note', 'late', { runAfter: new Date(Date.now() + 3_600_000) })
  await queue.waitFor(await queue.enqueue('note', 'early'), 20_000)
  expect(ran).toEqual(['early'])
  expect(await queue.find(late)).toMatchObject({ state: 'waiting' })
})

test('does not add a second job while one with the same unique key is waiting', async () => {
  const queue = open()
  const ids = await Promise.all(
    Array.from({ length: 8 }, () => queue.enqueue('sweep', {}, { uniqueKey: 'sweep' })),
  )
  expect(new Set(ids).size).toBe(1)
  expect(await count('select count(*) from queue_jobs')).toBe(1)
})

test('withdraws a waiting job by its unique key, within a transaction or not at all; other jobs remain', async () => {
  const queue = open()
  const later = new Date(Date.now() + 3_600_000)
  const other = await queue.enqueue('report', 1, { uniqueKey: 'report 1', runAfter: later })
  const id = await queue.enqueue('report', 2, { uniqueKey: 'report 2', runAfter: later })
  const connection = await pool.connect()
  await connection.query('begin')
  await queue.withdraw('report 2', connection)
  await connection.query('rollback')
  connection.release()
  expect(await queue.find(id)).toMatchObject({ state: 'waiting' })
  await queue.withdraw('report 2')
  expect(await queue.find(id)).toBeUndefined()
  expect(await queue.find(other)).toMatchObject({ state: 'waiting' })
})

test('does not withdraw a running job', async () => {
  const queue = open()
  const id = await queue.enqueue('report', {}, { uniqueKey: 'report' })
  await claimJobs(pool, { worker: 'w', kinds: ['report'], limit: 1, leaseMs: 60_000 })
  await queue.withdraw('report')
  expect(await queue.find(id)).toMatchObject({ state: 'running' })
})

test('runs jobs of one serial key in order on two workers, and other keys in parallel', async () => {
  const queues = [open(withCapacity(8)), open(withCapacity(8))]
  const running = new Map<string, number>()
  const order: Record<string, number[]> = { a: [], b: [] }
  let together = 0
  for (const queue of queues)
    queue.handle<{ key: string; n: number }>('step', {
      async run({ payload: { key, n } }) {
        running.set(key, (running.get(key) ?? 0) + 1)
        expect(running.get(key)).toBe(1)
        together = Math.max(
          together,
          [...running.values()].reduce((a, b) => a + b, 0),
        )
        order[key]!.push(n)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running.set(key, 0)
      },
    })
  const ids: string[] = []
  for (let n = 0; n < 20; n++)
    for (const key of ['a', 'b'])
      ids.push(await queues[0]!.enqueue('step', { key, n }, { serialKey: key, maxAttempts: 1 }))
  for (const queue of queues) queue.start()
  for (const id of ids) expect(await queues[1]!.waitFor(id, 20_000)).toMatchObject({ state: 'done' })
  const inOrder = Array.from({ length: 20 }, (_, n) => n)
  expect(order).toEqual({ a: inOrder, b: inOrder })
  expect(together).toBe(2)
})

test('runs each of many jobs once on two competing workers', async () => {
  const queues = [open(withCapacity(10)), open(withCapacity(10))]
  const runs = new Map<number, number>()
  for (const queue of queues)
    queue.handle<number>('race', {
      run: async ({ payload }) => void runs.set(payload, (runs.get(payload) ?? 0) + 1),
    })
  const ids = await Promise.all(Array.from({ length: 300 }, (_, n) => queues[n % 2]!.enqueue('race', n)))
  for (const queue of queues) queue.start()
  for (const id of ids) expect((await queues[0]!.waitFor(id, 20_000))?.state).toBe('done')
  expect([...runs.values()]).toEqual(Array.from({ length: 300 }, () => 1))
})

test('claims the oldest job of the user with the fewest running jobs', async () => {
  const queue = open()
  const enqueueFor = async (fairKey: string, count: number) => {
    for (let number = 1; number <= count; number++)
      await queue.enqueue('x', `${fairKey}${number}`, { fairKey })
  }
  await enqueueFor('a', 4)
  await enqueueFor('b', 2)
  await enqueueFor('c', 1)
  const claim = async (limit: number) => {
    const claimed = await claimJobs(pool, { worker: 'w', kinds: ['x'], limit, leaseMs: 60_000 })
    return claimed.map(({ payload }) => payload)
  }
  expect(await claim(2)).toEqual(['a1', 'b1'])
  expect(await claim(1)).toEqual(['c1'])
  expect(await claim(2)).toEqual(['a2', 'b2'])
  expect(await claim(9)).toEqual(['a3', 'a4'])
})

test('a lane with a reserve keeps its last slot for a user with no running jobs on the worker', async () => {
  const queue = open()
  for (const payload of ['a1', 'a2', 'a3']) await queue.enqueue('x', payload, { fairKey: 'a' })
  const claim = async (limit: number) => {
    const options = { worker: 'w', kinds: ['x'], limit, leaseMs: 60_000, reserve: true }
    return (await claimJobs(pool, options)).map(({ payload }) => payload)
  }
  expect(await claim(3)).toEqual(['a1', 'a2'])
  expect(await claim(1)).toEqual([])
  await queue.enqueue('x', 'b1', { fairKey: 'b' })
  expect(await claim(1)).toEqual(['b1'])
})

test('a paused queue finishes running jobs and claims no others until it is resumed; the load counts all jobs by kind', async () => {
  const queue = open({ owner: 'lake files', lanes: { default: { capacity: 2 }, slow: { capacity: 1 } } })
  let finish = () => {}
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  queue.handle('slow', { lane: 'slow', run: () => isFinished })
  queue.handle('quick', { run: async () => 'done' })
  expect(queue.lanes()).toEqual([
    { name: 'slow', capacity: 1, kinds: ['slow'] },
    { name: 'default', capacity: 2, kinds: ['quick'] },
  ])
  queue.start()
  const slow = await queue.enqueue('slow', { a: 1 })
  await until(async () => (await queue.find(slow))?.state === 'running')
  await queue.pause(true)
  const quick = await queue.enqueue('quick', {})
  await queue.enqueue('quick', {}, { runAfter: new Date(Date.now() + 3_600_000) })
  const minuteAgo = `now() - interval '1 minute'`
  await pool.query(
    `update queue_jobs set run_after = ${minuteAgo}, created_at = ${minuteAgo} where id = $1`,
    [quick],
  )
  expect((await queue.waitFor(quick, 300))?.state).toBe('waiting')
  const { kinds, running } = await queue.load()
  expect(kinds).toEqual([
    { kind: 'quick', running: 0, waiting: 1, delayed: 1, longestWaitMs: expect.any(Number) as number },
    { kind: 'slow', running: 1, waiting: 0, delayed: 0, longestWaitMs: 0 },
  ])
  expect(kinds[0]!.longestWaitMs).toBeGreaterThan(59_000)
  expect(running).toEqual([{ id: slow, kind: 'slow', payload: { a: 1 }, owner: 'lake files' }])
  finish()
  expect((await queue.waitFor(slow, 20_000))?.state).toBe('done')
  await queue.pause(false)
  expect((await queue.waitFor(quick, 20_000))?.state).toBe('done')
})

test('a pause takes effect when the claim in progress has ended; jobs that are added afterwards wait', async () => {
  const queue = open()
  queue.handle('quick', { run: async () => 'done' })
  const early = await queue.enqueue('quick', {})
  const blocker = await pool.connect()
  await blocker.query('begin; lock table queue_jobs in exclusive mode')
  queue.start()
  const isClaiming = `select 1 from pg_locks where relation = 'queue_jobs'::regclass and not granted`
  await until(async () => (await pool.query(isClaiming)).rowCount! > 0)
  let isPaused = false
  const paused = queue.pause(true).then(() => (isPaused = true))
  await pool.query('select pg_sleep(0.1)')
  expect(isPaused).toBe(false)
  await blocker.query('commit')
  blocker.release()
  await paused
  const late = await queue.enqueue('quick', {})
  expect((await queue.waitFor(early, 20_000))?.state).toBe('done')
  expect((await queue.waitFor(late, 300))?.state).toBe('waiting')
})

test('a job continues only without failed attempts, while a slot is free, and not in a paused or stopping queue', async () => {
  const queue = open({ lanes: { default: { capacity: 2 } } })
  const jobs: RunningJob[] = []
  let finish = () => {}
  const isFinished = new Promise<void>((resolve) => (finish = resolve))
  queue.handle('long', {
    run: async (job) => {
      jobs.push(job)
      await isFinished
    },
  })
  queue.handle('failing', {
    pauseMs: () => 0,
    run: async (job) => {
      jobs.push(job)
      if (job.attempt === 1) throw new Error('first attempt')
      await isFinished
    },
  })
  queue.start()
  await queue.enqueue('long', {})
  await until(async () => jobs.length === 1)
  expect(jobs[0]!.canContinue()).toBe(true)
  await queue.pause(true)
  expect(jobs[0]!.canContinue()).toBe(false)
  await queue.pause(false)
  await queue.enqueue('failing', {})
  await until(async () => jobs.length === 3)
  expect(jobs[0]!.canContinue()).toBe(false)
  const roomy = open({ owner: 'roomy', lanes: { default: { capacity: 9 } } })
  const retried: RunningJob[] = []
  roomy.handle('retried', {
    pauseMs: () => 0,
    run: async (job) => {
      retried.push(job)
      if (job.attempt === 1) throw new Error('first attempt')
      await isFinished
    },
  })
  roomy.start()
  await roomy.enqueue('retried', {})
  await until(async () => retried.length === 2)
  expect(retried.map((job) => job.canContinue())).toEqual([true, false])
  const stopped = queue.stop(5000)
  expect(jobs[0]!.canContinue()).toBe(false)
  finish()
  await stopped
})

test('a lane with a single slot does not reserve it', async () => {
  const queue = open({ lanes: { code: { capacity: 1, reserve: true } } })
  queue.handle('x', { lane: 'code', run: async () => 'ok' })
  queue.start()
  expect(await queue.waitFor(await queue.enqueue('x', {}), 20_000)).toMatchObject({ state: 'done' })
})

test('results are stored without NUL characters and unpaired surrogates', async () => {
  const queue = open()
  queue.handle('x', { run: async () => ({ text: 'a\u0000b\ud83d' }) })
  queue.start()
  const id = await queue.enqueue('x', { text: '\ud83d\u0000' }, { maxAttempts: 1 })
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done', result: { text: 'ab\ufffd' } })
})

test('jobs of a full lane do not delay jobs of other lanes', async () => {
  const queue = open({ lanes: { code: { capacity: 1 }, files: { capacity: 1 } } })
  const release = Promise.withResolvers<void>()
  queue.handle('code', { lane: 'code', run: () => release.promise })
  queue.handle('file', { lane: 'files', run: async () => 'ok' })
  expect(() => queue.handle('y', { lane: 'no such', run: async () => 'ok' })).toThrow(
    'y uses the lane no such, which the queue does not have.',
  )
  queue.start()
  const slow = [await queue.enqueue('code', {}), await queue.enqueue('code', {})]
  expect(await queue.waitFor(await queue.enqueue('file', {}), 20_000)).toMatchObject({ state: 'done' })
  expect(await queue.find(slow[1]!)).toMatchObject({ state: 'waiting' })
  release.resolve()
  for (const id of slow) expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done' })
})

test('a lane never reclaims jobs that a different lane of the same worker has just claimed', async () => {
  const lanes = { a: { capacity: 2 }, b: { capacity: 2 } }
  // Every claim first looks for abandoned jobs.
  const queue = open({ lanes, pollMs: 0 })
  const runs = new Map<unknown, number>()
  const run = async ({ payload }: { payload: unknown }) =>
    void runs.set(payload, (runs.get(payload) ?? 0) + 1)
  queue.handle('a', { lane: 'a', run })
  queue.handle('b', { lane: 'b', run })
  const ids = await Promise.all(Array.from({ length: 200 }, (_, n) => queue.enqueue(n % 2 ? 'a' : 'b', n)))
  queue.start()
  for (const id of ids) expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done', failures: 0 })
  expect([...runs.values()]).toEqual(Array.from({ length: 200 }, () => 1))
})

test('retries a failing job after a delay, then gives up once, even if its error contains a zero byte', async () => {
  const queue = open()
  const attempts: number[] = []
  const givenUp: string[] = []
  queue.handle('bad', {
    pauseMs: () => 1,
    async run({ attempt }) {
      attempts.push(attempt)
      throw new Error(`try ${attempt} failed\u0000`)
    },
    async giveUp(_job, error) {
      givenUp.push(error)
    },
  })
  queue.start()
  const id = await queue.enqueue('bad', {}, { maxAttempts: 3 })
  expect(await queue.waitFor(id, 20_000)).toMatchObject({
    state: 'failed',
    error: 'try 3 failed',
    failures: 3,
  })
  expect(attempts).toEqual([1, 2, 3])
  expect(givenUp).toEqual(['try 3 failed'])
})

test('gives up immediately after the last failed attempt, regardless of the retry delay', async () => {
  const queue = open()
  queue.handle('fails', { run: () => Promise.reject(new Error('no')), pauseMs: () => 3_600_000 })
  queue.start()
  const id = await queue.enqueue('fails', {}, { maxAttempts: 1 })
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'failed', error: 'no', failures: 1 })
})

test('gives up on a job if its worker is lost on every attempt', async () => {
  const queue = open()
  const givenUp: string[] = []
  queue.handle('deadly', {
    run: () => Promise.reject(new Error('this must not run again')),
    async giveUp(_job, error) {
      givenUp.push(error)
    },
  })
  const id = await queue.enqueue('deadly', {}, { maxAttempts: 2 })
  for (const worker of ['first', 'second']) {
    expect(await claimJobs(pool, { worker, kinds: ['deadly'], limit: 1, leaseMs: -1 })).toHaveLength(1)
    expect(await reapLost(pool)).toEqual([id])
  }
  queue.start()
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'failed', failures: 2 })
  expect(givenUp).toEqual(['The worker that held the job was lost.'])
})

test('rejects completion, extension and failure by a worker that lost its lease', async () => {
  const queue = open()
  const id = await queue.enqueue('x', {})
  const claim = { kinds: ['x'], limit: 1, leaseMs: -1 }
  expect(await claimJobs(pool, { ...claim, worker: 'first' })).toMatchObject([{ id, attempt: 1 }])
  const first = { id, worker: 'first', attempt: 1 }
  expect(await reapLost(pool)).toEqual([id])
  expect(await claimJobs(pool, { ...claim, worker: 'first', leaseMs: 60_000 })).toMatchObject([
    { id, attempt: 2 },
  ])

  expect(await completeJob(pool, first, 'late')).toBe(false)
  expect(await retryJob(pool, first, { error: 'late', pauseMs: 0 })).toBe(false)
  expect(await extendLeases(pool, { worker: 'first', holds: [first], leaseMs: 60_000 })).toEqual([])
  expect(await completeJob(pool, { ...first, attempt: 2 }, 'right')).toBe(true)
  expect(await completeJob(pool, { ...first, attempt: 2 }, 'twice')).toBe(false)
  expect(await queue.find(id)).toMatchObject({ state: 'done', result: 'right' })
})

test('extends the lease of a long job while its worker is alive', async () => {
  const queue = open({ leaseMs: 1000 })
  let runs = 0
  queue.handle('long', {
    async run() {
      runs += 1
      await new Promise((resolve) => setTimeout(resolve, 2500))
    },
  })
  queue.start()
  const id = await queue.enqueue('long', {})
  expect(await queue.waitFor(id, 20_000)).toMatchObject({ state: 'done', failures: 0 })
  expect(runs).toBe(1)
})

test('does not reclaim its own job after a stall longer than the lease, but claims the job of a lost worker', async () => {
  // Leases are not renewed during the test.
  const queue = open({ leaseMs: neverMs })
  const starts: string[] = []
  const resume = Promise.withResolvers<void>()
  queue.handle('x', {
    async run({ id }) {
      starts.push(id)
      if (starts.length === 1) await resume.promise
    },
  })
  const lost = await queue.enqueue('x', {})
  await claimJobs(pool, { worker: 'lost', kinds: ['x'], limit: 1, leaseMs: neverMs })
  const own = await queue.enqueue('x', {})
  queue.start()
  await until(async () => starts.length === 1)
  await pool.query(`update queue_jobs set lease_until = now() - interval '1 s' where state = 'running'`)
  expect(await queue.waitFor(lost, 20_000)).toMatchObject({ state: 'done', failures: 1 })
  resume.resolve()
  expect(await queue.waitFor(own, 20_000)).toMatchObject({ state: 'done', failures: 0 })
  expect(starts).toEqual([own, lost])
})

test('releases a running job on shutdown without counting a failure', async () => {
  const queue = open()
  let started = () => {}
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  queue.handle('long', {
    async run({ signal }) {
      started()
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  queue.start()
  const id = await queue.enqueue('long', {})
  await running
  await queue.stop(0)
  expect(await queue.find(id)).toMatchObject({ state: 'waiting', failures: 0, error: null })
})

test('continues after its connections were interrupted', async () => {
  const queue = open()
  queue.handle('x', { run: async () => 'ok' })
  queue.start()
  await queue.waitFor(await queue.enqueue('x', {}), 20_000)
  const other = new pg.Client({ connectionString: database.connectionString })
  await other.connect()
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
  )
  await other.end()
  const enqueue = (): Promise<string> => queue.enqueue('x', {}).catch(enqueue)
  expect(await stateAtEnd(queue, await enqueue())).toMatchObject({ state: 'done' })
})

/** Returns the state of a job at its end. The pool can still hand out a terminated connection. */
function stateAtEnd(queue: JobQueue, id: string): Promise<unknown> {
  return queue.waitFor(id, 20_000).catch(() => stateAtEnd(queue, id))
}

/** Blocks connections to the test database, as if PostgreSQL had been killed, until the returned function is called. */
async function blockDatabase(): Promise<() => Promise<void>> {
  const { connectionString } = database
  const [name] = /test_\w+/.exec(connectionString)!
  const admin = new pg.Client({ connectionString: connectionString.replace(name, 'postgres') })
  await admin.connect()
  const allow = (allowed: boolean) => admin.query(`alter database "${name}" allow_connections ${allowed}`)
  await allow(false)
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
    [name],
  )
  return async () => {
    await allow(true)
    await admin.end()
  }
}

test('reclaims a job that it could not complete, without waiting for the lease', async () => {
  const ended = Promise.withResolvers<void>()
  const warn = (message: string) => {
    if (message.includes('could not be completed')) ended.resolve()
  }
  const queue = open({ leaseMs: neverMs, warn })
  let openAgain = async () => {}
  const attempts: number[] = []
  queue.handle('x', {
    async run({ attempt }) {
      attempts.push(attempt)
      if (attempts.length > 1) return 'ok'
      openAgain = await blockDatabase()
      throw new Error('the database is unavailable')
    },
  })
  queue.start()
  const first = await queue.enqueue('x', {}, { serialKey: 'group' })
  const behind = await queue.enqueue('x', {}, { serialKey: 'group' })
  await ended.promise
  await openAgain()
  expect(await stateAtEnd(queue, first)).toMatchObject({ state: 'done', failures: 1 })
  expect(await stateAtEnd(queue, behind)).toMatchObject({ state: 'done', failures: 0 })
  expect(attempts).toEqual([1, 2, 1])
})

test('immediately reclaims jobs of an earlier process with the same owner, but no jobs of other owners', async () => {
  const lease = String(neverMs)
  const queue = open({ owner: 'here' })
  const interrupted: string[] = []
  for (const owner of ['here', 'here and there']) {
    const victim = await startProcess(lease, owner)
    interrupted.push(await queue.enqueue('work', { workMs: neverMs }))
    await until(async () => (await count('select count(*) from starts')) === interrupted.length)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
  }
  queue.handle('work', { run: async () => 'again' })
  queue.start()
  expect(await queue.waitFor(interrupted[0]!, 20_000)).toMatchObject({ state: 'done', result: 'again' })
  expect(await queue.find(interrupted[1]!)).toMatchObject({ state: 'running' })
})

test('a different worker resumes each job of a killed worker process once; no job is lost or completed twice', async () => {
  const queue = open()
  // Its long jobs cannot end before the kill.
  const victim = await startProcess('1000', 'victim', String(neverMs))
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      queue.enqueue('work', { workMs: 10, isLong: n < 4 }, n % 2 === 0 ? {} : { serialKey: 'lane' }),
    ),
  )
  const begun = `select count(*) from starts where job in ('${ids[0]}', '${ids[2]}')`
  await until(async () => (await count(begun)) === 2)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  // The last statements of the killed process may not be committed yet.
  const connections = `select count(*) from pg_stat_activity where application_name = 'worker ${victim.pid}'`
  await until(async () => (await count(connections)) === 0)
  const interrupted = await count(
    'select count(distinct job) from starts where job not in (select job from ends)',
  )
  expect(interrupted).toBeGreaterThan(0)

  await startProcess()
  for (const id of ids) expect((await queue.waitFor(id, 20_000))?.state).toBe('done')
  expect(await count('select count(*) from ends')).toBe(20)
  expect(await count('select count(distinct job) from ends')).toBe(20)
  expect(await count('select count(*) from starts')).toBe(20 + interrupted)
})

test('other work uses at most half of the slots of a lane; jobs use the rest', async () => {
  const queue = open(withCapacity(2))
  let running = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  queue.handle('x', {
    async run() {
      running++
      await ended
    },
  })
  const { signal } = new AbortController()
  expect(await queue.occupy('default', signal)).toBeUndefined()
  queue.start()
  expect(await queue.occupy('missing', signal)).toBeUndefined()
  const release = await queue.occupy('default', signal)
  const ids = [await queue.enqueue('x', {}), await queue.enqueue('x', {})]
  await until(async () => running === 1)
  const stopped = new AbortController()
  const third = queue.occupy('default', stopped.signal)
  stopped.abort(new Error('stopped'))
  await expect(third).rejects.toThrow('stopped')
  await expect(queue.occupy('default', stopped.signal)).rejects.toThrow('stopped')
  expect((await queue.load()).kinds).toMatchObject([{ waiting: 1, running: 1 }])
  const next = queue.occupy('default', signal)
  release!()
  // The waiting caller gets the slot before the waiting job.
  const releaseNext = await next
  expect((await queue.load()).kinds).toMatchObject([{ waiting: 1, running: 1 }])
  releaseNext!()
  await until(async () => running === 2)
  end()
  for (const id of ids) expect(await queue.waitFor(id, 30_000)).toMatchObject({ state: 'done' })
})
