import { completeRetryRules } from '@headwater/runs/contract'
import type { PipelineTask } from '../contract/index.ts'

/** Fields of a pipeline that a save changes. */
export interface ComparedPipeline {
  name: string
  groupName: string
  tags: readonly string[]
  /** Canvas data, as JSON text. */
  payload: string
  /** How steps are executed. Default durable. */
  executionMode?: string | undefined
  tasks: readonly PipelineTask[]
}

/** A changed task. */
export interface TaskChange {
  /** Id of the task. */
  id: string
  /** Name of the task in the later pipeline, or else in the earlier one. */
  name: string
  /** Kind of the change. */
  kind: 'added' | 'removed' | 'changed'
  /** Names of the changed fields and parameters; empty for an added or removed task. */
  fields: string[]
}

/** Difference between two pipelines. */
export interface PipelineDifference {
  /** Labels of the changed fields of the pipeline itself. */
  fields: string[]
  /** Changed tasks: those of the later pipeline in its order, then the removed ones. */
  tasks: TaskChange[]
}

/** Fields of a task, with the labels that users see. */
const taskFields: readonly [label: string, read: (task: PipelineTask) => unknown][] = [
  ['name', (task) => task.taskReadableName],
  ['task', (task) => [task.taskGroup, task.taskName]],
  ['version', (task) => task.taskVersion],
  ['previous tasks', (task) => task.prevTasks.map(({ id, branch = '' }) => `${id} ${branch}`).toSorted()],
  ['approval', (task) => task.isPaused],
  ['behaviour after errors', (task) => task.onError ?? 'stop'],
  [
    'retries',
    (task) => ({ ...completeRetryRules(task), retryOn: completeRetryRules(task).retryOn.toSorted() }),
  ],
]

/** Returns the difference between two pipelines. Tasks correspond by id; the order of tasks is ignored. */
export function pipelineDifference(before: ComparedPipeline, after: ComparedPipeline): PipelineDifference {
  const earlier = new Map(before.tasks.map((task) => [task.id, task]))
  const later = new Set(after.tasks.map(({ id }) => id))
  const fields: [label: string, read: (pipeline: ComparedPipeline) => unknown][] = [
    ['name', ({ name }) => name],
    ['group', ({ groupName }) => groupName],
    ['tags', ({ tags }) => tags.toSorted()],
    ['execution mode', ({ executionMode }) => executionMode ?? 'durable'],
    ['layout and comments', ({ payload }) => payload],
  ]
  return {
    fields: fields.flatMap(([label, read]) => (isSame(read(before), read(after)) ? [] : [label])),
    tasks: [
      ...after.tasks.flatMap((task): TaskChange[] => {
        const other = earlier.get(task.id)
        const name = task.taskReadableName
        if (other === undefined) return [{ id: task.id, name, kind: 'added', fields: [] }]
        const changed = changedFields(other, task)
        return changed.length === 0 ? [] : [{ id: task.id, name, kind: 'changed', fields: changed }]
      }),
      ...before.tasks
        .filter(({ id }) => !later.has(id))
        .map(({ id, taskReadableName }): TaskChange => ({
          id,
          name: taskReadableName,
          kind: 'removed',
          fields: [],
        })),
    ],
  }
}

function changedFields(before: PipelineTask, after: PipelineTask): string[] {
  const fields = taskFields.flatMap(([label, read]) => (isSame(read(before), read(after)) ? [] : [label]))
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const params = [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key))
  return [...fields, ...params.map((key) => `“${key.slice(key.indexOf(' ') + 1)}”`)]
}

/** Returns the values of a task by type and name. */
function valuesOf({ taskOverrides }: PipelineTask): Map<string, string> {
  return new Map(taskOverrides.params.map(({ name, type, value }) => [`${type} ${name}`, value]))
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
