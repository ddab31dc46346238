import { createBatches } from '@headwater/jobs'
import { inTransaction, type Database, type Executor } from '@headwater/server-kit'
import type { RetryRules, StepPackages } from '../contract/index.ts'
import { isAttemptRunning } from './attempts-store.ts'
import type { NamedSecret } from './step-kinds.ts'
import { stepRows } from './step-rows.ts'
import { beginSteps, type BegunJob, type StartRow, type StepBegin, toStartedStep } from './begin-steps.ts'

/** Kinds of jobs that execute steps: user code, and steps that the server executes itself. */
export const stepJobKinds = { userCode: 'run-user-code', builtIn: 'run-built-in' } as const
/** Kind of job that executes steps. */
export type StepJobKind = (typeof stepJobKinds)[keyof typeof stepJobKinds]

/** How a run proceeds after a step that ends with WARN or ERROR. */
export type AfterFailure = 'stop' | 'skip' | 'continue'

/** Task of a step, as it was when the run started. */
export interface StepTask extends RetryRules {
  /** Id of the task within the pipeline. */
  nodeId: string
  /** Name of the task within the pipeline. */
  name: string
  /** Name of the saved task. */
  taskName: string
  /** Id of the saved task; undefined for a built-in one, and in runs of older versions of this server. */
  taskId?: string | undefined
  /** Name of the kind of task. */
  definitionName: string
  /** Values of the inputs by name, with unresolved references. */
  inputs: Record<string, string>
  /** Names of the inputs with expressions as values. Default: none. */
  expressions?: readonly string[]
  /** Secrets that inputs refer to, by input name. Default: none. */
  secretInputs?: Record<string, NamedSecret>
  /** References to the outputs, by output name. */
  outputs: Record<string, string>
  /** Names of the outputs that no later step uses; only for user code. Default: none. */
  unusedOutputs?: readonly string[]
  /** Python packages of the task. Default: none. */
  packages?: StepPackages
  /** Memory limit, in MiB. */
  memory: number
  /** Timeout, in seconds. */
  timeout: number
  /** Whether the run pauses before the step. */
  isPaused: boolean
  /** Whether its result can be written in one transaction with the results of adjacent steps. Default false. */
  isFused?: boolean
  /**
   * Handling of WARN and ERROR: `stop` ends the run, `skip` skips the steps after this one, `continue` executes them.
   * Default `stop`.
   */
  onError?: AfterFailure
}

/** A step of a run that has not started. */
export interface PlannedStep {
  /** Position within the run, from 1. */
  number: number
  /** Id of the execution in statuses. */
  eId: string
  /** The task to execute. */
  task: StepTask
  /** Kind of the job that executes it. */
  jobKind: StepJobKind
  /** Numbers of the steps that must end first. */
  after: readonly number[]
  /**
   * Branches that lead to this step, by number of the previous step. If such a branch is skipped, so is this step.
   * Default: every branch leads here.
   */
  branches?: Readonly<Record<number, string | undefined>> | undefined
  /** Numbers of the previous steps that provide its inputs. If one of them is skipped, so is this step. Default: none. */
  needs?: readonly number[] | undefined
  /**
   * Result of an earlier run, which is used instead of executing the step. Without a branch, the steps of all branches follow.
   * Default: none.
   */
  ended?: Pick<StepEnd, 'outcome' | 'message' | 'branch'>
}

/** State of a run. `waiting`: no step has begun. `paused`: a user must continue it. */
export type RunState = 'waiting' | 'running' | 'paused' | 'ended'
/** Result of a run or step. */
export type Outcome = 'INFO' | 'WARN' | 'ERROR'

/** A run. */
export interface StoredRun {
  /** Id of its job. */
  id: string
  /** Id of the pipeline; undefined for a single task. */
  pipelineId: string | undefined
  /** Version of the pipeline; undefined for a single task and for runs started by older versions of this server. */
  pipelineVersion: number | undefined
  /** Name of the pipeline or task. */
  name: string
  /**
   * Group of the run. Users who can read the group can see the run. If undefined, only the user who started the run can see
   * it.
   */
  groupId: number | undefined
  /** Group of the pipeline or task; empty if it is built in. */
  groupName: string
  /** User who started the run. */
  userId: number
  /** Current state. */
  state: RunState
  /** Result; undefined until the run has ended. */
  outcome: Outcome | undefined
}

/** A step of a run. */
export interface StoredStep {
  /** Position within the run, from 1. */
  number: number
  /** Id of the execution in statuses. */
  eId: string
  /** The task to execute. */
  task: StepTask
  /** Kind of the job that executes it. */
  jobKind: StepJobKind
  /** Numbers of the next steps. */
  children: readonly number[]
  /** Next steps to which only one branch leads: their numbers by branch. */
  branches: Readonly<Record<string, readonly number[]>>
  /** Branch that its result selected. */
  branch: string | undefined
  /** Numbers of the previous steps that provide its inputs. */
  needs: readonly number[]
  /** Whether a branch skipped it. */
  isLeftOut: boolean
  /** State of the execution. `awaiting`: it waits for child runs. */
  state: 'waiting' | 'ready' | 'running' | 'awaiting' | 'paused' | 'done'
  /** Result; undefined until the step is done. UNEXECUTED: it was skipped. */
  outcome: Outcome | 'UNEXECUTED' | undefined
  /** Message of the result; can be empty. */
  message: string
  /** Number of the latest attempt; 0 before the first one. */
  attempt: number
}

/** A step that an attempt has just begun to execute. */
export interface StartedStep {
  /** Id of the run. */
  runId: string
  /** Position within the run. */
  number: number
  /** Id of the execution in statuses. */
  eId: string
  /** The task to execute. */
  task: StepTask
  /** Number of this attempt, from 1. */
  attempt: number
  /** Number of earlier attempts that ended with ERROR. */
  failures: number
  /** Whether the worker of the previous attempt was lost. */
  isRestart: boolean
  /** Whether a stop of the run was requested. If so, the step must end. */
  stopRequested: boolean
  /** Message of the step from before this attempt. */
  lastMessage: string
  /** Id of the pipeline; undefined for a single task. */
  pipelineId: string | undefined
  /** Name of the pipeline or task. */
  runName: string
  /** Group of the pipeline or task; empty if it is built in. */
  groupName: string
  /** User who started the run. The step has the access of this user. */
  userId: number
  /** Values that the inputs refer to. */
  values: Record<string, string>
  /** Next steps that the same worker executes before it writes the results. Empty if there are none. */
  chain: readonly ChainStep[]
  /** Values of earlier steps of the chain, which are not yet stored. */
  unwritten: Readonly<Record<string, string>>
}

/** A step of a chain other than the first. */
export interface ChainStep extends Pick<StartedStep, 'number' | 'eId' | 'task'> {
  /** Number of its latest attempt; 0 before the first one. */
  attempt: number
}

/** The end of one attempt in a chain. */
export interface ChainEnd extends StepEnd {
  /** Id of the execution in statuses. */
  eId: string
  /** Start of the attempt. */
  startedAt: Date
  /** End of the attempt. */
  endedAt: Date
}

/** The end of an attempt. */
export interface StepEnd {
  /** Id of the run. */
  runId: string
  /** Position within the run. */
  number: number
  /** Number of the attempt that ends. A newer attempt is not affected. */
  attempt: number
  /** Result. */
  outcome: Outcome
  /** Message for users; can be empty. */
  message: string
  /** Output values by reference. */
  values: Record<string, string>
  /**
   * Branch with which the run continues; the steps of other branches are skipped. Default: none, so the steps of all branches
   * are skipped.
   */
  branch?: string | undefined
  /** Executes the step again at this time instead of ending it. Default: the step ends. */
  retryAt?: Date
  /** Message shown until the retry. */
  retryMessage?: string
  /** Kind of the next step to begin in the same job, without the queue. Default: none. */
  nextKind?: StepJobKind
  /** Job of the queue that continues with the next step. */
  queueJob?: string
  /** Worker of the next step. */
  worker?: string
}

/** A run to start. */
export interface NewRun extends Omit<StoredRun, 'state' | 'outcome'> {
  /** Trigger, for the history. */
  trigger: string
  /** Earlier run that this run repeats. */
  repeats?: string | undefined
  /** Step that starts the run. Default: none; a user or a trigger starts it. */
  parent?: { runId: string; number: number } | undefined
  /**
   * Priority among the runs of its user and its pipeline. Default: the priority of the parent run or, without one, of the
   * pipeline; otherwise 0.
   */
  priority?: number | undefined
}

/** Decision of a user about paused steps. */
export interface RunDecision {
  /** Numbers of the steps. Default: all paused steps. */
  numbers?: readonly number[] | undefined
  /** Whether the steps start; otherwise they end with ERROR. */
  isApproved: boolean
  /** User who decides; null if a deadline decides. */
  userId: number | null
  /** Time of the decision according to the client, stored unchanged. Default: none. */
  approveTime?: string | undefined
  /** Message for declined steps. */
  reason: string
}

/** Maximum number of stored values of one run. */
export const maxRunValues = 200

/** Store of runs in PostgreSQL. Each transition is an SQL function of the migrations. */
export type RunsStore = ReturnType<typeof createRunsStore>

/** Maximum number of transitions in one transaction. */
const maxBatch = 50
/** Maximum length of a run as JSON, in characters, that shares its start transaction with other runs. */
const maxBatchedLength = 200_000

/** Creates the store. */
export function createRunsStore(database: Database) {
  const { pool } = database
  const beginInBatches = createBatches<StepBegin, StartedStep | undefined>(maxBatch, (items) =>
    beginSteps(database, items),
  )
  const endInBatches = createBatches<
    { end: StepEnd | readonly ChainEnd[]; at: Date },
    { held: boolean; next: StartedStep | undefined }
  >(maxBatch, (items) => endSteps(database, items))
  return {
    /** Runs `work` in one transaction and rolls back if it throws. */
    transaction: <T>(work: (executor: Executor) => Promise<T>): Promise<T> => inTransaction(database, work),

    /** Starts a run and its job; returns false if the user already has `maxRuns` runs. */
    start: createStart(database),

    /** Begins the step of a queue job; returns undefined if there is nothing to execute. */
    begin: (
      job: BegunJob,
      { worker, restartedMessage, at }: { worker: string; restartedMessage: string; at: Date },
    ): Promise<StartedStep | undefined> => beginInBatches({ job, worker, restartedMessage, at }),

    /**
     * Ends an attempt and returns the next step if one begins in the same job. `held` is false if a newer attempt has replaced
     * this one; in this case nothing changes.
     */
    end: (end: StepEnd, at: Date): Promise<{ held: boolean; next: StartedStep | undefined }> =>
      endInBatches({ end, at }),

    /**
     * Ends the attempts of the first steps of a chain in one transaction. All attempts except the last must have succeeded.
     * Returns the same as `end`.
     */
    endChain: (
      ends: readonly ChainEnd[],
      at: Date,
    ): Promise<{ held: boolean; next: StartedStep | undefined }> => endInBatches({ end: ends, at }),

    /** Stops runs. Steps that have not started end immediately. Returns the runs that have steps in progress. */
    async stop(
      ids: readonly string[],
      reason: string,
      at: Date,
      executor: Executor = pool,
    ): Promise<string[]> {
      if (ids.length === 0) return []
      const { rows } = await executor.query('select stop_runs($1::uuid[], $2, $3) as id', [ids, reason, at])
      return (rows as { id: string }[]).map(({ id }) => id)
    },

    /** Continues a run before its paused steps, or only before some; returns false if none of them is paused. */
    async continue(
      id: string,
      numbers: readonly number[] | undefined,
      at: Date,
      executor: Executor = pool,
    ): Promise<boolean> {
      const { rows } = await executor.query('select continue_run($1, $2, $3) as continued', [
        id,
        numbers ?? null,
        at,
      ])
      return (rows[0] as { continued: boolean }).continued
    },

    /** Approves or declines the paused steps of a run, or only some; returns false if none of them is paused. */
    async decide(id: string, decision: RunDecision, at: Date, executor: Executor = pool): Promise<boolean> {
      const { numbers, isApproved, userId, approveTime, reason } = decision
      const { rows } = await executor.query(
        'select decide_run_steps($1, $2, $3, $4, $5, $6, $7) as decided',
        [id, numbers ?? null, isApproved, userId, approveTime ?? null, reason, at],
      )
      return (rows[0] as { decided: boolean }).decided
    },

    /** Returns the runs among `ids` for which a stop was requested. */
    async stopRequested(ids: readonly string[]): Promise<{ id: string; reason: string | undefined }[]> {
      const sql = 'select id, stop_reason from runs where id = any($1::uuid[]) and stop_requested'
      const { rows } = await pool.query(sql, [ids])
      return (rows as { id: string; stop_reason: string | null }[]).map(({ id, stop_reason }) => ({
        id,
        reason: stop_reason ?? undefined,
      }))
    },

    /** Returns a run. */
    async find(id: string): Promise<StoredRun | undefined> {
      const sql = `select id, pipeline_id, pipeline_version, name, group_id, group_name, user_id, state, outcome from runs where id = $1`
      const [row] = await database.prepared<RunRow>({ sql, parameters: [id] })
      return row && toRun(row)
    },

    /** Returns the latest run of a pipeline; with `userId`, the latest run of this user. */
    async findOfPipeline(pipelineId: string, userId?: number): Promise<StoredRun | undefined> {
      const { rows } = await pool.query(
        'select * from runs where pipeline_id = $1 and ($2::bigint is null or user_id = $2) order by seq desc limit 1',
        [pipelineId, userId ?? null],
      )
      return rows[0] && toRun(rows[0] as RunRow)
    },

    /** Returns the id of the latest run of each pipeline that has run. */
    async latestOfPipelines(pipelineIds: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await pool.query(
        `select wanted.id, latest.id as job from unnest($1::uuid[]) as wanted (id)
         cross join lateral (select id from runs where pipeline_id = wanted.id order by seq desc limit 1) as latest`,
        [pipelineIds],
      )
      return new Map((rows as { id: string; job: string }[]).map(({ id, job }) => [id, job]))
    },

    /** Returns the ids of the runs of pipelines that have not ended. */
    async openRuns(pipelineIds: readonly string[], executor: Executor = pool): Promise<string[]> {
      const { rows } = await executor.query(
        `select id from runs where pipeline_id = any($1::uuid[]) and state <> 'ended'`,
        [pipelineIds],
      )
      return (rows as { id: string }[]).map(({ id }) => id)
    },

    /** Returns the steps of a run in their order. */
    async steps(id: string): Promise<StoredStep[]> {
      const { rows } = await pool.query('select * from run_steps where run_id = $1 order by number', [id])
      return (rows as StepRow[]).map(toStep)
    },

    /** Returns whether an attempt at a step is in progress. In a chain, the first step is running and holds the job. */
    isAttemptRunning: (runId: string, eId: string, attempt: number): Promise<boolean> =>
      isAttemptRunning(pool, { runId, eId, attempt }),

    /** Returns when a run was created. */
    async createdAt(id: string): Promise<Date> {
      const { rows } = await pool.query('select created_at from runs where id = $1', [id])
      return (rows as { created_at: Date }[])[0]!.created_at
    },

    /** Returns the references to the outputs of steps that branches skipped. */
    async leftOutReferences(id: string): Promise<ReadonlySet<string>> {
      const { rows } = await pool.query(
        `select value from run_steps cross join jsonb_each_text(task -> 'outputs') where run_id = $1 and is_left_out`,
        [id],
      )
      return new Set((rows as { value: string }[]).map(({ value }) => value))
    },

    /** Returns all stored values of a run. */
    async values(id: string): Promise<Map<string, string>> {
      const { rows } = await pool.query('select key, value from run_values where run_id = $1 order by key', [
        id,
      ])
      return new Map((rows as { key: string; value: string }[]).map(({ key, value }) => [key, value]))
    },

    /** Returns a stored value. */
    async value(id: string, key: string): Promise<string | undefined> {
      const { rows } = await pool.query('select value from run_values where run_id = $1 and key = $2', [
        id,
        key,
      ])
      return (rows[0] as { value: string } | undefined)?.value
    },

    /** Replaces an input of a step that has not started. */
    async setInput(step: { runId: string; number: number }, name: string, value: string): Promise<void> {
      await pool.query(
        `update run_steps set task = jsonb_set(task, array['inputs', $3], to_jsonb($4::text))
         where run_id = $1 and number = $2 and state in ('waiting', 'ready', 'paused')`,
        [step.runId, step.number, name, value],
      )
    },

    /** Stores or replaces a value; returns false if the run already stores {@link maxRunValues} other values. */
    async setValue(id: string, key: string, value: string, executor: Executor = pool): Promise<boolean> {
      const { rows } = await executor.query(
        `insert into run_values (run_id, key, value)
         select id, $2, $3 from runs
         where id = $1 and (exists (select from run_values where run_id = $1 and key = $2)
           or (select count(*) from run_values where run_id = $1) < $4)
         on conflict (run_id, key) do update set value = excluded.value returning key`,
        [id, key, value, maxRunValues],
      )
      return rows.length > 0
    },
  }
}

interface RunRow {
  id: string
  pipeline_id: string | null
  pipeline_version: number | null
  name: string
  group_id: number | null
  group_name: string
  user_id: number
  state: RunState
  outcome: Outcome | null
}

interface StepRow {
  number: number
  e_id: string
  task: StepTask
  job_kind: StepJobKind
  children: number[]
  branches: Record<string, number[]> | null
  branch: string | null
  needs: number[]
  is_left_out: boolean
  state: StoredStep['state']
  outcome: StoredStep['outcome'] | null
  message: string
  attempt: number
}

/** Returns the function that starts runs. Concurrent starts share a transaction, unless the caller passes one. */
function createStart({ prepared }: Pick<Database, 'prepared'>) {
  const onPool: Executor = {
    query: async (sql, parameters) => ({ rows: await prepared({ sql, parameters }) }),
  }
  const startInBatches = createBatches<RunStartRow, boolean>(maxBatch, (rows) => startRuns(onPool, rows))
  return async (
    run: NewRun,
    job: object,
    steps: readonly (PlannedStep & { payload: object })[],
    { maxRuns, at }: { maxRuns: number; at: Date },
    executor?: Executor,
  ): Promise<boolean> => {
    const row = { start: JSON.stringify({ run, job, steps: stepRows(steps), maxRuns }), at }
    if (executor === undefined && row.start.length <= maxBatchedLength) return startInBatches(row)
    return (await startRuns(executor ?? onPool, [row]))[0]!
  }
}

/** A run to start, as JSON. */
interface RunStartRow {
  start: string
  at: Date
}

/** Starts runs in one transaction. Returns for each run whether it started. */
async function startRuns(executor: Executor, rows: readonly RunStartRow[]): Promise<boolean[]> {
  const { rows: started } = await executor.query(
    'select started from start_runs($1::jsonb[], $2::timestamptz[]) order by place',
    [rows.map(({ start }) => start), rows.map(({ at }) => at)],
  )
  return (started as { started: boolean }[]).map((row) => row.started)
}

async function endSteps(
  { prepared }: Pick<Database, 'prepared'>,
  items: readonly { end: StepEnd | readonly ChainEnd[]; at: Date }[],
): Promise<{ held: boolean; next: StartedStep | undefined }[]> {
  const rows = await prepared<{ held: boolean; next: StartRow | null }>({
    sql: 'select place, held, to_jsonb(next) as next from end_run_steps($1::jsonb[], $2::timestamptz[]) order by place',
    parameters: [items.map(({ end }) => JSON.stringify(end)), items.map(({ at }) => at)],
  })
  return rows.map(({ held, next }) => ({
    held,
    next: toStartedStep(next ?? undefined),
  }))
}

function toRun(row: RunRow): StoredRun {
  return {
    id: row.id,
    pipelineId: row.pipeline_id ?? undefined,
    pipelineVersion: row.pipeline_version ?? undefined,
    name: row.name,
    groupId: row.group_id ?? undefined,
    groupName: row.group_name,
    userId: row.user_id,
    state: row.state,
    outcome: row.outcome ?? undefined,
  }
}

function toStep(row: StepRow): StoredStep {
  return {
    number: row.number,
    eId: row.e_id,
    task: row.task,
    jobKind: row.job_kind,
    children: row.children,
    branches: row.branches ?? {},
    branch: row.branch ?? undefined,
    needs: row.needs,
    isLeftOut: row.is_left_out,
    state: row.state,
    outcome: row.outcome ?? undefined,
    message: row.message,
    attempt: row.attempt,
  }
}
