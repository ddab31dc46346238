import { isReference } from '@headwater/runs/contract'
import type { PipelineLink, PipelineTask } from '../contract/index.ts'

/** Fields of a task that determine its links. */
type LinkedTask = Pick<PipelineTask, 'id' | 'prevTasks' | 'taskOverrides'>

/**
 * Returns the links of a pipeline: one for each input that refers to an output of a task, and one without names and value for
 * each entry of `prevTasks`. References to outputs and entries for tasks that the pipeline does not have are omitted.
 */
export function linksOf(tasks: readonly LinkedTask[]): PipelineLink[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const outputs = outputsByReference(tasks)
  return tasks.flatMap(({ id, prevTasks, taskOverrides }) => [
    ...taskOverrides.params.flatMap(({ name, type, value }) => {
      const output = type === 'INPUT' && isReference(value) ? outputs.get(value) : undefined
      return output === undefined ? [] : [link(value, { task: id, name }, output)]
    }),
    ...[...new Map(prevTasks.map((previous) => [`${previous.branch} ${previous.id}`, previous])).values()]
      .filter((previous) => ids.has(previous.id))
      .map(({ id: task, branch = '' }) => link('', { task: id, name: '' }, { task, name: branch })),
  ])
}

/** Returns the tasks with `nextTasks` derived from all `prevTasks`. */
export function withNextTasks<Task extends Pick<PipelineTask, 'id' | 'prevTasks'>>(
  tasks: readonly Task[],
): (Task & Pick<PipelineTask, 'nextTasks'>)[] {
  const next = new Map<string, Set<string>>()
  for (const { id, prevTasks } of tasks)
    for (const previous of prevTasks)
      next.set(previous.id, (next.get(previous.id) ?? new Set<string>()).add(id))
  return tasks.map((task) => ({ ...task, nextTasks: [...(next.get(task.id) ?? [])].map((id) => ({ id })) }))
}

/** Returns the outputs by reference. If several outputs have the same reference, the first one counts, as in runs. */
function outputsByReference(tasks: readonly LinkedTask[]): Map<string, PipelineLink['output']> {
  const outputs = new Map<string, PipelineLink['output']>()
  for (const { id, taskOverrides } of tasks)
    for (const { name, type, value } of taskOverrides.params)
      if (type === 'OUTPUT' && isReference(value) && !outputs.has(value))
        outputs.set(value, { task: id, name })
  return outputs
}

function link(value: string, input: PipelineLink['input'], output: PipelineLink['output']): PipelineLink {
  const id = JSON.stringify([output.task, output.name, input.task, input.name])
  return { id, value, input, output }
}
