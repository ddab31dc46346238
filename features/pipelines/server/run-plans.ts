import { randomUUID } from 'node:crypto'
import { approvalTaskName } from '@headwater/approvals/contract'
import type { ItemLink } from '@headwater/items/server'
import { stepJobKinds, type NamedSecret, type PlannedStep, type StepTask } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { isReference, type RetryRules } from '@headwater/runs/contract'
import {
  branchTaskName,
  pausedByParams,
  sizeOf,
  taskErrors,
  valueOf,
  type TaskParam,
} from '@headwater/tasks/contract'
import {
  knownInputs,
  linksOfParam,
  problemOfParams,
  visibleInputs,
  type RunnableTask,
  type Tasks,
} from '@headwater/tasks/server'
import {
  pipelineErrors,
  type ExecutionMode,
  type PipelineTask,
  type StoredPipelineTask,
} from '../contract/index.ts'
import { linksBefore, runOrder, RunOrderError } from '../core/index.ts'

/** Maximum total length of all step values in a run, in characters. */
const maxRunLength = 8_000_000

/** Steps of a run, in their order. */
export type RunPlan = PlannedStep[]

/** A task of a pipeline, with the saved task that its name referred to when it was looked up. */
export interface ResolvedTask {
  /** The task in the pipeline. */
  task: StoredPipelineTask
  /** The saved or built-in task to run. */
  runnable: RunnableTask
}

/** Author of the values of parameters that a pipeline or a call sets. */
export interface Author {
  /** Name of the user who saved the pipeline or sent the call. */
  userName: string
  /** Group of the pipeline; undefined for a call. Secret names in a pipeline refer to secrets of its group. */
  groupName?: string | undefined
}

/** Options of the steps of a run. */
interface PlanOptions {
  known?: ReadonlySet<string> | undefined
  executionMode?: ExecutionMode | undefined
}

/** Converts the tasks of a pipeline to the steps of a run. */
export interface RunPlans {
  /**
   * Checks the tasks of a pipeline before a save. Returns them with the ids of the saved tasks, and the objects that their
   * values refer to.
   * @throws taskNotFound, paramUnknown, scriptGiven, pipelineInvalid
   */
  check(
    principal: Principal,
    tasks: readonly PipelineTask[],
  ): Promise<{ tasks: StoredPipelineTask[]; valueLinks: ItemLink[] }>
  /**
   * Looks up tasks by name and returns them in the order in which they run. Each task is looked up only once, because its name
   * can later refer to a different task, and a run must execute the tasks that were checked.
   * @param known references with a value before the run
   * @throws taskNotFound, pipelineInvalid if links form a cycle
   */
  resolve(
    principal: Principal,
    tasks: readonly StoredPipelineTask[],
    known?: ReadonlySet<string>,
  ): Promise<ResolvedTask[]>
  /**
   * Looks up tasks by name, in the given order and without checking their links.
   * @throws taskNotFound
   */
  lookUp(principal: Principal, tasks: readonly StoredPipelineTask[]): Promise<ResolvedTask[]>
  /**
   * Returns the steps for tasks, in the same order.
   * @param options.known references with a value before the run. Default: none.
   * @param options.executionMode whether short steps are fused. Default durable.
   * @throws paramUnknown, scriptGiven, paramMissing, pipelineInvalid
   */
  toSteps(resolved: readonly ResolvedTask[], author: Author, options?: PlanOptions): RunPlan
  /**
   * Returns a change that other users made since a pipeline was saved: a task saved later, or a different task with the same
   * name. The change is a sentence without a full stop; undefined if there is none.
   */
  changedByOthers(
    resolved: readonly ResolvedTask[],
    pipeline: { savedBy: string; savedAt: Date },
  ): string | undefined
}

/** Creates the planner. */
export function createRunPlans({ tasks }: { tasks: Pick<Tasks, 'findRunnable'> }): RunPlans {
  return {
    check: (principal, pipelineTasks) => checkTasks(tasks, principal, pipelineTasks),
    resolve: async (principal, pipelineTasks, known) =>
      lookUpTasks(tasks, principal, inRunOrder(pipelineTasks, known)),
    lookUp: (principal, pipelineTasks) => lookUpTasks(tasks, principal, pipelineTasks),
    toSteps,
    changedByOthers,
  }
}

async function lookUpTasks(
  tasks: Pick<Tasks, 'findRunnable'>,
  principal: Principal,
  pipelineTasks: readonly StoredPipelineTask[],
): Promise<ResolvedTask[]> {
  const resolved: ResolvedTask[] = []
  const lookedUp = new Map<string, RunnableTask>()
  for (const task of pipelineTasks) {
    const { taskName, taskGroup, taskVersion } = task
    const key = JSON.stringify([taskGroup, taskName, taskVersion])
    const name = { taskName, taskGroupName: taskGroup, taskVersion: taskVersion ?? undefined }
    const runnable = lookedUp.get(key) ?? (await tasks.findRunnable(principal, name))
    lookedUp.set(key, runnable)
    resolved.push({ task, runnable })
  }
  return resolved
}

async function checkTasks(
  tasks: Pick<Tasks, 'findRunnable'>,
  principal: Principal,
  pipelineTasks: readonly PipelineTask[],
): Promise<{ tasks: StoredPipelineTask[]; valueLinks: ItemLink[] }> {
  const resolved = await lookUpTasks(tasks, principal, inRunOrder(pipelineTasks))
  for (const each of resolved) {
    checkParams(each)
    const { task, runnable } = each
    const problem = problemOfParams(paramsOf(each)) ?? (await runnable.kind.problemOf?.(inputsOf(each)))
    if (problem !== undefined)
      throw pipelineErrors.pipelineInvalid({ problem: `“${task.taskReadableName}”: ${problem}` })
  }
  checkBranches(resolved)
  const ids = new Map(resolved.map(({ task, runnable }) => [task.id, runnable.task.id]))
  return {
    tasks: pipelineTasks.map(({ taskCategory: _category, nextTasks: _next, ...task }) => ({
      ...task,
      taskId: ids.get(task.id),
    })),
    valueLinks: resolved.flatMap(linksOfValues),
  }
}

/** Returns the objects that values of the pipeline for a task refer to, with the types that the task defines. */
function linksOfValues(resolved: ResolvedTask): ItemLink[] {
  return valuesOf(resolved).flatMap(({ param, given, value, mode }) =>
    given?.value
      ? linksOfParam({ ...param, value, mode }).map((link) => ({
          ...link,
          part: resolved.task.taskReadableName,
        }))
      : [],
  )
}

/** Checks that only tasks with branches are followed through a branch. */
function checkBranches(resolved: readonly ResolvedTask[]): void {
  const byId = new Map(resolved.map((each) => [each.task.id, each]))
  for (const { task } of resolved)
    for (const { id, branch } of task.prevTasks) {
      const before = byId.get(id)
      if (branch === undefined || before?.runnable.kind.definitionName === branchTaskName) continue
      throw pipelineErrors.pipelineInvalid({
        problem: `“${task.taskReadableName}” follows the branch “${branch}” of “${before?.task.taskReadableName}”, which has no branches. Only “Branch” tasks have branches.`,
      })
    }
}

function toSteps(
  resolved: readonly ResolvedTask[],
  author: Author,
  { known, executionMode = 'durable' }: PlanOptions = {},
): RunPlan {
  const steps: RunPlan = []
  const numbers = new Map(resolved.map(({ task }, index) => [task.id, index + 1]))
  const tasks = resolved.map(({ task }) => task)
  // A single task can also refer to an output that no other task provides.
  const before = orRefuse(() => linksBefore(tasks, known))
  let size = 0
  for (const each of resolved) {
    checkParams(each)
    const links = before.get(each.task.id)!.map((link) => ({ ...link, number: numbers.get(link.id)! }))
    const task = stepOf(each, author)
    steps.push({
      number: steps.length + 1,
      eId: randomUUID(),
      task:
        executionMode === 'fused' && each.runnable.kind.isShort?.(task.inputs)
          ? { ...task, isFused: true }
          : task,
      jobKind: each.runnable.kind.isUserCode ? stepJobKinds.userCode : stepJobKinds.builtIn,
      after: links.map(({ number }) => number),
      branches: Object.fromEntries(links.map(({ number, branch }) => [number, branch])),
      needs: links.filter(({ isNeeded }) => isNeeded).map(({ number }) => number),
    })
    size += sizeOf(Object.values(steps.at(-1)!.task.inputs).map((value) => ({ value })))
    if (size > maxRunLength)
      throw pipelineErrors.pipelineInvalid({
        problem: `The values of its tasks have more than ${maxRunLength.toLocaleString('en')} characters in total. Put large values into files.`,
      })
  }
  return steps
}

function changedByOthers(
  resolved: readonly ResolvedTask[],
  { savedBy, savedAt }: { savedBy: string; savedAt: Date },
): string | undefined {
  for (const { task, runnable } of resolved) {
    const { id, modifiedBy, modifyDate } = runnable.task
    if (modifiedBy === null || modifyDate === null || modifiedBy === savedBy) continue
    // The name can now belong to a different task with versions that are older than the pipeline.
    if (task.taskId !== id)
      return `The task “${task.taskReadableName}” was replaced after ${savedBy} saved the pipeline`
    // `modifyDate` has whole seconds.
    if (new Date(`${modifyDate}Z`).getTime() + 1000 > savedAt.getTime())
      return `${modifiedBy} saved the task of “${task.taskReadableName}” after ${savedBy} had saved the pipeline`
  }
  return undefined
}

/**
 * Checks the parameters that a pipeline sets. A pipeline cannot replace the script of a task, because saving scripts requires a
 * separate permission.
 */
function checkParams({ task, runnable }: ResolvedTask): void {
  for (const { name, type, value } of task.taskOverrides.params) {
    const known = runnable.task.params.find((param) => param.name === name && param.type === type)
    if (known === undefined) throw taskErrors.paramUnknown({ task: task.taskReadableName, param: name })
    if (known.valueType === 'SCRIPT' && value !== '')
      throw taskErrors.scriptGiven({ task: task.taskReadableName, param: name })
  }
}

function inRunOrder(tasks: readonly StoredPipelineTask[], known?: ReadonlySet<string>): StoredPipelineTask[] {
  const duplicate = tasks.find(({ id }, index) => tasks.findIndex((other) => other.id === id) !== index)
  if (duplicate !== undefined)
    throw pipelineErrors.pipelineInvalid({
      problem: `Two tasks have the id “${duplicate.id}”. Ids must be unique.`,
    })
  return orRefuse(() => runOrder(tasks, known))
}

/** Returns the result of `order`; throws pipelineInvalid if the tasks have no valid order. */
export function orRefuse<T>(order: () => T): T {
  try {
    return order()
  } catch (error) {
    if (!(error instanceof RunOrderError)) throw error
    throw pipelineErrors.pipelineInvalid({ problem: error.message })
  }
}

/** Returns the parameters of a task with their values. Values of the pipeline override values of the task. */
function valuesOf({ task, runnable }: ResolvedTask) {
  return runnable.task.params.map((param) => {
    const given = task.taskOverrides.params.find(
      ({ name, type }) => name === param.name && type === param.type,
    )
    const own = given?.value || valueOf(param)
    return { param, given, value: own, mode: given?.value ? given.mode : param.mode }
  })
}

/** Returns the inputs with a value that is known before the run, by name. Empty values count only if the pipeline sets them. */
function inputsOf(resolved: ResolvedTask): Record<string, string> {
  const given = resolved.task.taskOverrides.params
  return knownInputs(paramsOf(resolved), (param) =>
    given.some(({ name, type }) => name === param.name && type === param.type),
  )
}

/** Returns the parameters of a task with the values that apply in its pipeline. */
export function paramsOf(resolved: ResolvedTask): TaskParam[] {
  return valuesOf(resolved).map(({ param, value, mode }) => ({ ...param, value, mode }))
}

/**
 * Returns the user who set the name of a secret in a task. Personal secrets of this user are used only in pipelines and calls
 * of the same user, because other users could set other parameters, such as a URL.
 */
function authorOf(resolved: ResolvedTask, caller: Author): Partial<NamedSecret> {
  const { groupName, modifiedBy } = resolved.runnable.task
  return {
    groupName,
    ...(modifiedBy === caller.userName ? { userName: modifiedBy } : {}),
    ...(groupName !== caller.groupName && changesInputs(resolved) ? { changedBy: caller.userName } : {}),
  }
}

/**
 * Returns whether a pipeline or call sets an input of a saved task to a different value, which the author of the task has not
 * reviewed.
 */
function changesInputs(resolved: ResolvedTask): boolean {
  return valuesOf(resolved).some(
    ({ param, value, mode }) =>
      param.type === 'INPUT' &&
      param.valueType !== 'SECRET' &&
      (value !== valueOf(param) || mode !== param.mode),
  )
}

function stepOf(resolved: ResolvedTask, author: Author): StepTask {
  const { task, runnable } = resolved
  const { task: known, kind } = runnable
  const inputs: Record<string, string> = {}
  const outputs: Record<string, string> = {}
  const unusedOutputs: string[] = []
  const expressions: string[] = []
  const secretInputs: Record<string, NamedSecret> = {}
  const visible = visibleInputs(paramsOf(resolved))
  for (const { param, given, value, mode } of valuesOf(resolved)) {
    if (param.type === 'OUTPUT') {
      if (isReference(value)) outputs[param.name] = value
      else unusedOutputs.push(param.name)
      continue
    }
    if (value === '' && !param.optional && visible.has(param.name))
      throw taskErrors.paramMissing({ task: task.taskReadableName, param: param.name })
    inputs[param.name] = value
    if (mode === 'expression' && value !== '') expressions.push(param.name)
    if (param.valueType === 'SECRET' && value !== '')
      secretInputs[param.name] = { name: value, ...(given?.value ? author : authorOf(resolved, author)) }
  }
  return {
    nodeId: task.id,
    name: task.taskReadableName,
    taskName: task.taskName,
    ...(known.groupName === '' ? {} : { taskId: known.id }),
    definitionName: kind.definitionName,
    inputs,
    ...(expressions.length === 0 ? {} : { expressions }),
    ...(Object.keys(secretInputs).length === 0 ? {} : { secretInputs }),
    outputs,
    ...(kind.isUserCode === true && unusedOutputs.length > 0 ? { unusedOutputs } : {}),
    ...(known.requirements.length + known.lockedPackages.length > 0 && {
      packages: { requirements: known.requirements, locked: known.lockedPackages },
    }),
    memory: known.memory,
    timeout: known.timeout,
    // The run pauses for its approvers, who then receive an e-mail.
    isPaused:
      kind.definitionName === approvalTaskName ||
      task.isPaused ||
      (pausedByParams(paramsOf(resolved)) ?? known.isPaused),
    ...(task.onError === undefined ? {} : { onError: task.onError }),
    ...retryRulesOf(task),
  }
}

const retryFields = [
  'retries',
  'retryDelay',
  'retryBackoff',
  'retryMaxDelay',
  'retryJitter',
  'retryOn',
] as const

/** Returns the retry rules of a task. */
function retryRulesOf(task: StoredPipelineTask): RetryRules {
  return Object.fromEntries(
    retryFields.flatMap((name) => (task[name] === undefined ? [] : [[name, task[name]]])),
  )
}
