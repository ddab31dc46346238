import { randomUUID } from 'node:crypto'
import {
  claimJobs,
  completeJob,
  failJob,
  prolongLeases,
  purgeEnded,
  reapLost,
  releaseJob,
  retryJob,
  type ClaimedJob,
  type Executor,
  type Hold,
} from './transitions.ts'

/** A job in the hands of its handler. */
export interface RunningJob<Payload = unknown> {
  id: string
  kind: string
  payload: Payload
  /** Number of this try, counted from 1. A job may be tried again after its worker was lost, so handlers repeat safely. */
  attempt: number
  /** Aborts when the worker stops or has lost the job; work that goes on after it is not counted. */
  signal: AbortSignal
  /**
   * Ends the job inside a transaction of the handler, so that its work and its end are one. Throws when the job has
   * been lost; the transaction must then be rolled back.
   */
  complete(executor: Executor, result?: unknown): Promise<void>
}

/** How jobs of one kind are done. */
export interface JobHandler<Payload = unknown> {
  /** Does the work and answers with a result fit for JSON. An error lets the job be tried again. */
  run(job: RunningJob<Payload>): Promise<unknown>
  /** Called once all tries have failed, also when the worker was killed each time; then the job counts as failed. */
  giveUp?(job: RunningJob<Payload>, error: string): Promise<void>
  /** Pause before try number `failures + 1`; default 1 s doubled each time, at most 5 minutes. */
  pauseMs?: (failures: number) => number
}

/** Settings of a worker. */
export interface WorkerOptions {
  executor: Executor
  /** At most one living worker has this owner: jobs of it that this worker does not hold are nobody's. */
  owner: string
  handlers: ReadonlyMap<string, JobHandler>
  /** Jobs at once. */
  concurrency: number
  /** How long a job is held without a sign of life. */
  leaseMs: number
  /** How often it looks for jobs without being called. */
  pollMs: number
  /** How long jobs that ended are remembered. */
  keepMs: number
  warn: (message: string, error: unknown) => void
}

/** Claims and runs jobs until it is stopped. */
export interface Worker {
  /** There may be something to do. */
  wake(): void
  /**
   * Claims nothing more, lets running jobs finish for `graceMs`, then aborts them and hands back those that end by it.
   */
  stop(graceMs: number): Promise<void>
}

const giveUpTries = 5
const longestPauseMs = 300_000
const failurePauseMs = 200
const purgeEveryMs = 600_000

interface Held extends Hold {
  controller: AbortController
  completed: boolean
  leaseEnds: number
  ended: Promise<void>
}

/** Starts a worker. */
export function startWorker(options: WorkerOptions): Worker {
  const { executor, owner, handlers, concurrency, leaseMs, pollMs, keepMs, warn } = options
  // Unique among all workers that ever were.
  const worker = `${owner}:${randomUUID()}`
  const held = new Map<string, Held>()
  let stopping = false
  let wakeUp = () => {}
  let woken = false
  /** Whether the last claim failed; then the database is away, and the next one comes soon. */
  let hasFailed = false
  let lastReap = -Infinity
  let lastPurge = -Infinity

  const heartbeat = setInterval(() => void keepLeases(), Math.max(leaseMs / 3, 10))
  const loop = work()

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false
      const free = concurrency - held.size
      const claimed = free > 0 ? await claim(free) : []
      for (const job of claimed) start(job)
      if (claimed.length === 0 || claimed.length < free) await rest()
    }
  }

  async function claim(limit: number): Promise<ClaimedJob[]> {
    try {
      await tidyUp()
      const claimed = await claimJobs(executor, { worker, kinds: [...handlers.keys()], limit, leaseMs })
      hasFailed = false
      return claimed
    } catch (error) {
      // Another worker claimed a job of the same serial key at the same moment; the next look finds it running.
      if ((error as { code?: string }).code === '23505') woken = true
      else {
        if (!hasFailed) warn('jobs could not be claimed', error)
        hasFailed = true
      }
      return []
    }
  }

  async function tidyUp(): Promise<void> {
    const now = performance.now()
    if (now - lastReap < pollMs) return
    // What was lost while the database was away is taken back as soon as it is there again.
    await reapLost(executor, { owner, holds: [...held.values()] })
    lastReap = now
    if (now - lastPurge < purgeEveryMs) return
    lastPurge = now
    await purgeEnded(executor, keepMs)
  }

  function rest(): Promise<void> {
    if (woken || stopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, hasFailed ? Math.min(failurePauseMs, pollMs) : pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function wake(): void {
    woken = true
    wakeUp()
  }

  function start(job: ClaimedJob): void {
    const hold: Held = {
      id: job.id,
      worker,
      attempt: job.attempt,
      controller: new AbortController(),
      completed: false,
      leaseEnds: performance.now() + leaseMs,
      ended: Promise.resolve(),
    }
    held.set(job.id, hold)
    hold.ended = handle(job, hold)
      .catch((error) => {
        lastReap = -Infinity
        warn(`job ${job.id} (${job.kind}) could not be ended`, error)
      })
      .finally(() => {
        held.delete(job.id)
        wake()
      })
  }

  async function handle(job: ClaimedJob, hold: Held): Promise<void> {
    const handler = handlers.get(job.kind) as JobHandler
    const running: RunningJob = {
      ...job,
      signal: hold.controller.signal,
      async complete(transaction, result) {
        if (!(await completeJob(transaction, hold, result)))
          throw new Error(`The job ${job.id} is not held by this worker any more.`)
        hold.completed = true
      },
    }
    try {
      if (job.failures >= job.maxAttempts) {
        if (job.failures < job.maxAttempts + giveUpTries) await handler.giveUp?.(running, job.error ?? '')
        await failJob(executor, hold)
        return
      }
      const result = await handler.run(running)
      if (!hold.completed) await completeJob(executor, hold, result)
    } catch (error) {
      hold.completed = false
      if (stopping && hold.controller.signal.aborted) {
        await releaseJob(executor, hold)
        return
      }
      const pauseMs = (handler.pauseMs ?? doublingPauseMs)(job.failures + 1)
      warn(`job ${job.id} (${job.kind}) failed, try ${job.attempt}`, error)
      await retryJob(executor, hold, { error: messageOf(error), pauseMs })
    }
  }

  async function keepLeases(): Promise<void> {
    const holds = [...held.values()]
    if (holds.length === 0) return
    const now = performance.now()
    try {
      const kept = new Set(await prolongLeases(executor, { worker, holds, leaseMs }))
      for (const hold of holds) {
        if (kept.has(hold.id)) hold.leaseEnds = now + leaseMs
        else if (!hold.completed) hold.controller.abort(new Error('The job was lost to another worker.'))
      }
    } catch (error) {
      warn('leases could not be prolonged', error)
      for (const hold of holds)
        if (hold.leaseEnds < performance.now())
          hold.controller.abort(new Error('The lease of the job ran out.'))
    }
  }

  return {
    wake,
    async stop(graceMs) {
      stopping = true
      wakeUp()
      await loop
      const ends = () => Promise.all([...held.values()].map((hold) => hold.ended))
      await Promise.race([ends(), elapsed(graceMs)])
      for (const hold of held.values()) hold.controller.abort(new Error('The server stops.'))
      await Promise.race([ends(), elapsed(leaseMs)])
      clearInterval(heartbeat)
    },
  }
}

function doublingPauseMs(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), longestPauseMs)
}

/** The database takes no zero byte. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '')
}

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
