import type { Executor } from '@headwater/server-kit'

/** Target of limits: a pipeline, or all pipelines of a group. */
export type LimitTarget = { pipelineId: string } | { groupId: number }

/** Limits of runs. */
export interface RunLimits {
  /** Maximum number of runs in progress at the same time; null means no limit. */
  maxRuns: number | null
  /** Priority of the pipeline's runs; 0 for a group, because groups have no priority. */
  priority: number
}

/** Store of the limits of runs in PostgreSQL. */
export type LimitsStore = ReturnType<typeof createLimitsStore>

/** Creates the store. */
export function createLimitsStore(pool: Executor) {
  return {
    /** Returns the limits of a pipeline or group. */
    async limits(target: LimitTarget): Promise<RunLimits> {
      const { rows } =
        'pipelineId' in target
          ? await pool.query(
              'select max_runs as "maxRuns", priority from pipeline_run_limits where pipeline_id = $1',
              [target.pipelineId],
            )
          : await pool.query(
              'select max_runs as "maxRuns", 0 as priority from group_run_limits where group_id = $1',
              [target.groupId],
            )
      return (rows[0] as RunLimits | undefined) ?? { maxRuns: null, priority: 0 }
    },

    /**
     * Sets the limits of a pipeline or group. Held runs that the new limits allow start immediately; runs in progress continue.
     */
    async setLimits(target: LimitTarget, { maxRuns, priority }: RunLimits): Promise<void> {
      if ('pipelineId' in target)
        await pool.query(
          `with changed as (
             insert into pipeline_run_limits (pipeline_id, max_runs, priority) values ($1, $2, $3)
             on conflict (pipeline_id) do update set max_runs = excluded.max_runs, priority = excluded.priority returning 1)
           select enqueue_admission() from changed`,
          [target.pipelineId, maxRuns, priority],
        )
      else if (maxRuns === null)
        await pool.query(
          `with changed as (delete from group_run_limits where group_id = $1 returning 1)
           select enqueue_admission() from changed`,
          [target.groupId],
        )
      else
        await pool.query(
          `with changed as (
             insert into group_run_limits (group_id, max_runs) values ($1, $2)
             on conflict (group_id) do update set max_runs = excluded.max_runs returning 1)
           select enqueue_admission() from changed`,
          [target.groupId, maxRuns],
        )
    },

    /** Starts the held runs that the limits allow and returns the number of runs that remain held. */
    async admit(at: Date, executor: Executor = pool): Promise<number> {
      const { rows } = await executor.query('select admit_runs($1) as held', [at])
      return (rows[0] as { held: number }).held
    },
  }
}
