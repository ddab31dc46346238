import { randomUUID } from 'node:crypto'
import type { Clock, Executor } from '@headwater/server-kit'
import type { TriggerType } from '@headwater/statuses/contract'
import type { ParentStep } from './children-store.ts'
import type { NewRun, PlannedStep, RunsStore } from './runs-store.ts'
import { toStorable } from './storable-text.ts'

/** A run to start. */
export interface RunStart {
  /** User who starts the run. The run has the access of this user. */
  userId: number
  /** Name of the pipeline or task. */
  name: string
  /** Group of the pipeline or task; empty if it is built in. */
  groupName: string
  /**
   * Group of the run. Users who can read the group can see the run. Default: none; only the user who started the run can see
   * it.
   */
  group?: { id: number; name: string } | undefined
  /** The pipeline; undefined for a single task. */
  pipeline?: { id: string; version: number; tags?: readonly string[] } | undefined
  /** Steps, ordered by number. */
  steps: readonly PlannedStep[]
  /** Trigger types. Default `None`: a user started the run. */
  types?: readonly TriggerType[] | undefined
  /** Initial values that tasks can refer to, by key. Default: none. */
  values?: Readonly<Record<string, string>> | undefined
  /** Earlier run that this run repeats. */
  repeats?: string | undefined
  /**
   * Step that starts the run and waits for it, and the position among the child runs of this step. `inSameTransaction` must
   * adopt the run. Default: none.
   */
  parent?: (ParentStep & { position: number; eId: string }) | undefined
  /**
   * Priority among the runs of its user and its pipeline; higher priorities start first. Default: the priority of the
   * pipeline, or 0 without a pipeline.
   */
  priority?: number | undefined
  /** Writes records that must exist if and only if the run starts. Runs in its transaction. */
  inSameTransaction?: ((jobId: string, executor: Executor) => Promise<void>) | undefined
}

/** Maximum number of runs of one user that are waiting or in progress. */
export const maxRunsOfUser = 20
/** Maximum number of child runs of one user per level of nesting. */
const maxChildRuns = 100

/**
 * Stores a run with its steps and its job, adds the first steps to the queue and returns the job id. Returns undefined if
 * the user already has {@link maxRunsOfUser} unfinished runs or, for a child run, {@link maxChildRuns} unfinished runs at
 * its level.
 */
export async function startRun(
  { runs, clock }: { runs: Pick<RunsStore, 'transaction' | 'start' | 'setValue'>; clock: Clock },
  start: RunStart,
): Promise<string | undefined> {
  const {
    userId,
    name,
    groupName,
    group,
    pipeline,
    steps,
    types = ['None'],
    values = {},
    parent,
    inSameTransaction,
  } = start
  const id = randomUUID()
  const payload = {
    groupName,
    ...(pipeline === undefined ? {} : { pipelineId: pipeline.id, version: pipeline.version }),
    ...(parent === undefined
      ? {}
      : { parentJobId: parent.runId, parentEId: parent.eId, index: parent.position }),
  }
  const run: NewRun = {
    id,
    pipelineId: pipeline?.id,
    pipelineVersion: pipeline?.version,
    name,
    groupId: group?.id,
    groupName,
    userId,
    trigger: types[0] ?? 'None',
    repeats: start.repeats,
    parent: parent && { runId: parent.runId, number: parent.number },
    priority: start.priority,
  }
  const job = {
    id,
    type: 'PIPELINE',
    name,
    groupId: group?.id,
    groupName: group?.name ?? '',
    ownerId: userId,
    status: 'PENDING',
    message: 'Waiting to start.',
    payload,
    types,
    tags: pipeline?.tags ?? [],
    version: pipeline?.version,
    rootId: pipeline?.id,
  }
  const planned = steps.map((step) => ({ ...step, payload: { ...payload, nodeId: step.task.nodeId } }))
  const options = { maxRuns: parent === undefined ? maxRunsOfUser : maxChildRuns, at: clock.now() }
  const isAlone = inSameTransaction === undefined && Object.keys(values).length === 0
  const started = isAlone
    ? await runs.start(run, job, planned, options)
    : await runs.transaction(async (executor) => {
        if (!(await runs.start(run, job, planned, options, executor))) return false
        for (const [key, value] of Object.entries(values))
          await runs.setValue(id, key, toStorable(value), executor)
        await inSameTransaction?.(id, executor)
        return true
      })
  return started ? id : undefined
}
