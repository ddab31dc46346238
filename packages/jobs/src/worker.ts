import { randomUUID } from 'node:crypto'
import {
  claimJobs,
  completeJob,
  failJob,
  extendLeases,
  purgeEnded,
  reapLost,
  releaseJob,
  retryJob,
  type ClaimedJob,
  type Executor,
  type Hold,
} from './transitions.ts'

/** A job as its handler receives it. */
export interface RunningJob<Payload = unknown> {
  /** UUID of the job. */
  id: string
  /** Name of the kind. */
  kind: string
  /** Input, as enqueued. */
  payload: Payload
  /** Number of this attempt, from 1. A job may run again after its worker was lost, so handlers must be idempotent. */
  attempt: number
  /** Aborts when the worker stops or loses the job; results after that are discarded. */
  signal: AbortSignal
  /**
   * Completes the job inside a transaction of the handler, so that work and completion commit together. Throws if the
   * job was lost; the caller must then roll back.
   */
  complete(executor: Executor, result?: unknown): Promise<void>
}

/** Handler of the jobs of one kind. */
export interface JobHandler<Payload = unknown> {
  /** Runs the job and returns a JSON-serialisable result. If it throws, the job is retried. */
  run(job: RunningJob<Payload>): Promise<unknown>
  /** Called once all attempts have failed, also when the worker was killed each time; then the job counts as failed. */
  giveUp?(job: RunningJob<Payload>, error: string): Promise<void>
  /** Pause in milliseconds before attempt number `failures + 1`. Default: 1 s, doubled each time, at most 5 minutes. */
  pauseMs?: (failures: number) => number
}

/** Options of a worker. */
export interface WorkerOptions {
  /** Runs the SQL of the worker. */
  executor: Executor
  /** Name shared by at most one running worker: its running jobs that this worker does not hold are abandoned. */
  owner: string
  /** Handlers by kind; the worker claims these kinds only. */
  handlers: ReadonlyMap<string, JobHandler>
  /** Maximum concurrent jobs. */
  concurrency: number
  /** Lease of a job in milliseconds. */
  leaseMs: number
  /** Polling interval in milliseconds. */
  pollMs: number
  /** Retention of ended jobs in milliseconds. */
  retentionMs: number
  /** Reports problems from which the worker recovers on its own. */
  warn: (message: string, error: unknown) => void
}

/** Claims and runs jobs until it is stopped. */
export interface Worker {
  /** Checks for jobs now instead of at the next poll. */
  wake(): void
  /** Stops claiming, waits up to `graceMs` for running jobs, then aborts them and releases those that end. */
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
  const { executor, owner, handlers, concurrency, leaseMs, pollMs, retentionMs, warn } = options
  // Unique across restarts.
  const worker = `${owner}:${randomUUID()}`
  const held = new Map<string, Held>()
  let stopping = false
  let wakeUp = () => {}
  let woken = false
  /** Whether the last claim failed; the next one then follows after a short pause. */
  let hasFailed = false
  let lastReap = -Infinity
  let lastPurge = -Infinity

  const heartbeat = setInterval(() => void renewLeases(), Math.max(leaseMs / 3, 10))
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
      // Another worker claimed a job of the same serial key concurrently; the next claim sees it running.
      if ((error as { code?: string }).code === '23505') woken = true
      else {
        if (!hasFailed) warn('Jobs could not be claimed', error)
        hasFailed = true
      }
      return []
    }
  }

  async function tidyUp(): Promise<void> {
    const now = performance.now()
    if (now - lastReap < pollMs) return
    // Reclaims what was lost while the database was unavailable.
    await reapLost(executor, { owner, holds: [...held.values()] })
    lastReap = now
    if (now - lastPurge < purgeEveryMs) return
    lastPurge = now
    await purgeEnded(executor, retentionMs)
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
        warn(`Job ${job.id} (${job.kind}) could not be completed`, error)
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
          throw new Error(`This worker no longer holds the job ${job.id}.`)
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
      warn(`Job ${job.id} (${job.kind}) failed, attempt ${job.attempt}`, error)
      await retryJob(executor, hold, { error: messageOf(error), pauseMs })
    }
  }

  async function renewLeases(): Promise<void> {
    const holds = [...held.values()]
    if (holds.length === 0) return
    const now = performance.now()
    try {
      const stillHeld = new Set(await extendLeases(executor, { worker, holds, leaseMs }))
      for (const hold of holds) {
        if (stillHeld.has(hold.id)) hold.leaseEnds = now + leaseMs
        else if (!hold.completed) hold.controller.abort(new Error('Another worker has taken over the job.'))
      }
    } catch (error) {
      warn('Leases could not be extended', error)
      for (const hold of holds)
        if (hold.leaseEnds < performance.now())
          hold.controller.abort(new Error('The lease of the job has expired.'))
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
      for (const hold of held.values()) hold.controller.abort(new Error('The server is shutting down.'))
      await Promise.race([ends(), elapsed(leaseMs)])
      clearInterval(heartbeat)
    },
  }
}

function doublingPauseMs(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), longestPauseMs)
}

/** PostgreSQL text cannot hold a zero byte. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '')
}

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
