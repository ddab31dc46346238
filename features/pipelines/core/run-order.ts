import { isReference, referencesIn, triggerValueName } from '@headwater/runs/contract'
import { triggerValueNames, type StoredPipelineTask } from '../contract/index.ts'

/** Error for tasks without a valid order. The message can be shown to users. */
export class RunOrderError extends Error {}

/**
 * Returns the tasks of a pipeline in execution order: after the tasks in `prevTasks` and the tasks that provide their inputs,
 * otherwise in the given order (Kahn's algorithm).
 * @param known references with a value before the run; no task has to provide them
 * @throws RunOrderError if tasks wait for each other or for an unknown task
 */
export function runOrder<Task extends StoredPipelineTask>(
  tasks: readonly Task[],
  known: ReadonlySet<string> = new Set(),
): Task[] {
  const before = tasksBefore(tasks, known)
  const ordered: Task[] = []
  const done = new Set<string>()
  while (ordered.length < tasks.length) {
    const next = tasks.find(({ id }) => !done.has(id) && before.get(id)!.every((other) => done.has(other)))
    if (next === undefined) {
      const names = tasks
        .filter(({ id }) => !done.has(id))
        .map(({ taskReadableName }) => `“${taskReadableName}”`)
      throw new RunOrderError(`The tasks ${names.join(', ')} wait for each other. Remove one of the links.`)
    }
    ordered.push(next)
    done.add(next.id)
  }
  return ordered
}

/**
 * Returns, by task id, the ids of the tasks that must end before each task: the tasks in `prevTasks` and the tasks that provide
 * its inputs.
 * @param known references with a value before the run; no task has to provide them
 * @throws RunOrderError if a task waits for an unknown task
 */
export function tasksBefore(
  tasks: readonly StoredPipelineTask[],
  known: ReadonlySet<string> = new Set(),
): Map<string, string[]> {
  return new Map([...linksBefore(tasks, known)].map(([id, links]) => [id, links.map((link) => link.id)]))
}

/** A link from a task to a task that must end before it. */
export interface LinkBefore {
  /** Id of the earlier task. */
  id: string
  /** The only branch of the earlier task that leads here; undefined if all branches do. */
  branch: string | undefined
  /** Whether an input uses one of its outputs. */
  isNeeded: boolean
}

/**
 * Returns, by task id, the links from each task to the tasks that must end before it, one link per earlier task.
 * @param known references with a value before the run; no task has to provide them
 * @throws RunOrderError if a task waits for an unknown task
 */
export function linksBefore(
  tasks: readonly StoredPipelineTask[],
  known: ReadonlySet<string> = new Set(),
): Map<string, LinkBefore[]> {
  const ids = new Set(tasks.map(({ id }) => id))
  const providers = providersIn(tasks)
  return new Map(tasks.map((task) => [task.id, linksOfTask(task, ids, providers, known)]))
}

/** Returns, by reference, the id of the task that provides the output. */
export function providersIn(tasks: readonly StoredPipelineTask[]): Map<string, string> {
  const providers = new Map<string, string>()
  for (const { id, taskOverrides } of tasks)
    for (const { type, value } of taskOverrides.params)
      if (type === 'OUTPUT' && !providers.has(value)) providers.set(value, id)
  return providers
}

function linksOfTask(
  task: StoredPipelineTask,
  ids: ReadonlySet<string>,
  providers: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): LinkBefore[] {
  for (const { id } of task.prevTasks)
    if (!ids.has(id))
      throw new RunOrderError(
        `“${task.taskReadableName}” follows “${id}”, but the pipeline has no such task.`,
      )
  const needed = new Set<string>()
  const required = task.taskOverrides.params
    .filter(({ type }) => type === 'INPUT')
    .flatMap(({ name, value, mode }) =>
      (mode === 'expression' ? referencesIn(value) : [value]).map((text) => ({ name, value: text, mode })),
    )
    .filter(({ value }) => isReference(value) && !known.has(value))
    .filter(({ name, value }) => !isValueOfTrigger(`“${name}” of “${task.taskReadableName}”`, value))
    .map(({ name, value, mode }) => {
      const provider = providers.get(value)
      if (provider === undefined)
        throw new RunOrderError(
          `“${name}” of “${task.taskReadableName}” refers to an output that no task has.`,
        )
      if (mode !== 'expression') needed.add(provider)
      return provider
    })
  return [...new Set([...task.prevTasks.map(({ id }) => id), ...required])].map((id) => ({
    id,
    branch: onlyBranch(task.prevTasks.filter((previous) => previous.id === id)),
    isNeeded: needed.has(id),
  }))
}

/** Returns the common branch of the links to a task; undefined if a link has no branch or the branches differ. */
function onlyBranch(links: StoredPipelineTask['prevTasks']): string | undefined {
  const branch = links[0]?.branch
  return links.every((link) => link.branch === branch) ? branch : undefined
}

/** Returns whether a reference refers to a trigger value, which exists from the start. Throws if the value is unknown. */
function isValueOfTrigger(what: string, reference: string): boolean {
  const name = triggerValueName(reference)
  if (name === undefined) return false
  if (triggerValueNames.some((known) => known === name)) return true
  throw new RunOrderError(
    `${what} refers to ${reference}. Triggers have the values ${triggerValueNames.join(', ')}.`,
  )
}
