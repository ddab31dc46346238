import { isReference } from '@headwater/runs/contract'
import type { PipelineTask } from '../../contract/index.ts'
import { runOrder, RunOrderError } from '../../core/index.ts'

/** One parameter of a task, for display. */
export interface ValueLine {
  /** Name of the parameter. */
  name: string
  /** The value, or the tasks and outputs it is linked to. */
  text: string
  /** Whether a link to other tasks provides the value. */
  isLinked: boolean
}

/** A task of a pipeline, for display. */
export interface TaskLine {
  /** The task. */
  task: PipelineTask
  /** Names of the tasks that must finish first. */
  follows: string[]
  /** Inputs that the pipeline sets. */
  inputs: ValueLine[]
  /** Outputs with references, with the names of the tasks that use them. */
  outputs: ValueLine[]
}

/**
 * Returns the tasks of a pipeline in the order in which they run.
 * @returns the tasks in the given order, with the problem, if they have no valid order
 */
export function taskLines(tasks: readonly PipelineTask[]): { lines: TaskLine[]; problem?: string } {
  const line = (task: PipelineTask) => lineOf(task, tasks)
  try {
    return { lines: runOrder(tasks).map(line) }
  } catch (error) {
    if (error instanceof RunOrderError) return { lines: tasks.map(line), problem: error.message }
    throw error
  }
}

function lineOf(task: PipelineTask, tasks: readonly PipelineTask[]): TaskLine {
  const inputs = task.taskOverrides.params.filter(({ type }) => type === 'INPUT')
  const providers = inputs.flatMap(({ value }) =>
    isReference(value) ? (providerOf(value, tasks)?.task ?? []) : [],
  )
  const named = task.prevTasks.flatMap(({ id }) => tasks.find((other) => other.id === id) ?? [])
  return {
    task,
    follows: [...new Set([...named, ...providers])].map(({ taskReadableName }) => taskReadableName),
    inputs: inputs.map(({ name, value }) => {
      const provider = isReference(value) ? providerOf(value, tasks) : undefined
      return provider === undefined
        ? { name, text: value, isLinked: false }
        : { name, text: `${provider.output} of ${provider.task.taskReadableName}`, isLinked: true }
    }),
    outputs: task.taskOverrides.params
      .filter(({ type, value }) => type === 'OUTPUT' && isReference(value))
      .map(({ name, value }) => ({
        name,
        text: usersOf(value, tasks).join(', ') || 'no task',
        isLinked: true,
      })),
  }
}

/** Returns the output with a reference, and its task. */
function providerOf(
  reference: string,
  tasks: readonly PipelineTask[],
): { task: PipelineTask; output: string } | undefined {
  for (const task of tasks) {
    const output = task.taskOverrides.params.find(
      ({ type, value }) => type === 'OUTPUT' && value === reference,
    )
    if (output !== undefined) return { task, output: output.name }
  }
  return undefined
}

function usersOf(reference: string, tasks: readonly PipelineTask[]): string[] {
  return tasks
    .filter((task) =>
      task.taskOverrides.params.some(({ type, value }) => type === 'INPUT' && value === reference),
    )
    .map(({ taskReadableName }) => taskReadableName)
}
