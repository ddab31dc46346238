import { formatUtcSeconds, type Executor } from '@headwater/server-kit'
import type { Backfill } from '../../contract/index.ts'
import type { BackfillDate } from './backfill-dates.ts'

/** A stored backfill. */
export interface StoredBackfill extends Backfill {
  /** Id of the pipeline. */
  pipelineId: string
  /** Id of the user who started it. */
  userId: number
}

/** A date of a stored backfill, with its run. */
export interface StoredDate extends BackfillDate {
  /** Job of its run; null before the start. */
  jobId: string | null
  /** Result of its run; null before the end. */
  status: 'INFO' | 'WARN' | 'ERROR' | null
}

/** Store of backfills in PostgreSQL. */
export type BackfillsStore = ReturnType<typeof createBackfillsStore>

const selectBackfills = `select own.id, own.pipeline_id, own.pipeline_version, own.user_id, starter.user_name, own.state, own.message,
    own.created_at, own.ended_at, own.max_parallel, min(run_date)::text as first_date,
    max(run_date)::text as last_date, count(*) filter (where reason is null)::integer as total,
    count(job_id)::integer as started, count(outcome)::integer as ended,
    count(*) filter (where outcome = 'ERROR')::integer as failed,
    count(*) filter (where outcome = 'WARN')::integer as warned
  from pipeline_backfills own join user_names starter on starter.id = own.user_id
  join pipeline_backfill_dates dates on dates.backfill_id = own.id`

interface BackfillRow {
  id: string
  pipeline_id: string
  pipeline_version: number
  user_id: number
  user_name: string
  state: Backfill['state']
  message: string
  created_at: Date
  ended_at: Date | null
  max_parallel: number
  first_date: string
  last_date: string
  total: number
  started: number
  ended: number
  failed: number
  warned: number
}

/** Creates the store. Methods with an executor run in its transaction. */
export function createBackfillsStore(pool: Executor) {
  return {
    /** Stores a backfill and puts its first job into the queue; undefined if one of the pipeline is running. */
    async add({
      pipelineId,
      version,
      userId,
      maxParallel,
      dates,
      at,
    }: {
      pipelineId: string
      version: number
      userId: number
      maxParallel: number
      dates: readonly BackfillDate[]
      at: Date
    }): Promise<string | undefined> {
      const { rows } = await pool.query(
        `with added as (
           insert into pipeline_backfills (pipeline_id, pipeline_version, user_id, max_parallel, created_at)
           values ($1, $2, $3, $4, $5) on conflict (pipeline_id) where state = 'RUNNING' do nothing returning id
         ), dates as (
           insert into pipeline_backfill_dates (backfill_id, position, run_date, reason)
           select added.id, position, run_date, reason
           from added, unnest($6::date[], $7::text[]) with ordinality as given (run_date, reason, position)
         )
         select id, enqueue_queue_jobs(jsonb_build_array(jsonb_build_object('kind', 'continue-backfill', 'fairKey', $3::text,
           'payload', jsonb_build_object('backfillId', id)))) from added`,
        [
          pipelineId,
          version,
          userId,
          maxParallel,
          at,
          dates.map(({ date }) => date),
          dates.map(({ reason }) => reason),
        ],
      )
      return (rows[0] as { id: string } | undefined)?.id
    },

    /** Returns the last 50 backfills of a pipeline, newest first. */
    async list(pipelineId: string): Promise<StoredBackfill[]> {
      const { rows } = await pool.query(
        `${selectBackfills} where own.pipeline_id = $1 group by own.id, starter.user_name order by own.created_at desc limit 50`,
        [pipelineId],
      )
      return (rows as BackfillRow[]).map(toBackfill)
    },

    /** Returns a backfill. */
    async find(id: string): Promise<StoredBackfill | undefined> {
      const { rows } = await pool.query(
        `${selectBackfills} where own.id = $1 group by own.id, starter.user_name`,
        [id],
      )
      const row = rows[0] as BackfillRow | undefined
      return row && toBackfill(row)
    },

    /** Returns the dates of a backfill in the order of their runs. */
    async dates(id: string): Promise<StoredDate[]> {
      const { rows } = await pool.query(
        `select run_date::text as date, reason, job_id as "jobId", outcome as status from pipeline_backfill_dates
         where backfill_id = $1 order by position`,
        [id],
      )
      return rows as StoredDate[]
    },

    /** Returns the dates for which a run of a backfill of the pipeline succeeded. */
    async doneDates(pipelineId: string): Promise<Set<string>> {
      const { rows } = await pool.query(
        `select distinct run_date::text as date from pipeline_backfill_dates dates
         join pipeline_backfills own on own.id = dates.backfill_id where own.pipeline_id = $1 and outcome = 'INFO'`,
        [pipelineId],
      )
      return new Set((rows as { date: string }[]).map(({ date }) => date))
    },

    /**
     * Records the run of a date; returns false if the backfill no longer runs, has enough runs in progress, or if the
     * date has a run. Runs in the transaction that starts the run.
     */
    async recordRun(id: string, date: string, jobId: string, executor: Executor): Promise<boolean> {
      await executor.query('select from pipeline_backfills where id = $1 for update', [id])
      const { rows } = await executor.query(
        `update pipeline_backfill_dates dates set job_id = $3 from pipeline_backfills own
         where own.id = $1 and backfill_id = $1 and run_date = $2::date and job_id is null and own.state = 'RUNNING'
           and own.max_parallel > (
             select count(*) from pipeline_backfill_dates where backfill_id = $1 and job_id is not null and outcome is null)
         returning 1`,
        [id, date, jobId],
      )
      return rows.length > 0
    },

    /** Ends a running backfill and returns the jobs of its runs in progress. */
    async end(
      id: string,
      state: Exclude<Backfill['state'], 'RUNNING'>,
      { message = '', at }: { message?: string; at: Date },
      executor: Executor = pool,
    ): Promise<string[]> {
      const { rows } = await executor.query(
        `with ended as (
           update pipeline_backfills set state = $2, message = $3, ended_at = $4
           where id = $1 and state = 'RUNNING' returning id)
         select job_id as id from pipeline_backfill_dates, ended
         where backfill_id = ended.id and job_id is not null and outcome is null`,
        [id, state, message, at],
      )
      return (rows as { id: string }[]).map(({ id: jobId }) => jobId)
    },
  }
}

function toBackfill(row: BackfillRow): StoredBackfill {
  return {
    id: row.id,
    pipelineId: row.pipeline_id,
    version: row.pipeline_version,
    userId: row.user_id,
    userName: row.user_name,
    state: row.state,
    message: row.message,
    createdAt: formatUtcSeconds(row.created_at),
    endedAt: row.ended_at === null ? null : formatUtcSeconds(row.ended_at),
    maxParallel: row.max_parallel,
    from: row.first_date,
    to: row.last_date,
    total: row.total,
    started: row.started,
    ended: row.ended,
    failed: row.failed,
    warned: row.warned,
  }
}
