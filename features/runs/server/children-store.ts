import type { Executor } from '@headwater/server-kit'
import type { Outcome } from './runs-store.ts'
import { toStorable } from './storable-text.ts'

/** Step that starts child runs. */
export interface ParentStep {
  /** Id of the run that the step belongs to. */
  runId: string
  /** Position within its run. */
  number: number
}

/** Counts of the child runs of a step. */
export interface ChildrenTally {
  /** Number of runs that the step starts in total; 0 before they are planned. */
  total: number
  /** Number of runs that have started but not ended. */
  open: number
  /** Number of runs that have ended, by result. */
  ended: Record<Outcome, number>
  /** The first run that ended with ERROR; if there is none, the first that ended with WARN. */
  failed: ChildRun | undefined
}

/** A child run: a run that a step starts. */
export interface ChildRun {
  /** Position among the child runs of the step, from 1. */
  position: number
  /** Value that the run receives. */
  value: string
  /** Job id of the run; undefined until it starts. */
  jobId: string | undefined
  /** Result; undefined until it has ended. */
  outcome: Outcome | undefined
  /** Message of the result; can be empty. */
  message: string
}

/** A direct or indirect parent run. Lists begin with the direct parent. */
export interface AncestorRun {
  /** Id of the run. */
  id: string
  /** Id of the pipeline; undefined for a single task. */
  pipelineId: string | undefined
  /** Version of the pipeline; undefined for a single task. */
  pipelineVersion: number | undefined
  /** Name of the pipeline or task. */
  name: string
  /** Trigger of the run. */
  trigger: string
}

/** Store of child runs. */
export type ChildrenStore = ReturnType<typeof createChildrenStore>

/** Creates the store. */
export function createChildrenStore(pool: Executor) {
  const find = async (where: string, values: unknown[]): Promise<ChildRun[]> => {
    const { rows } = await pool.query(
      `select position, value, child_id as "jobId", outcome, message from run_children
       where run_id = $1 and number = $2 ${where}`,
      values,
    )
    return (rows as ChildRow[]).map((row) => ({
      ...row,
      jobId: row.jobId ?? undefined,
      outcome: row.outcome ?? undefined,
    }))
  }
  return {
    /**
     * Stores the values of the child runs of a step and the number of its failures so far, unless they are already stored.
     */
    async plan({ runId, number }: ParentStep, values: readonly string[], failures: number): Promise<void> {
      await pool.query(
        `insert into run_children (run_id, number, position, value, failures)
         select $1, $2, position, value, $4 from unnest($3::text[]) with ordinality as given (value, position)
         on conflict do nothing`,
        [runId, number, values.map(toStorable), failures],
      )
    },

    /** Plans failed child runs again if they failed before the step reached this number of failures. */
    async resetFailed({ runId, number }: ParentStep, failures: number): Promise<void> {
      await pool.query(
        `update run_children set failures = $3, outcome = null, message = '',
           child_id = case when outcome is null then child_id end
         where run_id = $1 and number = $2 and outcome is distinct from 'INFO' and failures < $3`,
        [runId, number, failures],
      )
    },

    /** Returns the counts of the child runs of a step. */
    async tally({ runId, number }: ParentStep): Promise<ChildrenTally> {
      const { rows } = await pool.query(
        `select count(*)::integer as total, count(*) filter (where child_id is not null and outcome is null)::integer as open,
           count(*) filter (where outcome = 'INFO')::integer as info, count(*) filter (where outcome = 'WARN')::integer as warn,
           count(*) filter (where outcome = 'ERROR')::integer as error
         from run_children where run_id = $1 and number = $2`,
        [runId, number],
      )
      const { total, open, info, warn, error } = rows[0] as Record<string, number>
      const [failed] =
        warn! + error! === 0
          ? []
          : await find(`and outcome <> 'INFO' order by outcome <> 'ERROR', position limit 1`, [runId, number])
      return { total: total!, open: open!, ended: { INFO: info!, WARN: warn!, ERROR: error! }, failed }
    },

    /** Returns the next child runs of a step that have not started. */
    next: ({ runId, number }: ParentStep, count: number): Promise<ChildRun[]> =>
      find('and child_id is null and outcome is null order by position limit $3', [runId, number, count]),

    /** Returns the first failed child runs of a step. */
    failed: ({ runId, number }: ParentStep, count: number): Promise<ChildRun[]> =>
      find(`and outcome <> 'INFO' order by position limit $3`, [runId, number, count]),

    /** Returns the first child run of a step. */
    first: async ({ runId, number }: ParentStep): Promise<ChildRun | undefined> =>
      (await find('and position = 1', [runId, number]))[0],

    /** Marks a child run that cannot start as ended with ERROR. */
    async refuse({ runId, number }: ParentStep, position: number, message: string): Promise<void> {
      await pool.query(
        `update run_children set outcome = 'ERROR', message = $4
         where run_id = $1 and number = $2 and position = $3 and child_id is null`,
        [runId, number, position, toStorable(message)],
      )
    },

    /** Links a run that is starting to its parent step. Returns false if the step must no longer start it. */
    async adopt(
      { runId, number, position }: ParentStep & { position: number },
      childId: string,
      executor: Executor,
    ): Promise<boolean> {
      const { rows } = await executor.query('select adopt_run($1, $2, $3, $4) as adopted', [
        runId,
        number,
        position,
        childId,
      ])
      return (rows[0] as { adopted: boolean }).adopted
    },

    /**
     * Makes a step wait for its child runs without holding a queue job. With `wakeAt`, the step continues at this time at
     * the latest. Returns false if a newer attempt has replaced this one.
     */
    async await(
      { runId, number, attempt }: ParentStep & { attempt: number },
      { seen, message, wakeAt }: { seen: number; message: string; wakeAt?: Date | undefined },
      at: Date,
    ): Promise<boolean> {
      const { rows } = await pool.query('select await_run_step($1, $2, $3, $4, $5, $6, $7) as held', [
        runId,
        number,
        attempt,
        seen,
        message,
        wakeAt ?? null,
        at,
      ])
      return (rows[0] as { held: boolean }).held
    },

    /** Returns a run and its parent runs. */
    async ancestors(runId: string): Promise<AncestorRun[]> {
      const { rows } = await pool.query(
        `with recursive above as (
           select *, 0 as distance from runs where id = $1
           union all
           select run.*, distance + 1 from runs run join above on run.id = above.parent_run_id where distance < 20
         ) select id, pipeline_id as "pipelineId", pipeline_version as "pipelineVersion", name, trigger from above order by distance`,
        [runId],
      )
      return (rows as (Omit<AncestorRun, 'pipelineId' | 'pipelineVersion'> & AncestorRow)[]).map((row) => ({
        ...row,
        pipelineId: row.pipelineId ?? undefined,
        pipelineVersion: row.pipelineVersion ?? undefined,
      }))
    },
  }
}

interface ChildRow extends Omit<ChildRun, 'jobId' | 'outcome'> {
  jobId: string | null
  outcome: Outcome | null
}

interface AncestorRow {
  pipelineId: string | null
  pipelineVersion: number | null
}
