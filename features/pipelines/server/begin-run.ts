import { randomUUID } from 'node:crypto'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import type { TriggerType } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import type { Tasks } from '@headwater/tasks/server'
import { pipelineErrors } from '../contract/index.ts'
import type { StoredPipeline } from './pipelines-store.ts'
import type { ResolvedTask, RunPlan, RunPlans } from './run-plans.ts'
import { jobKeyOf, runJobKind } from './run-work.ts'
import type { RunsStore, StoredRun } from './runs-store.ts'

/** Dependencies of the use cases of runs. */
export interface RunsServiceDependencies {
  /** Stored runs and their steps. */
  runs: RunsStore
  /** Turns tasks into the steps of a run. */
  plans: RunPlans
  /** Finds tasks and their kinds. */
  tasks: Pick<Tasks, 'findRunnable' | 'findKind'>
  /** Reports the statuses of runs and steps. */
  statuses: Pick<
    Statuses,
    'startJob' | 'addComponent' | 'updateComponent' | 'finishJob' | 'statusesOfComponents'
  >
  /** Queue that executes the jobs of runs. */
  queue: JobQueue
  /** Returns the principal of an active user. A run has the access of the user who started it. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Current time. */
  clock: Clock
}

/** Options of the start of a run. */
export interface RunStart {
  /** Triggers of the run. Default `None`: a user. */
  types?: TriggerType[]
  /** The tasks, if the caller has resolved and checked them; the run executes exactly these. Default: resolved by name. */
  resolved?: readonly ResolvedTask[]
  /** Writes records that must exist exactly if the run starts. Part of its transaction. */
  note?: (jobId: string, executor: Executor) => Promise<void>
}

/** Name and location of a run. */
export interface RunSubject {
  /** Name of the pipeline or task. */
  name: string
  /** Group of the pipeline or task; empty = built in. */
  groupName: string
  /** Group whose readers see the statuses of the run. Default none: only the user does. */
  group?: { id: number; name: string } | undefined
  /** The pipeline; undefined for a single task. */
  pipeline?: Pick<StoredPipeline, 'id' | 'version'> | undefined
}

/** Most runs of one user that are waiting or in progress. */
const maxRunsOfUser = 20

/**
 * Stores a run with its steps, puts it into the queue and returns the id of its job.
 * @throws tooManyRuns if 20 runs of the user are waiting or in progress
 */
export async function beginRun(
  { runs, statuses, queue }: Pick<RunsServiceDependencies, 'runs' | 'statuses' | 'queue'>,
  principal: Principal,
  { name, groupName, group, pipeline }: RunSubject,
  plan: RunPlan,
  { types = ['None'], note = async () => {} }: RunStart = {},
): Promise<string> {
  const id = randomUUID()
  const ownerId = principal.userId
  const payload = {
    groupName,
    ...(pipeline === undefined ? {} : { pipelineId: pipeline.id, version: pipeline.version }),
  }
  await runs.transaction(async (executor) => {
    const run = { id, pipelineId: pipeline?.id, name, groupName, userId: ownerId }
    if (!(await runs.start(run, plan, maxRunsOfUser, executor)))
      throw pipelineErrors.tooManyRuns({ max: maxRunsOfUser })
    await statuses.startJob(
      {
        id,
        type: 'PIPELINE',
        name,
        group,
        ownerId,
        payload,
        types,
        ...(pipeline === undefined ? {} : { version: pipeline.version, rootId: pipeline.id }),
        status: 'PENDING',
        message: 'Waiting to start.',
      },
      executor,
    )
    for (const [index, { eId, task }] of plan.entries())
      await statuses.addComponent(
        id,
        {
          eId,
          ...(index === 0 ? {} : { prevEId: plan[index - 1]!.eId }),
          component: task.name,
          status: 'UNEXECUTED',
          message: '',
          payload: { ...payload, nodeId: task.nodeId },
        },
        executor,
      )
    await enqueueRun(queue, { id, userId: ownerId }, executor)
    await note(id, executor)
  })
  return id
}

/**
 * Puts a run into the queue. Part of a transaction.
 * @param serialKey runs with the same key execute one after the other; default one key per user, so that nobody delays other users
 */
export async function enqueueRun(
  queue: JobQueue,
  { id, userId }: Pick<StoredRun, 'id' | 'userId'>,
  executor: Executor,
  serialKey = `${runJobKind} ${userId}`,
): Promise<void> {
  await queue.enqueue(runJobKind, { runId: id }, { serialKey, uniqueKey: jobKeyOf(id) }, executor)
}
