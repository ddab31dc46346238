import { randomUUID } from 'node:crypto'
import { isUuid } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import type { TriggerType } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { taskErrors } from '@headwater/tasks/contract'
import type { Tasks } from '@headwater/tasks/server'
import { pipelineErrors } from '../contract/index.ts'
import type { StoredPipeline } from './pipelines-store.ts'
import type { FoundTask, RunPlan, RunPlans } from './run-plans.ts'
import { createRunWork, runJobKind, workOf, type RunWork } from './run-work.ts'
import { maxValues, type RunsStore, type StoredRun } from './runs-store.ts'

export interface RunsServiceDependencies {
  runs: RunsStore
  plans: RunPlans
  tasks: Pick<Tasks, 'findRunnable' | 'findKind'>
  statuses: Pick<
    Statuses,
    'startJob' | 'addComponent' | 'updateComponent' | 'finishJob' | 'statusesOfComponents'
  >
  queue: JobQueue
  /** The principal of an active user, for the run that goes on without them. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
}

/** How a run begins. */
export interface RunStart {
  /** What starts it; default a person. */
  types?: TriggerType[]
  /** The tasks, when they were looked up already; those that were checked are those that run. */
  found?: readonly FoundTask[]
  /** What is to be true when the run has started and only then: takes part in its transaction. */
  note?: (jobId: string, executor: Executor) => Promise<void>
}

export type RunsService = ReturnType<typeof createRunsService>

/** Runs of one user that wait or go on. */
const maxRunsOfUser = 20
/** The rules of runs: who starts, stops and continues them. What they do is in `run-work.ts`. */
export function createRunsService(dependencies: RunsServiceDependencies) {
  const { runs, plans, tasks, statuses, queue } = dependencies
  const work: RunWork = createRunWork(dependencies)

  async function begin(
    principal: Principal,
    about: {
      name: string
      groupName: string
      group?: { id: number; name: string } | undefined
      pipeline?: Pick<StoredPipeline, 'id' | 'version'> | undefined
    },
    plan: RunPlan,
    { types = ['None'], note = async () => {} }: RunStart = {},
  ): Promise<string> {
    const id = randomUUID()
    const { name, groupName, group, pipeline } = about
    const payload = {
      groupName,
      ...(pipeline === undefined ? {} : { pipelineId: pipeline.id, version: pipeline.version }),
    }
    await runs.transaction(async (executor) => {
      const run = { id, pipelineId: pipeline?.id, name, groupName, userId: principal.userId }
      if (!(await runs.start(run, plan, maxRunsOfUser, executor)))
        throw pipelineErrors.tooManyRuns({ max: maxRunsOfUser })
      await statuses.startJob(
        {
          id,
          type: 'PIPELINE',
          name,
          group,
          ownerId: principal.userId,
          payload,
          types,
          ...(pipeline === undefined ? {} : { version: pipeline.version, rootId: pipeline.id }),
          status: 'PENDING',
          message: 'Waiting for its turn.',
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
      await enqueue({ id, userId: principal.userId }, executor)
      await note(id, executor)
    })
    return id
  }

  async function enqueue(
    { id, userId }: Pick<StoredRun, 'id' | 'userId'>,
    executor: Executor,
    // Runs of one user wait for each other, so that nobody's keep those of others waiting.
    serialKey = `${runJobKind} ${userId}`,
  ): Promise<void> {
    await queue.enqueue(runJobKind, { runId: id }, { serialKey, uniqueKey: workOf(id) }, executor)
  }

  /** A run that the caller started. */
  async function require(principal: Principal, jobId: string): Promise<StoredRun> {
    const found = isUuid(jobId) ? await runs.find(jobId.trim().toLowerCase()) : undefined
    if (found === undefined || (found.userId !== principal.userId && !principal.isAdministrator))
      throw pipelineErrors.runNotFound()
    return found
  }

  async function findForValues(
    principal: Principal,
    pipelineId: string,
    jobId: string | undefined,
  ): Promise<StoredRun> {
    if (jobId !== undefined && isUuid(jobId)) {
      const found = await runs.find(jobId.trim().toLowerCase())
      if (found?.userId === principal.userId) return found
    } else if (isUuid(pipelineId)) {
      const found = await runs.findOfPipeline(pipelineId.trim().toLowerCase(), principal.userId)
      if (found !== undefined) return found
    }
    throw pipelineErrors.runNotFound()
  }

  return {
    /** Starts a run of a version of a pipeline and answers with its job. */
    async start(principal: Principal, pipeline: StoredPipeline, start: RunStart = {}): Promise<string> {
      if (pipeline.content.tasks.length === 0)
        throw pipelineErrors.pipelineInvalid({
          problem: `“${pipeline.name}” has no task. Add one before you run it.`,
        })
      const plan = plans.make(start.found ?? (await plans.find(principal, pipeline.content.tasks)))
      const group = { id: pipeline.groupId, name: pipeline.groupName }
      return begin(principal, { name: pipeline.name, groupName: group.name, group, pipeline }, plan, start)
    },

    /** Runs one task by itself and answers with its job, which only the caller sees. */
    async startTask(
      principal: Principal,
      call: {
        taskName: string
        taskGroupName: string
        taskId?: string | undefined
        taskVersion?: number | undefined
        params: readonly { name: string; value: string }[]
        withOpenAiKey: boolean
      },
    ): Promise<string> {
      const { taskName, taskGroupName, taskVersion = null, params, withOpenAiKey } = call
      if (withOpenAiKey) throw taskErrors.noOpenAiKey()
      const runnable = await tasks.findRunnable(principal, { ...call })
      const { task } = runnable
      if (call.taskId !== undefined && call.taskId !== task.id)
        throw taskErrors.notFound({ what: `“${taskName}” with the id ${call.taskId}` })
      const alone = {
        id: 'task',
        name: task.readableName,
        taskName,
        taskGroupName,
        taskVersion,
        isPaused: false,
        after: [],
        params: params.map((param) => ({ ...param, type: 'INPUT' as const })),
      }
      const plan = plans.make([{ task: alone, runnable }])
      return begin(principal, { name: task.readableName, groupName: task.groupName }, plan)
    },

    /** Has a run end: the task that runs is ended, those after it do not begin. */
    async stop(principal: Principal, jobId: string): Promise<void> {
      const found = await require(principal, jobId)
      await runs.transaction(async (executor) => {
        await stopRuns({ runId: found.id }, executor)
        // One that waits for its turn need not wait to end.
        if (await queue.withdraw(workOf(found.id), executor)) await enqueue(found, executor, workOf(found.id))
      })
      work.abort(found.id)
    },

    /** Has the runs of pipelines end. Part of the transaction that deletes them. */
    stopRuns,

    /** Continues a run that is paused before a task. */
    async continue(principal: Principal, jobId: string): Promise<void> {
      const found = await require(principal, jobId)
      await runs.transaction(async (executor) => {
        if (!(await takeUp(found, executor))) throw pipelineErrors.runNotFound()
      })
    },

    /** A value that a task of a run has stored. */
    async value(principal: Principal, pipelineId: string, jobId: string | undefined, key: string) {
      const found = await findForValues(principal, pipelineId, jobId)
      const value = await runs.value(found.id, key)
      if (value === undefined) throw pipelineErrors.valueNotFound({ key })
      return { dataStorageId: found.id, key, value }
    },

    async storeValue(
      principal: Principal,
      pipelineId: string,
      jobId: string | undefined,
      { key, value }: { key: string; value: string },
    ): Promise<void> {
      const found = await findForValues(principal, pipelineId, jobId)
      if (await runs.setValue(found.id, key, value)) return
      const goesOn = (await runs.find(found.id)) !== undefined
      throw goesOn ? pipelineErrors.tooManyValues({ max: maxValues }) : pipelineErrors.runNotFound()
    },
  }

  async function stopRuns(which: Parameters<RunsStore['requestStop']>[0], executor: Executor): Promise<void> {
    // A run that is paused is taken up to find that it is to end.
    for (const paused of await runs.requestStop(which, executor)) await takeUp(paused, executor)
  }

  /** Has a paused run go on; false when it is not paused any more. */
  async function takeUp(found: Pick<StoredRun, 'id' | 'userId'>, executor: Executor): Promise<boolean> {
    if (!(await runs.resume(found.id, executor))) return false
    await enqueue(found, executor)
    return true
  }
}
