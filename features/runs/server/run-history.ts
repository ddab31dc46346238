import type { Database } from '@headwater/server-kit'
import type { Outcome, StoredStep } from './runs-store.ts'

/** An attempt at a step. */
export interface StoredAttempt {
  /** Position of the step within the run. */
  number: number
  /** Number of the attempt, from 1. */
  attempt: number
  /** Time when the attempt started. */
  startedAt: Date
  /** Time when the attempt ended; undefined if its worker was lost. */
  endedAt: Date | undefined
  /** Result; undefined if its worker was lost. */
  outcome: Outcome | undefined
  /** Message of the result; can be empty. */
  message: string
}

/** A decision of a user about a paused step. */
export interface StoredDecision {
  /** Position of the step within the run. */
  number: number
  /** Time of the decision according to the server. */
  decidedAt: Date
  /** Whether the step started; otherwise it ended with ERROR. */
  isApproved: boolean
  /** User who decided; undefined if the account was deleted. */
  userId: number | undefined
  /** Time of the decision according to the client. */
  approveTime: string | undefined
}

/** Times of a step. */
export interface StepTimes {
  /** Position within the run. */
  number: number
  /** Start of the first attempt; undefined before it. */
  startedAt: Date | undefined
  /** Start of the current attempt; undefined before the first one. */
  attemptAt: Date | undefined
  /** End; undefined until the step is done. */
  endedAt: Date | undefined
}

/** Name and state of a step, with its run. */
export interface StepState extends Pick<StoredStep, 'number' | 'state' | 'outcome' | 'message'> {
  /** Id of the run. */
  runId: string
  /** Id of the task within the pipeline. */
  nodeId: string
  /** Name of the task within the pipeline. */
  name: string
}

/** Reads the history of runs. */
export type RunHistory = ReturnType<typeof createRunHistory>

/** Creates the reader. */
export function createRunHistory({ pool }: Database) {
  return {
    /** Returns times, attempts and decisions of the steps of a run. */
    async detailsOf(
      id: string,
    ): Promise<{ times: StepTimes[]; attempts: StoredAttempt[]; decisions: StoredDecision[] }> {
      const [times, attempts, decisions] = await Promise.all([
        pool.query('select number, started_at, attempt_at, ended_at from run_steps where run_id = $1', [id]),
        pool.query('select * from run_attempts where run_id = $1 order by number, attempt', [id]),
        pool.query('select * from run_decisions where run_id = $1 order by number, decided_at', [id]),
      ])
      return {
        times: (times.rows as TimesRow[]).map(toTimes),
        attempts: (attempts.rows as AttemptRow[]).map(toAttempt),
        decisions: (decisions.rows as DecisionRow[]).map(toDecision),
      }
    },

    /** Returns the steps that queue jobs are executing, by job id. */
    async stepsOfJobs(
      jobs: readonly { id: string; runId: string }[],
    ): Promise<Map<string, { runId: string; runName: string; stepName: string; startedAt: Date }>> {
      const { rows } = await pool.query(
        `select queue_job as id, run_id as "runId", runs.name as "runName", task ->> 'name' as "stepName",
           coalesce(attempt_at, started_at) as "startedAt"
         from run_steps join runs on runs.id = run_id
         where run_id = any($1::uuid[]) and run_steps.state = 'running' and queue_job = any($2::uuid[])`,
        [jobs.map(({ runId }) => runId), jobs.map(({ id }) => id)],
      )
      type Row = { id: string; runId: string; runName: string; stepName: string; startedAt: Date }
      return new Map((rows as Row[]).map(({ id, ...step }) => [id, step]))
    },

    /** Returns the states of the steps of runs. */
    async statesOf(ids: readonly string[]): Promise<StepState[]> {
      const { rows } = await pool.query(
        `select run_id as "runId", number, state, outcome, message, task ->> 'nodeId' as "nodeId", task ->> 'name' as name
         from run_steps where run_id = any($1::uuid[]) order by run_id, number`,
        [ids],
      )
      return (rows as (Omit<StepState, 'outcome'> & { outcome: StepState['outcome'] | null })[]).map(
        (row) => ({
          ...row,
          outcome: row.outcome ?? undefined,
        }),
      )
    },
  }
}

interface TimesRow {
  number: number
  started_at: Date | null
  attempt_at: Date | null
  ended_at: Date | null
}

function toTimes(row: TimesRow): StepTimes {
  return {
    number: row.number,
    startedAt: row.started_at ?? undefined,
    attemptAt: row.attempt_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  }
}

interface AttemptRow {
  number: number
  attempt: number
  started_at: Date
  ended_at: Date | null
  outcome: Outcome | null
  message: string
}

function toAttempt(row: AttemptRow): StoredAttempt {
  return {
    number: row.number,
    attempt: row.attempt,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    message: row.message,
  }
}

interface DecisionRow {
  number: number
  decided_at: Date
  approved: boolean
  user_id: number | null
  approve_time: string | null
}

function toDecision(row: DecisionRow): StoredDecision {
  return {
    number: row.number,
    decidedAt: row.decided_at,
    isApproved: row.approved,
    userId: row.user_id ?? undefined,
    approveTime: row.approve_time ?? undefined,
  }
}
