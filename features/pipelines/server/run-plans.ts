import { randomUUID } from 'node:crypto'
import type { Principal } from '@headwater/server-kit'
import { isReference, sizeOf, taskErrors, valueOf } from '@headwater/tasks/contract'
import type { RunnableTask, Tasks } from '@headwater/tasks/server'
import { pipelineErrors, runOrder, RunOrderError, type PipelineTask } from '../contract/index.ts'
import type { PlannedStep, StepTask } from './runs-store.ts'

/** The values of all steps of a run together, in characters. */
const maxRunLength = 8_000_000

/** What a run is to do. */
export type RunPlan = PlannedStep[]

/** A task of a pipeline with what its name meant when it was looked up. */
export interface FoundTask {
  task: PipelineTask
  runnable: RunnableTask
}

/** Turns the tasks of a pipeline into the steps of a run. */
export interface RunPlans {
  /**
   * Refuses tasks that are not there, parameters they do not have, scripts, and links that lead in a circle. Answers with the
   * tasks as they are kept: with the ids of what their names mean.
   */
  check(principal: Principal, tasks: readonly PipelineTask[]): Promise<PipelineTask[]>
  /**
   * Looks up tasks by name, in the order in which they run. Each is looked up once: a name may mean another task a moment
   * later, and what is checked has to be what runs. Refuses tasks that are not there, and links that lead in a circle.
   */
  find(principal: Principal, tasks: readonly PipelineTask[]): Promise<FoundTask[]>
  /** The steps of tasks in their order; refuses parameters they do not have, scripts, and inputs without the value they need. */
  make(found: readonly FoundTask[]): RunPlan
  /**
   * What is not as it was when a pipeline was saved, in a sentence without its end: a version of a task that somebody else
   * saved later, or another task under its name. Undefined when there is nothing of the kind.
   */
  changedByOthers(
    found: readonly FoundTask[],
    pipeline: { savedBy: string; savedAt: Date },
  ): string | undefined
}

/** Makes the planner. */
export function createRunPlans({ tasks: room }: { tasks: Pick<Tasks, 'findRunnable'> }): RunPlans {
  async function find(principal: Principal, tasks: readonly PipelineTask[]): Promise<FoundTask[]> {
    const found: FoundTask[] = []
    for (const task of ordered(tasks)) {
      const { taskName, taskGroupName, taskVersion } = task
      const name = { taskName, taskGroupName, taskVersion: taskVersion ?? undefined }
      found.push({ task, runnable: await room.findRunnable(principal, name) })
    }
    return found
  }

  return {
    find,
    async check(principal, tasks) {
      const found = await find(principal, tasks)
      for (const one of found) {
        checkParams(one)
        const { task, runnable } = one
        const problem = runnable.kind.problemOf?.(knownInputs(one))
        if (problem !== undefined)
          throw pipelineErrors.pipelineInvalid({ problem: `“${task.name}”: ${problem}` })
      }
      const ids = new Map(found.map(({ task, runnable }) => [task.id, runnable.task.id]))
      return tasks.map((task) => ({ ...task, taskId: ids.get(task.id) }))
    },
    make(found) {
      const steps: RunPlan = []
      let size = 0
      for (const one of found) {
        checkParams(one)
        steps.push({ number: steps.length + 1, eId: randomUUID(), task: stepOf(one) })
        size += sizeOf(Object.values(steps.at(-1)!.task.inputs).map((value) => ({ value })))
        if (size > maxRunLength)
          throw pipelineErrors.pipelineInvalid({
            problem: `The values of its tasks have more than ${maxRunLength.toLocaleString('en')} characters together. Put large ones into files.`,
          })
      }
      return steps
    },
    changedByOthers(found, { savedBy, savedAt }) {
      for (const { task, runnable } of found) {
        const { id, modifiedBy, modifyDate } = runnable.task
        if (modifiedBy === null || modifyDate === null || modifiedBy === savedBy) continue
        // A name may go over to a task whose versions are older than the pipeline.
        if (task.taskId !== id)
          return `“${task.name}” may be another task by now than when ${savedBy} saved the pipeline`
        // Of a task only whole seconds are told.
        if (new Date(`${modifyDate}Z`).getTime() + 1000 > savedAt.getTime())
          return `${modifiedBy} saved the task of “${task.name}” after ${savedBy} had saved the pipeline`
      }
      return undefined
    },
  }
}

/** Writing tasks is a right of its own, so who runs one does not bring the script. */
function checkParams({ task, runnable }: FoundTask): void {
  for (const { name, type, value } of task.params) {
    const known = runnable.task.params.find((param) => param.name === name && param.type === type)
    if (known === undefined) throw taskErrors.paramUnknown({ task: task.name, param: name })
    if (known.valueType === 'SCRIPT' && value !== '')
      throw taskErrors.scriptGiven({ task: task.name, param: name })
  }
}

function ordered(tasks: readonly PipelineTask[]): PipelineTask[] {
  const twice = tasks.find(({ id }, index) => tasks.findIndex((other) => other.id === id) !== index)
  if (twice !== undefined)
    throw pipelineErrors.pipelineInvalid({ problem: `Two tasks have the id “${twice.id}”. Ids are unique.` })
  try {
    return runOrder(tasks)
  } catch (error) {
    if (!(error instanceof RunOrderError)) throw error
    throw pipelineErrors.pipelineInvalid({ problem: error.message })
  }
}

/** The parameters of a task with the values that count: those of the pipeline before its own. */
function valuesOf({ task, runnable }: FoundTask) {
  return runnable.task.params.map((param) => {
    const given = task.params.find(({ name, type }) => name === param.name && type === param.type)
    return { param, given, value: given?.value || valueOf(param) }
  })
}

/** Values of inputs that are known before a run, by name; what is empty only when the pipeline says so. */
function knownInputs(found: FoundTask): Record<string, string> {
  const known = valuesOf(found).filter(
    ({ param, given, value }) =>
      param.type === 'INPUT' && !isReference(value) && (value !== '' || given !== undefined),
  )
  return Object.fromEntries(known.map(({ param, value }) => [param.name, value]))
}

function stepOf(found: FoundTask): StepTask {
  const { task, runnable } = found
  const { task: known, kind } = runnable
  const inputs: Record<string, string> = {}
  const outputs: Record<string, string> = {}
  for (const { param, value } of valuesOf(found)) {
    if (param.type === 'OUTPUT') {
      if (isReference(value)) outputs[param.name] = value
      continue
    }
    if (value === '' && !param.optional) throw taskErrors.paramMissing({ task: task.name, param: param.name })
    inputs[param.name] = value
  }
  return {
    nodeId: task.id,
    name: task.name,
    taskName: task.taskName,
    definitionName: kind.definitionName,
    inputs,
    outputs,
    memory: known.memory,
    timeout: known.timeout,
    isPaused: task.isPaused || known.isPaused,
  }
}
