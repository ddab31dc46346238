import type { Database } from '@headwater/server-kit'
import type { ChainStep, StartedStep, StepTask } from './runs-store.ts'

/** A queue job that begins a step. */
export interface BegunJob {
  id: string
  runId: string
  number: number
}

/** The start of a step. */
export interface StepBegin {
  job: BegunJob
  worker: string
  restartedMessage: string
  at: Date
}

/** A step that has begun, as the SQL functions return it. */
export interface StartRow {
  run_id: string
  number: number
  e_id: string
  task: StepTask
  attempt: number
  failures: number
  is_restart: boolean
  stop_requested: boolean
  message: string | null
  pipeline_id: string | null
  name: string
  group_name: string
  user_id: number
  input_values: Record<string, string>
  chain: ChainStep[]
}

/** Begins steps in one transaction. */
export async function beginSteps(
  { prepared }: Pick<Database, 'prepared'>,
  items: readonly StepBegin[],
): Promise<(StartedStep | undefined)[]> {
  const rows = await prepared<{ item: number; step: StartRow }>({
    sql: 'select item, to_jsonb(step) as step from begin_run_steps($1::jsonb[], $2, $3::timestamptz[])',
    parameters: [
      items.map(({ job, worker }) => JSON.stringify({ ...job, worker })),
      items[0]!.restartedMessage,
      items.map(({ at }) => at),
    ],
  })
  const steps = new Map(rows.map(({ item, step }) => [item, step]))
  return items.map((_, index) => toStartedStep(steps.get(index + 1)))
}

/** Converts the row of a step that has begun; undefined without a row. */
export function toStartedStep(row: StartRow | undefined): StartedStep | undefined {
  if (row === undefined || row.run_id === null) return undefined
  return {
    runId: row.run_id,
    number: row.number,
    eId: row.e_id,
    task: row.task,
    attempt: row.attempt,
    failures: row.failures,
    isRestart: row.is_restart,
    stopRequested: row.stop_requested,
    lastMessage: row.message ?? '',
    pipelineId: row.pipeline_id ?? undefined,
    runName: row.name,
    groupName: row.group_name,
    userId: row.user_id,
    values: row.input_values,
    chain: row.chain,
    unwritten: {},
  }
}
