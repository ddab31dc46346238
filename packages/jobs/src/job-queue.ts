import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { createListener, type Listener } from './listener.ts'
import {
  endedChannel,
  enqueueJob,
  findJob,
  readyChannel,
  withdrawJob,
  type Executor,
  type JobState,
} from './transitions.ts'
import { readLoad, type QueueLoad } from './queue-load.ts'
import type { Lane } from './lane.ts'
import { defaultLane, startWorker, type JobHandler, type Worker } from './worker.ts'

/** Folder of the SQL migrations that create the tables of the queue. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

/** Options of a new job. */
export interface EnqueueOptions {
  /** Earliest start. Default: immediately. */
  runAfter?: Date
  /** While a job with this key is waiting, `enqueue` returns its id instead of adding another job. */
  uniqueKey?: string
  /** Jobs with the same key run one at a time, in the order in which they were enqueued. */
  serialKey?: string
  /**
   * Key for fair scheduling, for example a user id. Waiting jobs with different keys alternate. Default: a shared key.
   */
  fairKey?: string
  /** Maximum number of attempts before the job counts as failed. Default 5. */
  maxAttempts?: number
}

/** A durable job queue in PostgreSQL. Each job runs at least once; exactly one result is stored. */
export interface JobQueue {
  /**
   * Adds a job and returns its id.
   * @param payload input of the handler, JSON-serialisable
   * @param executor a transaction to join: the job exists once it commits
   */
  enqueue(kind: string, payload: unknown, options?: EnqueueOptions, executor?: Executor): Promise<string>
  /**
   * Removes the waiting job with this unique key; returns false if there is none. Running jobs and retries are not
   * affected.
   * @param executor a transaction to join: the job is removed once it commits
   */
  withdraw(uniqueKey: string, executor?: Executor): Promise<boolean>
  /** Registers the handler of a kind. Call it before `start`, once per kind. */
  handle<Payload>(kind: string, handler: JobHandler<Payload>): void
  /** Starts running jobs of the kinds that have a handler. */
  start(): void
  /**
   * Pauses or resumes claiming jobs. After a pause resolves, this process claims no job until the queue is resumed. Running
   * jobs continue. The pause is not stored; a new process starts without it.
   */
  pause(isPaused: boolean): Promise<void>
  /**
   * Waits for a free slot in a lane of this process and holds it, for work that is not a job, until the returned function is
   * called. Such work can hold at most half of the slots. Returns undefined if the process does not run jobs of the lane or is
   * paused.
   */
  occupy(lane: string, signal: AbortSignal): Promise<(() => void) | undefined>
  /** Returns the lanes of this process, with the kinds of jobs that use each. */
  lanes(): QueueLane[]
  /** Returns the waiting and running jobs of the whole queue, in all processes. */
  load(): Promise<QueueLoad>
  /** Returns the state of a job; undefined if the id is unknown or the job was purged. */
  find(id: string): Promise<JobState | undefined>
  /** Waits up to `timeoutMs` for a job to end and returns its state. */
  waitFor(id: string, timeoutMs: number): Promise<JobState | undefined>
  /** Waits up to `graceMs` (default 10 s) for running jobs, releases the others, and closes. */
  stop(graceMs?: number): Promise<void>
}

/** A lane of a process. */
export interface QueueLane {
  /** Name of the lane. */
  name: string
  /** Maximum number of concurrent jobs. */
  capacity: number
  /** Kinds of jobs that use the lane. */
  kinds: string[]
}

/** Options of a queue. */
export interface JobQueueOptions {
  /** Connection pool of the database that holds the queue. */
  pool: pg.Pool
  /**
   * Stable name of this process, without a colon. Only one running process may use it. On start, the queue reclaims jobs that
   * an earlier process with this name left running. Default: a random name, so no jobs are reclaimed.
   */
  owner?: string
  /** Lanes by name, to which handlers refer. Default: one lane, `default`, with a capacity of 4. */
  lanes?: Record<string, Lane>
  /** Lease of a job in milliseconds. After this time without a heartbeat, another worker claims the job. Default 5 s. */
  leaseMs?: number
  /** Polling interval in milliseconds when no notification arrives. Default 1 s. */
  pollMs?: number
  /** Retention of finished jobs in milliseconds. Default 7 days. */
  retentionMs?: number
  /** Reports problems from which the queue recovers on its own. Default: problems are ignored. */
  warn?: (message: string, error?: unknown) => void
}

/** Opens a queue. Run the migrations in {@link migrationsFolder} first. */
export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { pool, leaseMs = 5000, pollMs = 1000, retentionMs = 7 * 86_400_000 } = options
  const lanes = new Map(Object.entries(options.lanes ?? { [defaultLane]: { capacity: 4 } }))
  const { owner = randomUUID(), warn = () => {} } = options
  const handlers = new Map<string, JobHandler>()
  let listener: Listener | undefined
  let worker: Worker | undefined
  let isPaused = false

  function listen(): Listener {
    return (listener ??= createListener(pool, [readyChannel, endedChannel], warn))
  }

  return {
    enqueue(kind, payload, enqueueOptions = {}, executor = pool) {
      const { runAfter = null, uniqueKey = null, serialKey = null, fairKey = '' } = enqueueOptions
      const { maxAttempts = 5 } = enqueueOptions
      return enqueueJob(executor, { kind, payload, runAfter, uniqueKey, serialKey, fairKey, maxAttempts })
    },
    withdraw: (uniqueKey, executor = pool) => withdrawJob(executor, uniqueKey),
    handle(kind, handler) {
      if (worker !== undefined)
        throw new Error(`The handler of ${kind} must be registered before the queue starts.`)
      if (handlers.has(kind)) throw new Error(`${kind} already has a handler.`)
      const lane = handler.lane ?? defaultLane
      if (!lanes.has(lane)) throw new Error(`${kind} uses the lane ${lane}, which the queue does not have.`)
      handlers.set(kind, handler as JobHandler)
    },
    start() {
      worker ??= startWorker({
        executor: pool,
        owner,
        handlers,
        lanes,
        leaseMs,
        pollMs,
        retentionMs,
        isPaused: () => isPaused,
        warn,
      })
      listen().subscribe(readyChannel, (kind) => {
        if (handlers.has(kind)) worker?.wake(kind)
      })
    },
    async pause(paused) {
      isPaused = paused
      if (paused) await worker?.currentClaim()
      else for (const kind of handlers.keys()) worker?.wake(kind)
    },
    occupy: async (lane, signal) => (isPaused ? undefined : worker?.occupy(lane, signal)),
    lanes() {
      const kinds = Map.groupBy(handlers.keys(), (kind) => handlers.get(kind)?.lane ?? defaultLane)
      return [...kinds].map(([name, ofLane]) => ({
        name,
        capacity: lanes.get(name)?.capacity ?? 0,
        kinds: ofLane,
      }))
    },
    load: () => readLoad(pool),
    find: (id) => findJob(pool, id),
    async waitFor(id, timeoutMs) {
      const deadline = performance.now() + timeoutMs
      let wake = () => {}
      const unsubscribe = listen().subscribe(endedChannel, (ended) => {
        if (ended.split(',').includes(id)) wake()
      })
      try {
        for (;;) {
          const notified = new Promise<void>((resolve) => {
            wake = resolve
          })
          const job = await findJob(pool, id)
          const leftMs = deadline - performance.now()
          if (job === undefined || job.state === 'done' || job.state === 'failed' || leftMs <= 0) return job
          await notifiedOrElapsed(notified, Math.min(pollMs, leftMs))
        }
      } finally {
        unsubscribe()
      }
    },
    async stop(graceMs = 10_000) {
      await worker?.stop(graceMs)
      await listener?.close()
    },
  }
}

async function notifiedOrElapsed(notified: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([notified, elapsed])
  clearTimeout(timer)
}
