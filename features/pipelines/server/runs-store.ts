import { executorOf, type Database, type Executor } from '@headwater/server-kit'

interface RunTables {
  pipeline_runs: {
    id: string
    pipeline_id: string | null
    name: string
    group_name: string
    user_id: number
    started_at: Date
    stop_requested: boolean
    paused: boolean
  }
  pipeline_run_steps: {
    run_id: string
    number: number
    e_id: string
    task: StepTask
    state: StepState
    outcome: StepOutcome | null
  }
  pipeline_run_values: { run_id: string; key: string; value: string }
}

/** State of a step: waiting, running (also after an interruption) or done. */
export type StepState = 'waiting' | 'running' | 'done'

/** Result of a step. */
export interface StepOutcome {
  /** WARN and ERROR end the run. */
  status: 'INFO' | 'WARN' | 'ERROR'
  /** Message for users; can be empty. */
  message: string
}

/** Task of a step, as it was when the run began. */
export interface StepTask {
  /** Id of the task within the pipeline. */
  nodeId: string
  /** Name of the task within the pipeline. */
  name: string
  /** Name of the saved task. */
  taskName: string
  /** Name of the kind of task. */
  definitionName: string
  /** Values of the inputs by name, with unresolved references. */
  inputs: Record<string, string>
  /** References of the outputs by name. */
  outputs: Record<string, string>
  /** Memory limit, in MiB. */
  memory: number
  /** Timeout, in seconds. */
  timeout: number
  /** Whether the run pauses before the step. */
  isPaused: boolean
}

/** A step of a run. */
export interface StoredStep {
  /** Position within the run, from 1. */
  number: number
  /** Id of the execution in statuses. */
  eId: string
  /** The task to execute. */
  task: StepTask
  /** State of the execution. */
  state: StepState
  /** Result; undefined until the step is done. */
  outcome: StepOutcome | undefined
}

/** A run that is waiting or in progress. */
export interface StoredRun {
  /** Id of its job. */
  id: string
  /** Undefined for a single task. */
  pipelineId: string | undefined
  /** Name of the pipeline or task. */
  name: string
  /** Group of the pipeline or task; empty = built in. */
  groupName: string
  /** User who started the run. */
  userId: number
  /** Whether a user requested the stop of the run. */
  stopRequested: boolean
  /** Whether the run waits for a user to continue it. */
  paused: boolean
}

/** A step of a run that has not begun. */
export type PlannedStep = Omit<StoredStep, 'state' | 'outcome'>

/** Most stored values of one run. */
export const maxValues = 200

/** Store of runs in PostgreSQL. */
export interface RunsStore {
  /** Runs `work` in one transaction and rolls back if it throws. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Stores a run with its steps; returns false if the user already has `maxRuns` runs. Part of a transaction. */
  start(
    run: Pick<StoredRun, 'id' | 'pipelineId' | 'name' | 'groupName' | 'userId'>,
    steps: readonly PlannedStep[],
    maxRuns: number,
    executor: Executor,
  ): Promise<boolean>
  /** Returns a run that has not ended. */
  find(id: string): Promise<StoredRun | undefined>
  /** Returns the latest run of a pipeline by a user that has not ended. */
  findOfPipeline(pipelineId: string, userId: number): Promise<StoredRun | undefined>
  /** Returns the steps of a run in their order. */
  steps(id: string): Promise<StoredStep[]>
  /** Sets the state of a step. */
  setStepState(id: string, number: number, state: StepState): Promise<void>
  /** Marks a step as done and stores its result and output values. Part of a transaction. */
  endStep(
    id: string,
    number: number,
    outcome: StepOutcome,
    values: ReadonlyMap<string, string>,
    executor: Executor,
  ): Promise<void>
  /** Requests the stop of runs; returns the paused ones, which do not check for requests. Part of a transaction. */
  requestStop(
    which: { runId: string } | { pipelineIds: readonly string[] },
    executor: Executor,
  ): Promise<Pick<StoredRun, 'id' | 'userId'>[]>
  /** Pauses a run; returns false if its stop was requested. Part of a transaction. */
  pause(id: string, executor: Executor): Promise<boolean>
  /** Resumes a paused run before its next step; returns false if it is not paused. Part of a transaction. */
  resume(id: string, executor: Executor): Promise<boolean>
  /** Deletes a finished run with its steps and values. */
  end(id: string, executor?: Executor): Promise<void>
  /** Returns the stored values with these keys. */
  values(id: string, keys: readonly string[]): Promise<Map<string, string>>
  /** Returns a stored value. */
  value(id: string, key: string): Promise<string | undefined>
  /** Stores or replaces a value; returns false if the run has ended or stores `maxValues` others. */
  setValue(id: string, key: string, value: string): Promise<boolean>
}

/** Creates the store. */
export function createRunsStore(database: Database): RunsStore {
  const db = database.tables<RunTables>()

  async function setValues(
    id: string,
    values: Iterable<[string, string]>,
    executor: Executor,
  ): Promise<void> {
    for (const [key, value] of values)
      await executor.query(
        `insert into pipeline_run_values (run_id, key, value) values ($1, $2, $3)
         on conflict (run_id, key) do update set value = excluded.value`,
        [id, key, value],
      )
  }

  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async start({ id, pipelineId, name, groupName, userId }, steps, maxRuns, executor) {
      // The lock makes concurrent starts of one user count each other.
      await executor.query('select id from user_names where id = $1 for no key update', [userId])
      const { rows } = await executor.query(
        `insert into pipeline_runs (id, pipeline_id, name, group_name, user_id)
         select $1::uuid, $2::uuid, $3::text, $4::text, $5::bigint
         where (select count(*) from pipeline_runs where user_id = $5) < $6 returning id`,
        [id, pipelineId ?? null, name, groupName, userId, maxRuns],
      )
      if (rows.length === 0) return false
      await executor.query(
        `insert into pipeline_run_steps (run_id, number, e_id, task, state)
         select $1::uuid, step.number, step.e_id, step.task, 'waiting'
         from jsonb_to_recordset($2::jsonb) as step (number int, e_id uuid, task jsonb)`,
        [id, JSON.stringify(steps.map(({ number, eId, task }) => ({ number, e_id: eId, task })))],
      )
      return true
    },
    async find(id) {
      const row = await db.selectFrom('pipeline_runs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toRun(row)
    },
    async findOfPipeline(pipelineId, userId) {
      const row = await db
        .selectFrom('pipeline_runs')
        .selectAll()
        .where('pipeline_id', '=', pipelineId)
        .where('user_id', '=', userId)
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toRun(row)
    },
    async steps(id) {
      const rows = await db
        .selectFrom('pipeline_run_steps')
        .selectAll()
        .where('run_id', '=', id)
        .orderBy('number')
        .execute()
      return rows.map(({ number, e_id: eId, task, state, outcome }) => ({
        number,
        eId,
        task,
        state,
        outcome: outcome ?? undefined,
      }))
    },
    async setStepState(id, number, state) {
      await db
        .updateTable('pipeline_run_steps')
        .set({ state })
        .where('run_id', '=', id)
        .where('number', '=', number)
        .execute()
    },
    async endStep(id, number, outcome, values, executor) {
      await setValues(id, values, executor)
      await executor.query(
        `update pipeline_run_steps set state = 'done', outcome = $3 where run_id = $1 and number = $2`,
        [id, number, JSON.stringify(outcome)],
      )
    },
    async requestStop(which, executor) {
      const [condition, value] =
        'runId' in which ? ['id = $1', which.runId] : ['pipeline_id = any($1)', which.pipelineIds]
      const { rows } = await executor.query(
        `update pipeline_runs set stop_requested = true where ${condition} returning id, user_id, paused`,
        [value],
      )
      return (rows as { id: string; user_id: number; paused: boolean }[])
        .filter(({ paused }) => paused)
        .map(({ id, user_id: userId }) => ({ id, userId }))
    },
    async pause(id, executor) {
      const { rows } = await executor.query(
        'update pipeline_runs set paused = true where id = $1 and not stop_requested returning id',
        [id],
      )
      return rows.length > 0
    },
    async resume(id, executor) {
      const { rows } = await executor.query(
        'update pipeline_runs set paused = false where id = $1 and paused returning id',
        [id],
      )
      if (rows.length === 0) return false
      await executor.query(
        `update pipeline_run_steps set task = task || '{"isPaused": false}' where run_id = $1
         and number = (select min(number) from pipeline_run_steps where run_id = $1 and state = 'waiting')`,
        [id],
      )
      return true
    },
    async end(id, executor = database.pool) {
      await executor.query('delete from pipeline_runs where id = $1', [id])
    },
    async values(id, keys) {
      const rows = await db
        .selectFrom('pipeline_run_values')
        .select(['key', 'value'])
        .where('run_id', '=', id)
        .where('key', 'in', keys.length === 0 ? [''] : [...keys])
        .execute()
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    async value(id, key) {
      const row = await db
        .selectFrom('pipeline_run_values')
        .select('value')
        .where('run_id', '=', id)
        .where('key', '=', key)
        .executeTakeFirst()
      return row?.value
    },
    async setValue(id, key, value) {
      const { rows } = await database.pool.query(
        `insert into pipeline_run_values (run_id, key, value)
         select id, $2, $3 from pipeline_runs
         where id = $1 and (exists (select from pipeline_run_values where run_id = $1 and key = $2)
           or (select count(*) from pipeline_run_values where run_id = $1) < $4)
         on conflict (run_id, key) do update set value = excluded.value returning key`,
        [id, key, value, maxValues],
      )
      return rows.length > 0
    },
  }
}

function toRun(row: RunTables['pipeline_runs']): StoredRun {
  return {
    id: row.id,
    pipelineId: row.pipeline_id ?? undefined,
    name: row.name,
    groupName: row.group_name,
    userId: row.user_id,
    stopRequested: row.stop_requested,
    paused: row.paused,
  }
}
