import { randomUUID } from 'node:crypto'
import type { Principal } from '@headwater/server-kit'
import { isReference, sizeOf, taskErrors, valueOf, type Task } from '@headwater/tasks/contract'
import type { RunnableTask, Tasks } from '@headwater/tasks/server'
import { pipelineErrors, runOrder, RunOrderError, type PipelineTask } from '../contract/index.ts'
import type { PlannedStep, StepTask } from './runs-store.ts'

/** The values of all steps of a run together, in characters. */
const maxRunLength = 8_000_000

/** What a run is to do. */
export type RunPlan = PlannedStep[]

/** Turns the tasks of a pipeline into the steps of a run. */
export interface RunPlans {
  /** Refuses tasks that are not there, parameters they do not have, and links that lead in a circle. */
  check(principal: Principal, tasks: readonly PipelineTask[]): Promise<void>
  /** The steps in their order; refuses the same, and inputs without the value they need. */
  make(principal: Principal, tasks: readonly PipelineTask[]): Promise<RunPlan>
  /** The first task whose newest version somebody else saved after a pipeline was saved; undefined when there is none. */
  changedByOthers(
    principal: Principal,
    pipeline: { tasks: readonly PipelineTask[]; savedBy: string; savedAt: Date },
  ): Promise<{ name: string; by: string } | undefined>
}

/** Makes the planner. */
export function createRunPlans({ tasks: room }: { tasks: Pick<Tasks, 'findRunnable'> }): RunPlans {
  async function found(principal: Principal, task: PipelineTask): Promise<RunnableTask> {
    const { taskName, taskGroupName, taskVersion } = task
    const runnable = await room.findRunnable(principal, {
      taskName,
      taskGroupName,
      taskVersion: taskVersion ?? undefined,
    })
    for (const { name, type } of task.params)
      if (!runnable.task.params.some((known) => known.name === name && known.type === type))
        throw taskErrors.paramUnknown({ task: task.name, param: name })
    return runnable
  }

  return {
    async check(principal, tasks) {
      ordered(tasks)
      for (const task of tasks) {
        const { kind } = await found(principal, task)
        const given = task.params.filter(({ type, value }) => type === 'INPUT' && !isReference(value))
        const problem = kind.problemOf?.(Object.fromEntries(given.map(({ name, value }) => [name, value])))
        if (problem !== undefined)
          throw pipelineErrors.pipelineInvalid({ problem: `“${task.name}”: ${problem}` })
      }
    },
    async make(principal, tasks) {
      const steps: RunPlan = []
      let size = 0
      for (const task of ordered(tasks)) {
        const { task: known, kind } = await found(principal, task)
        steps.push({
          number: steps.length + 1,
          eId: randomUUID(),
          task: stepOf(task, known, kind.definitionName),
        })
        size += sizeOf(Object.values(steps.at(-1)!.task.inputs).map((value) => ({ value })))
        if (size > maxRunLength)
          throw pipelineErrors.pipelineInvalid({
            problem: `The values of its tasks have more than ${maxRunLength.toLocaleString('en')} characters together. Put large ones into files.`,
          })
      }
      return steps
    },
    async changedByOthers(principal, { tasks, savedBy, savedAt }) {
      for (const task of tasks) {
        if (task.taskVersion !== null) continue
        const { modifiedBy, modifyDate } = (await found(principal, task)).task
        if (modifiedBy === null || modifyDate === null || modifiedBy === savedBy) continue
        // Of a task only whole seconds are told.
        if (new Date(`${modifyDate}Z`).getTime() + 1000 > savedAt.getTime())
          return { name: task.name, by: modifiedBy }
      }
      return undefined
    },
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

function stepOf(task: PipelineTask, known: Task, definitionName: string): StepTask {
  const inputs: Record<string, string> = {}
  const outputs: Record<string, string> = {}
  for (const param of known.params) {
    const own = task.params.find(({ name, type }) => name === param.name && type === param.type)
    const value = own?.value || valueOf(param)
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
    definitionName,
    inputs,
    outputs,
    memory: known.memory,
    timeout: known.timeout,
    isPaused: task.isPaused || known.isPaused,
  }
}
