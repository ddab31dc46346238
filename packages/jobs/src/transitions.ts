/** Anything that runs SQL: a pool, a connection, or a transaction of the caller. */
export interface Executor {
  /** Runs one statement with positional parameters. */
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/** Channel that notifies the kind of each job that is ready to run. */
export const readyChannel = 'queue_ready'
/** Channel that notifies the id of each job that has ended. */
export const endedChannel = 'queue_ended'

/** A job held by a worker. `worker` and `attempt` together prove the hold. */
export interface ClaimedJob {
  /** UUID of the job. */
  id: string
  /** Name of the kind, which selects the handler. */
  kind: string
  /** Input of the handler, as enqueued. */
  payload: unknown
  /** Number of this attempt, from 1; increases with every claim. */
  attempt: number
  /** Number of attempts that failed or were lost with their worker. */
  failures: number
  /** Attempts before the job counts as failed. */
  maxAttempts: number
  /** Message of the last failure; null without one. */
  error: string | null
}

/** Proof that a worker holds a job. */
export interface Hold {
  /** UUID of the job. */
  id: string
  /** Unique name of the worker. */
  worker: string
  /** Number of the attempt. */
  attempt: number
}

/** → waiting. If a waiting job has the same unique key, returns its id and changes nothing. */
export async function enqueueJob(
  executor: Executor,
  job: {
    kind: string
    payload: unknown
    runAfter: Date | null
    uniqueKey: string | null
    serialKey: string | null
    maxAttempts: number
  },
): Promise<string> {
  const { rows } = await executor.query(
    `with job as (
       insert into queue_jobs (kind, payload, run_after, unique_key, serial_key, max_attempts)
       values ($1, $2::jsonb, coalesce($3::timestamptz, now()), $4, $5, $6)
       on conflict (unique_key) where state = 'waiting' do update set unique_key = excluded.unique_key
       returning id, kind, run_after
     )
     select id, case when run_after <= now() then pg_notify('${readyChannel}', kind) end from job`,
    [job.kind, JSON.stringify(job.payload), job.runAfter, job.uniqueKey, job.serialKey, job.maxAttempts],
  )
  return (rows[0] as { id: string }).id
}

/**
 * waiting → deleted, for the job with this unique key. A claim clears the key, so jobs that have started never match.
 */
export async function withdrawJob(executor: Executor, uniqueKey: string): Promise<boolean> {
  const { rows } = await executor.query(
    `delete from queue_jobs where state = 'waiting' and unique_key = $1 returning id`,
    [uniqueKey],
  )
  return rows.length > 0
}

/**
 * waiting → running, for up to `limit` jobs, the oldest first. Of the jobs that share a serial key, only the oldest
 * unfinished one can be claimed. Skips rows that another worker is claiming.
 */
export async function claimJobs(
  executor: Executor,
  claim: { worker: string; kinds: string[]; limit: number; leaseMs: number },
): Promise<ClaimedJob[]> {
  const { rows } = await executor.query(
    `update queue_jobs set state = 'running', worker = $1, attempt = attempt + 1,
       lease_until = now() + $4 * interval '1 millisecond', unique_key = null
     where id in (
       select id from queue_jobs job
       where state = 'waiting' and run_after <= now() and kind = any($2::text[])
         and (serial_key is null or not exists (
           select from queue_jobs other
           where other.serial_key = job.serial_key and other.state in ('waiting', 'running')
             and (other.seq < job.seq or other.state = 'running')))
       order by seq limit $3 for update skip locked
     )
     returning id, kind, payload, attempt, failures, max_attempts as "maxAttempts", error`,
    [claim.worker, claim.kinds, claim.limit, claim.leaseMs],
  )
  return rows as ClaimedJob[]
}

/** Extends the leases of a worker's jobs and returns the ids it still holds. */
export async function extendLeases(
  executor: Executor,
  { worker, holds, leaseMs }: { worker: string; holds: readonly Hold[]; leaseMs: number },
): Promise<string[]> {
  const { rows } = await executor.query(
    `update queue_jobs set lease_until = now() + $4 * interval '1 millisecond'
     from unnest($2::uuid[], $3::integer[]) as held (held_id, held_attempt)
     where id = held_id and attempt = held_attempt and worker = $1 and state = 'running'
     returning id`,
    [worker, holds.map((hold) => hold.id), holds.map((hold) => hold.attempt), leaseMs],
  )
  return rows.map((row) => (row as { id: string }).id)
}

/** running → done. Returns false, without a change, if the worker no longer holds the job. */
export function completeJob(executor: Executor, hold: Hold, result: unknown): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'done', ended_at = now(), lease_until = null, error = null, result = $4::jsonb`,
    [JSON.stringify(result ?? null)],
    `pg_notify('${endedChannel}', id::text), case when serial_key is not null then pg_notify('${readyChannel}', kind) end`,
  )
}

/** running → waiting after a failure, to be retried after a pause, or immediately if only `giveUp` is left. */
export function retryJob(
  executor: Executor,
  hold: Hold,
  { error, pauseMs }: { error: string; pauseMs: number },
): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'waiting', worker = null, lease_until = null, failures = failures + 1, error = $4,
     run_after = case when failures + 1 >= max_attempts then now() else now() + $5 * interval '1 millisecond' end`,
    [error, pauseMs],
    `case when run_after <= now() then pg_notify('${readyChannel}', kind) end`,
  )
}

/** running → waiting without a failure, for a worker that shuts down. */
export function releaseJob(executor: Executor, hold: Hold): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'waiting', worker = null, lease_until = null, run_after = now()`,
    [],
    `pg_notify('${readyChannel}', kind)`,
  )
}

/** running → failed, permanently. */
export function failJob(executor: Executor, hold: Hold): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'failed', ended_at = now(), lease_until = null`,
    [],
    `pg_notify('${endedChannel}', id::text), case when serial_key is not null then pg_notify('${readyChannel}', kind) end`,
  )
}

async function changeHeld(
  executor: Executor,
  hold: Hold,
  change: string,
  values: unknown[],
  notices: string,
): Promise<boolean> {
  const { rows } = await executor.query(
    `with changed as (
       update queue_jobs set ${change}
       where id = $1 and worker = $2 and attempt = $3 and state = 'running'
       returning id, kind, serial_key, run_after
     )
     select ${notices} from changed`,
    [hold.id, hold.worker, hold.attempt, ...values],
  )
  return rows.length > 0
}

/**
 * running → waiting for abandoned jobs: those with an expired lease and, with `own`, those of its owner that its worker
 * does not hold. Counts as a failure. Returns their ids.
 */
export async function reapLost(
  executor: Executor,
  own?: { owner: string; holds: readonly Hold[] },
): Promise<string[]> {
  const { owner = null, holds = [] } = own ?? {}
  const { rows } = await executor.query(
    `with lost as (
       update queue_jobs set state = 'waiting', worker = null, lease_until = null, failures = failures + 1,
         run_after = now(), error = 'The worker that held the job was lost.'
       where id in (
         select id from queue_jobs
         where state = 'running' and (lease_until < now() or (split_part(worker, ':', 1) = $1 and not exists (
           select from unnest($2::uuid[], $3::integer[]) as held (held_id, held_attempt)
           where held_id = id and held_attempt = attempt)))
         for update skip locked
       )
       returning id, kind
     )
     select id, pg_notify('${readyChannel}', kind) from lost`,
    [owner, holds.map((hold) => hold.id), holds.map((hold) => hold.attempt)],
  )
  return rows.map((row) => (row as { id: string }).id)
}

/** Deletes jobs that ended more than `retentionMs` ago. */
export async function purgeEnded(executor: Executor, retentionMs: number): Promise<void> {
  await executor.query(
    `delete from queue_jobs
     where state in ('done', 'failed') and ended_at < now() - $1 * interval '1 millisecond'`,
    [retentionMs],
  )
}

/** State of a job. */
export interface JobState {
  /** UUID of the job. */
  id: string
  /** `waiting` includes jobs that wait for a retry. */
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Result of the handler when done; null otherwise. */
  result: unknown
  /** Message of the last failure; null without one. */
  error: string | null
  /** Number of attempts that failed or were lost with their worker. */
  failures: number
}

/** Returns the state of a job; undefined if the id is unknown or the job was purged. */
export async function findJob(executor: Executor, id: string): Promise<JobState | undefined> {
  const { rows } = await executor.query(
    'select id, state, result, error, failures from queue_jobs where id = $1',
    [id],
  )
  return rows[0] as JobState | undefined
}
