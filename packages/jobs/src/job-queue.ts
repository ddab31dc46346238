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
import { startWorker, type JobHandler, type Worker } from './worker.ts'

/** Folder of the SQL that makes the tables of the queue. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

/** How a job is to be run. */
export interface EnqueueOptions {
  /** Not before this moment; default at once. */
  runAfter?: Date
  /** While a job with this key waits, no second one is made; the waiting one is answered. */
  uniqueKey?: string
  /** Jobs with the same key run one after the other, in the order they were enqueued. */
  serialKey?: string
  /** Tries before it counts as failed, default 5. */
  maxAttempts?: number
}

/** A durable queue of jobs in PostgreSQL. Each job is run at least once; whose result counts is decided once. */
export interface JobQueue {
  /**
   * Adds a job and answers with its id.
   * @param payload what the handler is to know, fit for JSON
   * @param executor a transaction to take part in: the job exists when it is committed
   */
  enqueue(kind: string, payload: unknown, options?: EnqueueOptions, executor?: Executor): Promise<string>
  /**
   * Takes out the job that waits with this unique key; false when there is none. One that runs, or is tried again, goes on.
   * @param executor a transaction to take part in: the job is gone when it is committed
   */
  withdraw(uniqueKey: string, executor?: Executor): Promise<boolean>
  /** Names the handler of a kind. Called before `start`; a kind has one handler. */
  handle<Payload>(kind: string, handler: JobHandler<Payload>): void
  /** Begins to run jobs of the kinds that have a handler. */
  start(): void
  /** The state of a job; undefined when it is not known, or no longer remembered. */
  find(id: string): Promise<JobState | undefined>
  /** Waits until a job has ended, at most `timeoutMs`, and answers with its state then. */
  waitFor(id: string, timeoutMs: number): Promise<JobState | undefined>
  /** Lets running jobs finish for `graceMs` (default 10 s), hands back the others, and closes. */
  stop(graceMs?: number): Promise<void>
}

/** Settings of a queue. */
export interface JobQueueOptions {
  pool: pg.Pool
  /**
   * Name without a colon of whom the jobs are worked on for; only one process at a time may use it. A queue takes back at once what
   * an earlier process of its owner left running. Default: a new one, which has no earlier process.
   */
  owner?: string
  /** Jobs at once in this process, default 4. */
  concurrency?: number
  /** After how long without a sign of life a job is given to another worker, default 15 s. */
  leaseMs?: number
  /** How often the database is asked when it stays silent, default 1 s. */
  pollMs?: number
  /** How long jobs that ended are remembered, default 7 days. */
  keepMs?: number
  /** Told when something goes wrong that the queue mends by itself. */
  warn?: (message: string, error?: unknown) => void
}

/** Opens the queue. Its tables come with {@link migrationsFolder}. */
export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { pool, concurrency = 4, leaseMs = 15_000, pollMs = 1000, keepMs = 7 * 86_400_000 } = options
  const { owner = randomUUID(), warn = () => {} } = options
  const handlers = new Map<string, JobHandler>()
  let listener: Listener | undefined
  let worker: Worker | undefined

  function listen(): Listener {
    return (listener ??= createListener(pool, [readyChannel, endedChannel], warn))
  }

  return {
    enqueue(kind, payload, enqueueOptions = {}, executor = pool) {
      const { runAfter = null, uniqueKey = null, serialKey = null, maxAttempts = 5 } = enqueueOptions
      return enqueueJob(executor, { kind, payload, runAfter, uniqueKey, serialKey, maxAttempts })
    },
    withdraw: (uniqueKey, executor = pool) => withdrawJob(executor, uniqueKey),
    handle(kind, handler) {
      if (worker !== undefined) throw new Error(`The handler of ${kind} comes after the start of the queue.`)
      if (handlers.has(kind)) throw new Error(`There are two handlers of ${kind}.`)
      handlers.set(kind, handler as JobHandler)
    },
    start() {
      worker ??= startWorker({
        executor: pool,
        owner,
        handlers,
        concurrency,
        leaseMs,
        pollMs,
        keepMs,
        warn,
      })
      listen().hear(readyChannel, (kind) => {
        if (handlers.has(kind)) worker?.wake()
      })
    },
    find: (id) => findJob(pool, id),
    async waitFor(id, timeoutMs) {
      const deadline = performance.now() + timeoutMs
      let wake = () => {}
      const forget = listen().hear(endedChannel, (ended) => {
        if (ended === id) wake()
      })
      try {
        for (;;) {
          const told = new Promise<void>((resolve) => {
            wake = resolve
          })
          const job = await findJob(pool, id)
          const leftMs = deadline - performance.now()
          if (job === undefined || job.state === 'done' || job.state === 'failed' || leftMs <= 0) return job
          await toldOrElapsed(told, Math.min(pollMs, leftMs))
        }
      } finally {
        forget()
      }
    },
    async stop(graceMs = 10_000) {
      await worker?.stop(graceMs)
      await listener?.close()
    },
  }
}

async function toldOrElapsed(told: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([told, elapsed])
  clearTimeout(timer)
}
