import { isReference } from '@headwater/tasks/contract'
import type { PipelineTask } from './pipeline.ts'

/** Why tasks cannot be put into an order. */
export class RunOrderError extends Error {}

/**
 * The tasks of a pipeline in the order they run: each after those it names in `after`, and after those that give what its
 * parameters refer to; otherwise as they are listed (Kahn's algorithm).
 * @throws RunOrderError when tasks wait for each other, or for one that is not there
 */
export function runOrder(tasks: readonly PipelineTask[]): PipelineTask[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const givers = giversIn(tasks)
  const before = new Map(tasks.map((task) => [task.id, requiredBy(task, ids, givers)]))
  const ordered: PipelineTask[] = []
  const done = new Set<string>()
  while (ordered.length < tasks.length) {
    const next = tasks.find(({ id }) => !done.has(id) && before.get(id)!.every((other) => done.has(other)))
    if (next === undefined) {
      const names = tasks.filter(({ id }) => !done.has(id)).map(({ name }) => `“${name}”`)
      throw new RunOrderError(`The tasks ${names.join(', ')} wait for each other. Remove one of the links.`)
    }
    ordered.push(next)
    done.add(next.id)
  }
  return ordered
}

/** Which task gives what a reference stands for. */
function giversIn(tasks: readonly PipelineTask[]): Map<string, string> {
  const givers = new Map<string, string>()
  for (const { id, params } of tasks)
    for (const { type, value } of params) if (type === 'OUTPUT' && !givers.has(value)) givers.set(value, id)
  return givers
}

function requiredBy(
  task: PipelineTask,
  ids: ReadonlySet<string>,
  givers: ReadonlyMap<string, string>,
): string[] {
  for (const id of task.after)
    if (!ids.has(id))
      throw new RunOrderError(`“${task.name}” follows “${id}”, and there is no such task in the pipeline.`)
  const given = task.params
    .filter(({ type, value }) => type === 'INPUT' && isReference(value))
    .map(({ name, value }) => {
      const giver = givers.get(value)
      if (giver === undefined)
        throw new RunOrderError(`“${name}” of “${task.name}” refers to an output that no task has.`)
      return giver
    })
  return [...task.after, ...given]
}
