import { isReference } from '@headwater/runs/contract'
import { branchLabel } from '@headwater/tasks/core'
import type { PipelineTask } from '../../contract/index.ts'
import { runOrder, RunOrderError } from '../../core/index.ts'
import { paramLabel } from '../param-label.ts'
import { valueText } from '../value-text.ts'

/** One parameter of a task, for display. */
export interface ValueLine {
  /** Label of the parameter. */
  name: string
  /** The parameter and its value; absent for a link. */
  given?: { param: string; value: string }
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
  const links = linkedTasks(tasks)
  const line = (task: PipelineTask) => lineOf(task, links)
  try {
    return { lines: runOrder(tasks).map(line) }
  } catch (error) {
    if (error instanceof RunOrderError) return { lines: tasks.map(line), problem: error.message }
    throw error
  }
}

/**
 * Indexes the tasks of a pipeline by the references that link them, so that a list of hundreds of tasks is built in one
 * pass.
 */
interface LinkedTasks {
  byId: ReadonlyMap<string, PipelineTask>
  /** The output with each reference, and its task. */
  providers: ReadonlyMap<string, { task: PipelineTask; output: string }>
  /** The tasks that use each reference. */
  users: ReadonlyMap<string, ReadonlySet<PipelineTask>>
}

function linkedTasks(tasks: readonly PipelineTask[]): LinkedTasks {
  const providers = new Map<string, { task: PipelineTask; output: string }>()
  const users = new Map<string, Set<PipelineTask>>()
  for (const task of tasks)
    for (const { name, type, value } of task.taskOverrides.params) {
      if (!isReference(value)) continue
      if (type === 'INPUT') users.set(value, (users.get(value) ?? new Set()).add(task))
      else if (!providers.has(value)) providers.set(value, { task, output: name })
    }
  return { byId: new Map(tasks.map((task) => [task.id, task])), providers, users }
}

function lineOf(task: PipelineTask, { byId, providers, users }: LinkedTasks): TaskLine {
  const inputs = task.taskOverrides.params.filter(({ type }) => type === 'INPUT')
  const before = inputs.flatMap(({ value }) => providers.get(value)?.task ?? [])
  const named = task.prevTasks.flatMap(({ id, branch }) => {
    const previous = byId.get(id)?.taskReadableName
    if (previous === undefined) return []
    return branch === undefined ? previous : `${previous} (${branchLabel(branch)})`
  })
  return {
    task,
    follows: [...new Set([...named, ...before.map(({ taskReadableName }) => taskReadableName)])],
    inputs: inputs.map(({ name: param, value }) => {
      const name = paramLabel(task, param)
      const provider = providers.get(value)
      return provider === undefined
        ? { name, given: { param, value }, text: valueText(value), isLinked: false }
        : { name, text: outputText(provider), isLinked: true }
    }),
    outputs: task.taskOverrides.params
      .filter(({ type, value }) => type === 'OUTPUT' && isReference(value))
      .map(({ name, value }) => ({
        name: paramLabel(task, name),
        text: [...(users.get(value) ?? [])].map((user) => user.taskReadableName).join(', ') || 'no task',
        isLinked: true,
      })),
  }
}

function outputText({ task, output }: { task: PipelineTask; output: string }): string {
  return `${paramLabel(task, output)} of ${task.taskReadableName}`
}
