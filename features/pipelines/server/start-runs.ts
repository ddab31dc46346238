import { utcDate } from '@headwater/contract'
import { triggerReference } from '@headwater/runs/contract'
import type { RunStart } from '@headwater/runs/server'
import { maxRunsOfUser } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { taskErrors } from '@headwater/tasks/contract'
import { pipelineErrors, type StoredPipelineTask } from '../contract/index.ts'
import type { StoredPipeline } from './pipelines-store.ts'
import type { ResolvedTask } from './run-plans.ts'
import { selectTasks, type RunPart } from './run-part.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { reuseUnchanged, type EarlierRun } from './unchanged-steps.ts'

/** Options for starting a run of a pipeline. */
export interface PipelineRunStart extends Pick<
  RunStart,
  'types' | 'values' | 'inSameTransaction' | 'priority' | 'parent'
> {
  /**
   * Tasks that the caller has already resolved and checked. The run executes exactly these tasks. Default: tasks are resolved
   * by name.
   */
  resolved?: readonly ResolvedTask[]
  /** Selection of the tasks that run. Default: all. */
  part?: RunPart | undefined
  /** Values of an earlier run, which provide the outputs of tasks that do not run. Default: none. */
  earlier?: ReadonlyMap<string, string> | undefined
  /** Earlier run. Its results are reused for unchanged tasks instead of executing them. Default: none. */
  changedSince?: EarlierRun | undefined
}

/** A request to run a single task. */
export interface TaskCall {
  /** Name of the task. */
  taskName: string
  /** Group of the task; empty if it is built in. */
  taskGroupName: string
  /** Id of the task. The request fails if the name now belongs to a different task. */
  taskId?: string | undefined
  /** Version of the task. Default: the newest. */
  taskVersion?: number | undefined
  /** Input values. */
  params: readonly { name: string; value: string }[]
  /** Whether the task needs the OpenAI key of the installation. */
  withOpenAiKey: boolean
}

/**
 * Starts a run of a pipeline version and returns its job id.
 * @throws pipelineInvalid, valueMissing, taskNotFound, paramUnknown, scriptGiven, paramMissing, tooManyRuns
 */
export async function startPipelineRun(
  deps: Pick<RunsServiceDependencies, 'runs' | 'plans' | 'clock'>,
  principal: Principal,
  pipeline: StoredPipeline,
  {
    resolved,
    types,
    values: given = {},
    inSameTransaction,
    priority,
    parent,
    part = {},
    earlier = new Map(),
    changedSince,
  }: PipelineRunStart = {},
): Promise<string> {
  const { tasks: all, tags, executionMode } = pipeline.content
  if (all.length === 0)
    throw pipelineErrors.pipelineInvalid({
      problem: `“${pipeline.name}” has no tasks. Add a task before you run it.`,
    })
  const { tasks, values: selected } = selectTasks(all, part, earlier)
  const values = { ...dateFor(tasks, deps.clock.now()), ...selected, ...given }
  const known = new Set(Object.keys(values))
  const steps = deps.plans.toSteps(
    resolved ?? (await deps.plans.resolve(principal, tasks, known)),
    { userName: pipeline.savedBy, groupName: pipeline.groupName },
    { known, executionMode },
  )
  const reused = changedSince && reuseUnchanged(steps, values, changedSince)
  return start(deps, {
    userId: principal.userId,
    name: pipeline.name,
    groupName: pipeline.groupName,
    group: { id: pipeline.groupId, name: pipeline.groupName },
    pipeline: { id: pipeline.id, version: pipeline.version, tags },
    steps: reused?.steps ?? steps,
    types,
    values: { ...reused?.values, ...values },
    inSameTransaction,
    priority,
    parent,
  })
}

/** Returns the date of a run, in UTC, if tasks refer to it. Triggers and backfills can set a different date. */
function dateFor(tasks: readonly StoredPipelineTask[], at: Date): Record<string, string> {
  const reference = triggerReference('date')
  const isUsed = tasks.some(({ taskOverrides }) =>
    taskOverrides.params.some(({ value }) => value === reference),
  )
  return isUsed ? { [reference]: utcDate(at) } : {}
}

/**
 * Runs a single task and returns its job id. Only the caller can see the job.
 * @throws taskNotFound, pipelineInvalid, paramUnknown, scriptGiven, paramMissing, noOpenAiKey, tooManyRuns
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
    taskName,
    taskGroup: taskGroupName,
    taskVersion,
    taskReadableName: task.readableName,
    taskOverrides: { params: params.map((param) => ({ ...param, type: 'INPUT' as const })) },
    prevTasks: [],
    isPaused: false,
  }
  return start(deps, {
    userId: principal.userId,
    name: task.readableName,
    groupName: task.groupName,
    steps: deps.plans.toSteps([{ task: onlyTask, runnable }], { userName: principal.userName }),
  })
}

/** Starts a run and returns its job id; throws tooManyRuns if the user has too many runs. */
export async function start({ runs }: Pick<RunsServiceDependencies, 'runs'>, run: RunStart): Promise<string> {
  const id = await runs.start(run)
  if (id === undefined) throw pipelineErrors.tooManyRuns({ max: maxRunsOfUser })
  return id
}
