import { isUuid } from '@headwater/contract'
import type { Executor, Principal } from '@headwater/server-kit'
import { taskErrors } from '@headwater/tasks/contract'
import { pipelineErrors } from '../contract/index.ts'
import { beginRun, enqueueRun, type RunsServiceDependencies, type RunStart } from './begin-run.ts'
import type { StoredPipeline } from './pipelines-store.ts'
import { createRunWork, jobKeyOf } from './run-work.ts'
import { maxValues, type RunsStore, type StoredRun } from './runs-store.ts'

/** A request to run a single task. */
export interface TaskCall {
  /** Name of the task. */
  taskName: string
  /** Group of the task; empty = built in. */
  taskGroupName: string
  /** Id of the task; the request fails if the name now belongs to another task. */
  taskId?: string | undefined
  /** Version of the task. Default the newest. */
  taskVersion?: number | undefined
  /** Values of inputs. */
  params: readonly { name: string; value: string }[]
  /** Whether the task needs the OpenAI key of the installation. */
  withOpenAiKey: boolean
}

/** Use cases of runs. */
export type RunsService = ReturnType<typeof createRunsService>

/** Creates the use cases of runs: start, stop, continue, and stored values. `run-work.ts` executes runs. */
export function createRunsService(deps: RunsServiceDependencies) {
  const work = createRunWork(deps)
  return {
    start: (principal: Principal, pipeline: StoredPipeline, start?: RunStart): Promise<string> =>
      startPipelineRun(deps, principal, pipeline, start),

    startTask: (principal: Principal, call: TaskCall): Promise<string> => startTaskRun(deps, principal, call),

    async stop(principal: Principal, jobId: string): Promise<void> {
      work.abort(await stopRun(deps, principal, jobId))
    },

    stopRuns: (which: Parameters<RunsStore['requestStop']>[0], executor: Executor): Promise<void> =>
      stopRuns(deps, which, executor),

    continue: (principal: Principal, jobId: string): Promise<void> => continueRun(deps, principal, jobId),

    /** Returns a value that a task of a run stored. */
    async value(principal: Principal, pipelineId: string, jobId: string | undefined, key: string) {
      const { id } = await findRunForValues(deps, principal, pipelineId, jobId)
      const value = await deps.runs.value(id, key)
      if (value === undefined) throw pipelineErrors.valueNotFound({ key })
      return { dataStorageId: id, key, value }
    },

    storeValue: (
      principal: Principal,
      pipelineId: string,
      jobId: string | undefined,
      entry: { key: string; value: string },
    ): Promise<void> => storeRunValue(deps, principal, pipelineId, jobId, entry),
  }
}

/**
 * Starts a run of a version of a pipeline and returns the id of its job.
 * @throws pipelineInvalid, taskNotFound, paramUnknown, scriptGiven, paramMissing, tooManyRuns
 */
export async function startPipelineRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  pipeline: StoredPipeline,
  start: RunStart = {},
): Promise<string> {
  const { tasks } = pipeline.content
  if (tasks.length === 0)
    throw pipelineErrors.pipelineInvalid({
      problem: `“${pipeline.name}” has no tasks. Add a task before you run it.`,
    })
  const plan = deps.plans.toSteps(start.resolved ?? (await deps.plans.resolve(principal, tasks)))
  const group = { id: pipeline.groupId, name: pipeline.groupName }
  const subject = { name: pipeline.name, groupName: group.name, group, pipeline }
  return beginRun(deps, principal, subject, plan, start)
}

/**
 * Runs a single task and returns the id of its job, which only the caller sees.
 * @throws taskNotFound, paramUnknown, scriptGiven, paramMissing, noOpenAiKey, tooManyRuns
 */
export async function startTaskRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  call: TaskCall,
): Promise<string> {
  const { taskName, taskGroupName, taskVersion = null, params, withOpenAiKey } = call
  if (withOpenAiKey) throw taskErrors.noOpenAiKey()
  const runnable = await deps.tasks.findRunnable(principal, { ...call })
  const { task } = runnable
  if (call.taskId !== undefined && call.taskId !== task.id)
    throw taskErrors.notFound({ what: `“${taskName}” with the id ${call.taskId}` })
  const onlyTask = {
    id: 'task',
    name: task.readableName,
    taskName,
    taskGroupName,
    taskVersion,
    isPaused: false,
    after: [],
    params: params.map((param) => ({ ...param, type: 'INPUT' as const })),
  }
  const plan = deps.plans.toSteps([{ task: onlyTask, runnable }])
  return beginRun(deps, principal, { name: task.readableName, groupName: task.groupName }, plan)
}

/** Requests the stop of a run and returns its id. The current task is aborted; later ones do not start. */
async function stopRun(deps: RunsServiceDependencies, principal: Principal, jobId: string): Promise<string> {
  const run = await requireOwnRun(deps, principal, jobId)
  await deps.runs.transaction(async (executor) => {
    await stopRuns(deps, { runId: run.id }, executor)
    // A waiting run gets its own serial key, so that it ends without waiting for other runs.
    if (await deps.queue.withdraw(jobKeyOf(run.id), executor))
      await enqueueRun(deps.queue, run, executor, jobKeyOf(run.id))
  })
  return run.id
}

/** Requests the stop of runs. Part of the transaction that deletes their pipelines. */
async function stopRuns(
  deps: RunsServiceDependencies,
  which: Parameters<RunsStore['requestStop']>[0],
  executor: Executor,
): Promise<void> {
  // A paused run has to resume to see the request.
  for (const paused of await deps.runs.requestStop(which, executor)) await resumeRun(deps, paused, executor)
}

async function continueRun(
  deps: RunsServiceDependencies,
  principal: Principal,
  jobId: string,
): Promise<void> {
  const run = await requireOwnRun(deps, principal, jobId)
  await deps.runs.transaction(async (executor) => {
    if (!(await resumeRun(deps, run, executor))) throw pipelineErrors.runNotFound()
  })
}

/** Puts a paused run back into the queue; returns false if it is no longer paused. */
async function resumeRun(
  { runs, queue }: RunsServiceDependencies,
  run: Pick<StoredRun, 'id' | 'userId'>,
  executor: Executor,
): Promise<boolean> {
  if (!(await runs.resume(run.id, executor))) return false
  await enqueueRun(queue, run, executor)
  return true
}

/**
 * Stores a value for later tasks of a run.
 * @throws runNotFound, tooManyValues
 */
async function storeRunValue(
  deps: RunsServiceDependencies,
  principal: Principal,
  pipelineId: string,
  jobId: string | undefined,
  { key, value }: { key: string; value: string },
): Promise<void> {
  const { id } = await findRunForValues(deps, principal, pipelineId, jobId)
  if (await deps.runs.setValue(id, key, value)) return
  const isInProgress = (await deps.runs.find(id)) !== undefined
  throw isInProgress ? pipelineErrors.tooManyValues({ max: maxValues }) : pipelineErrors.runNotFound()
}

/** Returns a run that the caller started; administrators have access to every run. */
async function requireOwnRun(
  { runs }: RunsServiceDependencies,
  principal: Principal,
  jobId: string,
): Promise<StoredRun> {
  const run = isUuid(jobId) ? await runs.find(jobId.trim().toLowerCase()) : undefined
  if (run === undefined || (run.userId !== principal.userId && !principal.isAdministrator))
    throw pipelineErrors.runNotFound()
  return run
}

/** Returns the caller's run with this job, or without a job their latest run of the pipeline. */
async function findRunForValues(
  { runs }: RunsServiceDependencies,
  principal: Principal,
  pipelineId: string,
  jobId: string | undefined,
): Promise<StoredRun> {
  if (jobId !== undefined && isUuid(jobId)) {
    const run = await runs.find(jobId.trim().toLowerCase())
    if (run?.userId === principal.userId) return run
  } else if (isUuid(pipelineId)) {
    const run = await runs.findOfPipeline(pipelineId.trim().toLowerCase(), principal.userId)
    if (run !== undefined) return run
  }
  throw pipelineErrors.runNotFound()
}
