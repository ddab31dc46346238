/** Something that runs SQL: a pool, a connection, or a transaction of the caller. */
export interface Executor {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/** Channel on which the kind of each job that can be run at once is told. */
export const readyChannel = 'queue_ready'
/** Channel on which the id of each job that has ended is told. */
export const endedChannel = 'queue_ended'

/** A job as a worker holds it: `worker` and `attempt` together prove that it still does. */
export interface ClaimedJob {
  id: string
  kind: string
  payload: unknown
  /** Number of this try, counted from 1; grows with every claim. */
  attempt: number
  /** How often it failed or was lost with its worker. */
  failures: number
  maxAttempts: number
  error: string | null
}

/** The proof that a job is held. */
export interface Hold {
  id: string
  worker: string
  attempt: number
}

/** → waiting. A waiting job with the same unique key stays as it is and its id is answered. */
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

/** waiting → gone, for the job with this unique key. A claim takes the key away, so that a job once begun is never met. */
export async function withdrawJob(executor: Executor, uniqueKey: string): Promise<boolean> {
  const { rows } = await executor.query(
    `delete from queue_jobs where state = 'waiting' and unique_key = $1 returning id`,
    [uniqueKey],
  )
  return rows.length > 0
}

/**
 * waiting → running, for up to `limit` jobs, the oldest first. Of the jobs that share a serial key only the oldest one that
 * has not ended can be claimed. Rows that another worker is just claiming are passed over.
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

/** Prolongs the leases of the jobs a worker holds and answers with the ids it still holds. */
export async function prolongLeases(
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

/** running → done. False when the job is not held any more; then nothing changes. */
export function completeJob(executor: Executor, hold: Hold, result: unknown): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'done', ended_at = now(), lease_until = null, error = null, result = $4::jsonb`,
    [JSON.stringify(result ?? null)],
    `pg_notify('${endedChannel}', id::text), case when serial_key is not null then pg_notify('${readyChannel}', kind) end`,
  )
}

/** running → waiting after a failure, to be tried again after a pause; at once when only giving up is left. */
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

/** running → waiting without a failure: the worker stops in order and hands the job back. */
export function releaseJob(executor: Executor, hold: Hold): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = 'waiting', worker = null, lease_until = null, run_after = now()`,
    [],
    `pg_notify('${readyChannel}', kind)`,
  )
}

/** running → failed, for ever. */
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
 * running → waiting for jobs that nobody works on any more: those whose lease ran out and, with `own`, those of its owner that
 * its worker does not hold. Counts as a failure. Returns their ids.
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

/** Forgets jobs that ended longer ago than `keepMs`. */
export async function purgeEnded(executor: Executor, keepMs: number): Promise<void> {
  await executor.query(
    `delete from queue_jobs
     where state in ('done', 'failed') and ended_at < now() - $1 * interval '1 millisecond'`,
    [keepMs],
  )
}

/** The state of a job. */
export interface JobState {
  id: string
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** What the handler answered with, when done; else null. */
  result: unknown
  /** The last failure; null when there was none. */
  error: string | null
  failures: number
}

/** The state of a job; undefined when there is none with this id, or none any more. */
export async function findJob(executor: Executor, id: string): Promise<JobState | undefined> {
  const { rows } = await executor.query(
    'select id, state, result, error, failures from queue_jobs where id = $1',
    [id],
  )
  return rows[0] as JobState | undefined
}
