import { randomUUID } from 'node:crypto'
import { createBatches } from './batches.ts'
import { startLane, type Lane, type RunningLane } from './lane.ts'
import {
  claimJobs,
  completeJob,
  completeJobs,
  failJob,
  extendLeases,
  maxCompletions,
  purgeEnded,
  reapLost,
  releaseJob,
  retryJob,
  type ClaimedJob,
  type Completion,
  type Executor,
  type Hold,
} from './transitions.ts'

/** A job that is passed to its handler. */
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
   * Returns whether the handler can continue with work that would otherwise be the next job. This is false if it would delay
   * another job, if the worker is paused or stopping, or if an attempt of this job has failed, because the additional work
   * would then have fewer attempts.
   */
  canContinue(): boolean
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
  /**
   * Called after all attempts have failed, even if the worker was killed each time. Afterwards the job counts as failed.
   */
  giveUp?(job: RunningJob<Payload>, error: string): Promise<void>
  /** Name of the lane that the jobs use. Default `default`. */
  lane?: string
  /** Delay in milliseconds before attempt number `failures + 1`. Default: 1 s, doubled each time, at most 5 minutes. */
  pauseMs?: (failures: number) => number
}

/** Options of a worker. */
export interface WorkerOptions {
  /** Runs the SQL of the worker. */
  executor: Executor
  /**
   * Name that at most one running worker uses. Running jobs of this owner that the worker does not hold count as abandoned.
   */
  owner: string
  /** Handlers by kind; the worker claims these kinds only. */
  handlers: ReadonlyMap<string, JobHandler>
  /** Lanes by name. */
  lanes: ReadonlyMap<string, Lane>
  /** Lease of a job in milliseconds. */
  leaseMs: number
  /** Polling interval in milliseconds. */
  pollMs: number
  /** Retention of finished jobs in milliseconds. */
  retentionMs: number
  /** Whether the worker is paused and claims no jobs. */
  isPaused: () => boolean
  /** Reports problems from which the worker recovers on its own. */
  warn: (message: string, error: unknown) => void
}

/** Claims and runs jobs until it is stopped. */
export interface Worker {
  /** Checks for jobs of a kind immediately instead of at the next poll. */
  wake(kind: string): void
  /** Waits for a free slot in a lane and holds it until the returned function is called; undefined if there is no such lane. */
  occupy(lane: string, signal: AbortSignal): Promise<() => void> | undefined
  /** Waits until the claim in progress, if any, has ended. */
  currentClaim(): Promise<void>
  /** Stops claiming, waits up to `graceMs` for running jobs, then aborts them and releases those that stop. */
  stop(graceMs: number): Promise<void>
}

const maxGiveUpAttempts = 5
const maxPauseMs = 300_000
const purgeEveryMs = 600_000

interface Held extends Hold {
  controller: AbortController
  completed: boolean
  leaseEnds: number
  ended: Promise<unknown>
}

interface Claimed {
  job: ClaimedJob
  hold: Held
}

/** Name of the default lane. */
export const defaultLane = 'default'

/** Starts a worker. */
export function startWorker(options: WorkerOptions): Worker {
  const { executor, owner, handlers, leaseMs, pollMs, retentionMs, warn } = options
  // The random suffix makes the name unique across restarts.
  const worker = `${owner}:${randomUUID()}`
  const held = new Map<string, Held>()
  let stopping = false
  let lastReap = -Infinity
  let lastPurge = -Infinity
  let claiming: Promise<void> = Promise.resolve()

  const complete = createBatches<Completion, boolean>(maxCompletions, async (completions) => {
    const completed = await completeJobs(executor, worker, completions)
    return completions.map(({ hold }) => completed.has(hold.id))
  })
  const heartbeat = setInterval(() => void renewLeases(), Math.max(leaseMs / 3, 10))
  const kindsOfLanes = Map.groupBy(handlers.keys(), (kind) => handlers.get(kind)?.lane ?? defaultLane)
  const lanes = [...kindsOfLanes].map(([name, kinds]) => {
    const { capacity, reserve = false } = options.lanes.get(name) as Lane
    const reserved = reserve && capacity > 1 ? 1 : 0
    const claim = (limit: number) => claimExclusively(kinds, limit, reserved === 1)
    return { name, kinds, lane: startLane({ capacity, reserved, pollMs, claim, run, warn }) }
  })

  /** Lets only one lane claim at a time. Otherwise a job that another lane is just claiming would count as lost. */
  function claimExclusively(kinds: readonly string[], limit: number, reserve: boolean): Promise<Claimed[]> {
    const claimed = claiming.then(async () => {
      if (options.isPaused()) return []
      await maintainJobs()
      const jobs = await claimJobs(executor, { worker, kinds, limit, leaseMs, reserve })
      return jobs.map((job) => ({ job, hold: holdOf(job) }))
    })
    claiming = claimed.then(
      () => {},
      () => {},
    )
    return claimed
  }

  async function maintainJobs(): Promise<void> {
    const now = performance.now()
    if (now - lastReap < pollMs) return
    // Reclaims jobs that this worker lost while the database was unavailable.
    await reapLost(executor, { owner, worker, holds: [...held.values()] })
    lastReap = now
    if (now - lastPurge < purgeEveryMs) return
    lastPurge = now
    await purgeEnded(executor, retentionMs)
  }

  function holdOf(job: ClaimedJob): Held {
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
    return hold
  }

  async function run({ job, hold }: Claimed): Promise<void> {
    let isAbandoned = false
    hold.ended = handle(job, hold)
      .catch((error) => {
        lastReap = -Infinity
        isAbandoned = true
        warn(`Job ${job.id} (${job.kind}) could not be completed`, error)
      })
      .finally(() => {
        // After losing the lease, this worker may have claimed the job again.
        if (held.get(job.id) === hold) held.delete(job.id)
      })
    await hold.ended
    if (isAbandoned) wake(job.kind)
  }

  async function handle(job: ClaimedJob, hold: Held): Promise<void> {
    const handler = handlers.get(job.kind) as JobHandler
    const running: RunningJob = {
      ...job,
      signal: hold.controller.signal,
      canContinue: () =>
        !stopping &&
        !hold.controller.signal.aborted &&
        !options.isPaused() &&
        job.failures === 0 &&
        laneOf(job.kind).hasFreeSlot(),
      async complete(transaction, result) {
        if (!(await completeJob(transaction, hold, result)))
          throw new Error(`This worker no longer holds the job ${job.id}.`)
        hold.completed = true
      },
    }
    try {
      if (job.failures >= job.maxAttempts) {
        if (job.failures < job.maxAttempts + maxGiveUpAttempts)
          await handler.giveUp?.(running, job.error ?? '')
        await failJob(executor, hold)
        return
      }
      const result = await handler.run(running)
      if (!hold.completed) await complete({ hold, result })
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
        else if (!hold.completed) hold.controller.abort(new Error('Another worker has claimed the job.'))
      }
    } catch (error) {
      warn('Leases could not be extended', error)
      for (const hold of holds)
        if (hold.leaseEnds < performance.now())
          hold.controller.abort(new Error('The lease of the job has expired.'))
    }
  }

  function laneOf(kind: string): RunningLane {
    return lanes.find(({ kinds }) => kinds.includes(kind))!.lane
  }

  const wake = (kind: string): void => laneOf(kind).wake()

  return {
    wake,
    currentClaim: () => claiming,
    occupy: (lane, signal) => lanes.find(({ name }) => name === lane)?.lane.occupy(signal),
    async stop(graceMs) {
      stopping = true
      await Promise.all(lanes.map(({ lane }) => lane.stop()))
      const ends = () => Promise.all([...held.values()].map((hold) => hold.ended))
      await Promise.race([ends(), elapsed(graceMs)])
      for (const hold of held.values()) hold.controller.abort(new Error('The server is shutting down.'))
      await Promise.race([ends(), elapsed(leaseMs)])
      clearInterval(heartbeat)
    },
  }
}

function doublingPauseMs(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), maxPauseMs)
}

/** PostgreSQL text cannot contain a zero byte. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '')
}

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
