import { isReference } from '@headwater/tasks/contract'
import { type PipelineTask, runOrder, RunOrderError } from '../../contract/index.ts'

/** One value of a task, as people read it. */
export interface ValueLine {
  name: string
  text: string
  /** Where the value comes from, when another task gives it. */
  isGiven: boolean
}

/** A task of a pipeline, as people read it. */
export interface TaskLine {
  task: PipelineTask
  /** Names of the tasks it follows. */
  follows: string[]
  inputs: ValueLine[]
  /** What it hands on, with the names of the tasks that take it. */
  outputs: ValueLine[]
}

/**
 * The tasks of a pipeline in the order they run.
 * @returns the tasks as they are listed, with what is wrong, when they cannot be put into an order
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
  const inputs = task.params.filter(({ type }) => type === 'INPUT')
  const givers = inputs.flatMap(({ value }) =>
    isReference(value) ? (giverOf(value, tasks)?.task ?? []) : [],
  )
  const named = task.after.flatMap((id) => tasks.find((other) => other.id === id) ?? [])
  return {
    task,
    follows: [...new Set([...named, ...givers])].map(({ name }) => name),
    inputs: inputs.map(({ name, value }) => {
      const giver = isReference(value) ? giverOf(value, tasks) : undefined
      return giver === undefined
        ? { name, text: value, isGiven: false }
        : { name, text: `${giver.output} of ${giver.task.name}`, isGiven: true }
    }),
    outputs: task.params
      .filter(({ type, value }) => type === 'OUTPUT' && isReference(value))
      .map(({ name, value }) => ({
        name,
        text: takersOf(value, tasks).join(', ') || 'nobody',
        isGiven: true,
      })),
  }
}

/** Which output gives what a reference stands for. */
function giverOf(
  reference: string,
  tasks: readonly PipelineTask[],
): { task: PipelineTask; output: string } | undefined {
  for (const task of tasks) {
    const output = task.params.find(({ type, value }) => type === 'OUTPUT' && value === reference)
    if (output !== undefined) return { task, output: output.name }
  }
  return undefined
}

function takersOf(reference: string, tasks: readonly PipelineTask[]): string[] {
  return tasks
    .filter((task) => task.params.some(({ type, value }) => type === 'INPUT' && value === reference))
    .map(({ name }) => name)
}
