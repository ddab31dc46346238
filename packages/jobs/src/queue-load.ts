import type { Executor } from './transitions.ts'

/** Numbers of unfinished jobs of one kind. */
export interface KindLoad {
  /** Name of the kind. */
  kind: string
  /** Number of running jobs. */
  running: number
  /** Number of jobs that could start now. */
  waiting: number
  /** Number of jobs that are not due yet, including scheduled retries. */
  delayed: number
  /** Time in milliseconds for which the oldest waiting job has been ready to start; 0 if no job is waiting. */
  longestWaitMs: number
}

/** A running job. */
export interface HeldJob {
  /** UUID of the job. */
  id: string
  /** Name of its kind. */
  kind: string
  /** Input of its handler. */
  payload: unknown
  /** Owner of the queue that runs the job, see `JobQueueOptions.owner`. */
  owner: string
}

/** The waiting and running jobs of a queue, in all processes. */
export interface QueueLoad {
  /** Unfinished jobs by kind; kinds without unfinished jobs are absent. */
  kinds: KindLoad[]
  /** The running jobs, longest waiting time first. At most 1000. */
  running: HeldJob[]
}

const maxRunning = 1000

/** Reads the waiting and running jobs. Jobs that have become due since the last claim count as waiting. */
export async function readLoad(executor: Executor): Promise<QueueLoad> {
  const [kinds, running] = await Promise.all([
    executor.query(
      `with own as (
         select kind, state = 'running' as runs, state <> 'running' and run_after <= now() as waits,
           greatest(run_after, created_at) as due
         from queue_jobs where state in ('delayed', 'waiting', 'running'))
       select kind, count(*) filter (where runs)::integer as running, count(*) filter (where waits)::integer as waiting,
         count(*) filter (where not runs and not waits)::integer as delayed,
         coalesce(extract(epoch from now() - min(due) filter (where waits)) * 1000, 0)::float as "longestWaitMs"
       from own group by kind order by kind`,
      [],
    ),
    executor.query(
      `select id, kind, payload, regexp_replace(worker, ':[^:]*$', '') as owner from queue_jobs
       where state = 'running' order by seq limit $1`,
      [maxRunning],
    ),
  ])
  return { kinds: kinds.rows as KindLoad[], running: running.rows as HeldJob[] }
}
