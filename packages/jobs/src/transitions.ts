/** Anything that runs SQL: a pool, a connection, or a transaction of the caller. */
export interface Executor {
  /** Runs one statement with positional parameters. */
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/** Channel on which the kind of each ready job is announced. */
export const readyChannel = 'queue_ready'
/** Channel on which the id of each finished job is announced. */
export const endedChannel = 'queue_ended'

/** A job that a worker has claimed. `worker` and `attempt` together identify the lease. */
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
  /** Maximum number of attempts before the job counts as failed. */
  maxAttempts: number
  /** Message of the last failure; null if there is none. */
  error: string | null
}

/** A worker's claim on a job. */
export interface Hold {
  /** UUID of the job. */
  id: string
  /** Unique name of the worker. */
  worker: string
  /** Number of the attempt. */
  attempt: number
}

/**
 * → waiting, or delayed until the job can start. If a waiting or delayed job has the same unique key, returns its id and
 * changes nothing.
 */
export async function enqueueJob(
  executor: Executor,
  job: {
    kind: string
    payload: unknown
    runAfter: Date | null
    uniqueKey: string | null
    serialKey: string | null
    fairKey: string
    maxAttempts: number
  },
): Promise<string> {
  const { rows } = await executor.query(
    `with job as (
       insert into queue_jobs (kind, payload, state, run_after, unique_key, serial_key, fair_key, max_attempts)
       values ($1, $2::jsonb, case when $3::timestamptz > now() then 'delayed' else 'waiting' end,
         coalesce($3::timestamptz, now()), $4, $5, $6, $7)
       on conflict (unique_key) where state in ('delayed', 'waiting') do update set unique_key = excluded.unique_key
       returning id, kind, state
     )
     select id, case when state = 'waiting' then pg_notify('${readyChannel}', kind) end from job`,
    [
      job.kind,
      storableJson(job.payload),
      job.runAfter,
      job.uniqueKey,
      job.serialKey,
      job.fairKey,
      job.maxAttempts,
    ],
  )
  return (rows[0] as { id: string }).id
}

/**
 * delayed or waiting → deleted, for the job with this unique key. A claim clears the key, so that jobs that have
 * started never match.
 */
export async function withdrawJob(executor: Executor, uniqueKey: string): Promise<boolean> {
  const { rows } = await executor.query(
    `delete from queue_jobs where state in ('delayed', 'waiting') and unique_key = $1 returning id`,
    [uniqueKey],
  )
  return rows.length > 0
}

/**
 * Returns a value as JSON that PostgreSQL can store: without NUL characters, and with replacements for unpaired
 * surrogates.
 */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll('\u0000', '').toWellFormed() : inner,
  )
}

/** A claim of a worker. */
export interface Claim {
  /** Unique name of the worker. */
  worker: string
  /** Kinds of jobs that the lane runs. */
  kinds: readonly string[]
  /** Maximum number of jobs. */
  limit: number
  /** Lease in milliseconds. */
  leaseMs: number
  /** Whether the last of `limit` jobs is reserved for a fair key with no running job on this worker. Default false. */
  reserve?: boolean
}

/** waiting → running, for up to `limit` jobs. The SQL function in the migration documents the order. */
export async function claimJobs(executor: Executor, claim: Claim): Promise<ClaimedJob[]> {
  const { rows } = await executor.query(
    `select id, kind, payload, attempt, failures, max_attempts as "maxAttempts", error
     from claim_queue_jobs($1, $2::text[], $3, $4 * interval '1 millisecond', $5)`,
    [claim.worker, claim.kinds, claim.limit, claim.leaseMs, claim.reserve ?? false],
  )
  return rows as ClaimedJob[]
}

/** Statements that change several jobs lock them in the same order, which prevents deadlocks. */
const lockInOrder = 'locked as (select id from queue_jobs where id = any($2::uuid[]) order by id for update)'

/** Extends the leases of a worker's jobs and returns the ids of those that the worker still holds. */
export async function extendLeases(
  executor: Executor,
  { worker, holds, leaseMs }: { worker: string; holds: readonly Hold[]; leaseMs: number },
): Promise<string[]> {
  const { rows } = await executor.query(
    `with ${lockInOrder}
     update queue_jobs set lease_until = now() + $4 * interval '1 millisecond'
     from unnest($2::uuid[], $3::integer[]) as held (held_id, held_attempt)
     where held_id in (select id from locked) and id = held_id and attempt = held_attempt and worker = $1 and state = 'running'
     returning id`,
    [worker, holds.map((hold) => hold.id), holds.map((hold) => hold.attempt), leaseMs],
  )
  return rows.map((row) => (row as { id: string }).id)
}

/** A job that a worker completes, with its JSON-serialisable result. */
export interface Completion {
  /** The lease under which the worker ran the job. */
  hold: Hold
  /** Result of the job; undefined is stored as null. */
  result: unknown
}

/** Maximum number of completions per statement, chosen so that their ids fit into one notification. */
export const maxCompletions = 200

/** running → done, for up to {@link maxCompletions} jobs of one worker. Returns the ids of those that the worker still held. */
export async function completeJobs(
  executor: Executor,
  worker: string,
  completions: readonly Completion[],
): Promise<Set<string>> {
  const { rows } = await executor.query(
    'select complete_queue_jobs($1, $2::uuid[], $3::integer[], $4::jsonb[]) as ids',
    [
      worker,
      completions.map(({ hold }) => hold.id),
      completions.map(({ hold }) => hold.attempt),
      completions.map(({ result }) => storableJson(result ?? null)),
    ],
  )
  return new Set((rows[0] as { ids: string[] }).ids)
}

/** running → done. Returns false and changes nothing if the worker no longer holds the job. */
export async function completeJob(executor: Executor, hold: Hold, result: unknown): Promise<boolean> {
  return (await completeJobs(executor, hold.worker, [{ hold, result }])).has(hold.id)
}

/** running → delayed after a failure, for a retry; or → waiting if only `giveUp` remains to be called. */
export function retryJob(
  executor: Executor,
  hold: Hold,
  { error, pauseMs }: { error: string; pauseMs: number },
): Promise<boolean> {
  return changeHeld(
    executor,
    hold,
    `state = case when failures + 1 >= max_attempts or $5 <= 0 then 'waiting' else 'delayed' end,
     worker = null, lease_until = null, failures = failures + 1, error = $4,
     run_after = case when failures + 1 >= max_attempts then now() else now() + $5 * interval '1 millisecond' end`,
    [error, pauseMs],
    `case when state = 'waiting' then pg_notify('${readyChannel}', kind) end`,
  )
}

/** running → waiting without a failure, for a worker that is shutting down. */
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
       returning id, kind, serial_key, state
     )
     select ${notices} from changed`,
    [hold.id, hold.worker, hold.attempt, ...values],
  )
  return rows.length > 0
}

/**
 * running → waiting for abandoned jobs: jobs with an expired lease and, with `own`, jobs of this owner. Jobs that the
 * calling worker still holds are excluded: it was stalled for longer than the lease and now renews it. The lost attempt
 * counts as a failure. Returns the job ids.
 */
export async function reapLost(
  executor: Executor,
  own?: { owner: string; worker: string; holds: readonly Hold[] },
): Promise<string[]> {
  const { owner = null, worker = null, holds = [] } = own ?? {}
  const { rows } = await executor.query(
    `with lost as (
       update queue_jobs set state = 'waiting', worker = null, lease_until = null, failures = failures + 1,
         run_after = now(), error = 'The worker that held the job was lost.'
       where id in (
         select id from queue_jobs
         where state = 'running' and (lease_until < now() or split_part(worker, ':', 1) = $1) and not exists (
           select from unnest($3::uuid[], $4::integer[]) as held (held_id, held_attempt)
           where held_id = id and held_attempt = attempt and worker = $2)
         for update skip locked
       )
       returning id, kind
     )
     select id, pg_notify('${readyChannel}', kind) from lost`,
    [owner, worker, holds.map((hold) => hold.id), holds.map((hold) => hold.attempt)],
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
  /** `waiting` includes jobs that cannot start yet, such as scheduled retries. */
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** Result of the handler when done; null otherwise. */
  result: unknown
  /** Message of the last failure; null if there is none. */
  error: string | null
  /** Number of attempts that failed or were lost with their worker. */
  failures: number
}

/** Returns the state of a job; undefined if the id is unknown or the job was purged. */
export async function findJob(executor: Executor, id: string): Promise<JobState | undefined> {
  const { rows } = await executor.query(
    `select id, case state when 'delayed' then 'waiting' else state end as state, result, error, failures
     from queue_jobs where id = $1`,
    [id],
  )
  return rows[0] as JobState | undefined
}
