import { completeRetryRules, errorClasses } from '@headwater/runs/contract'
import { branchLabel } from '@headwater/tasks/core'
import type { PipelineTask } from '../contract/index.ts'

/** Fields of a pipeline that a save changes. */
export interface ComparedPipeline {
  name: string
  groupName: string
  tags: readonly string[]
  /** Canvas data, as a JSON string. */
  payload: string
  /** How steps are executed. Default durable. */
  executionMode?: string | undefined
  tasks: readonly PipelineTask[]
}

/** A changed task. */
export interface TaskChange {
  /** Id of the task. */
  id: string
  /** Name of the task in the later pipeline; for removed tasks, in the earlier one. */
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
  /** Changed tasks: added and changed tasks in the order of the later pipeline, then removed tasks. */
  tasks: TaskChange[]
}

/** A compared field: its label for users, its value, and the value as users read it. */
export interface ComparedField<Compared> {
  label: string
  read: (compared: Compared) => unknown
  /** Returns the value for users. Undefined if it cannot be read, such as the layout. */
  text: (compared: Compared, nameOf: (taskId: string) => string) => string | undefined
}

/** Compared fields of a task, besides its parameters. */
export const taskFields: readonly ComparedField<PipelineTask>[] = [
  { label: 'name', read: (task) => task.taskReadableName, text: (task) => task.taskReadableName },
  {
    label: 'task',
    read: (task) => [task.taskGroup, task.taskName],
    text: ({ taskGroup, taskName }) => (taskGroup === '' ? taskName : `${taskName} of ${taskGroup}`),
  },
  {
    label: 'version',
    read: (task) => task.taskVersion,
    text: ({ taskVersion }) => (taskVersion === null ? 'latest' : `v${taskVersion}`),
  },
  {
    label: 'previous tasks',
    read: (task) => task.prevTasks.map(({ id, branch = '' }) => `${id} ${branch}`).toSorted(),
    text: ({ prevTasks }, nameOf) =>
      prevTasks
        .map(({ id, branch }) => `${nameOf(id)}${branch === undefined ? '' : ` · ${branchLabel(branch)}`}`)
        .join(', '),
  },
  {
    label: 'approval',
    read: (task) => task.isPaused,
    text: ({ isPaused }) => (isPaused ? 'required' : 'not required'),
  },
  {
    label: 'behaviour after errors',
    read: (task) => task.onError ?? 'stop',
    text: (task) => task.onError ?? 'stop',
  },
  {
    label: 'retries',
    read: (task) => ({ ...completeRetryRules(task), retryOn: completeRetryRules(task).retryOn.toSorted() }),
    text: (task) => {
      const { retries, retryDelay, retryBackoff, retryMaxDelay, retryOn } = completeRetryRules(task)
      const rules = `first pause ${retryDelay} s, back-off factor ${retryBackoff}, longest pause ${retryMaxDelay} s`
      const errors = retryOn.length === errorClasses.length ? 'any error' : retryOn.toSorted().join(', ')
      return retries === 0 ? 'none' : `${retries}: ${rules}, after ${errors}`
    },
  },
]

/** Compared fields of a pipeline, besides its tasks. */
export const pipelineFields: readonly ComparedField<ComparedPipeline>[] = [
  { label: 'name', read: ({ name }) => name, text: ({ name }) => name },
  { label: 'group', read: ({ groupName }) => groupName, text: ({ groupName }) => groupName },
  { label: 'tags', read: ({ tags }) => tags.toSorted(), text: ({ tags }) => tags.join(', ') },
  {
    label: 'execution mode',
    read: ({ executionMode }) => executionMode ?? 'durable',
    text: ({ executionMode }) => executionMode ?? 'durable',
  },
  { label: 'layout and comments', read: ({ payload }) => payload, text: () => undefined },
]

/** Returns the difference between two pipelines. Tasks are matched by id; the order of tasks is ignored. */
export function pipelineDifference(before: ComparedPipeline, after: ComparedPipeline): PipelineDifference {
  const earlier = new Map(before.tasks.map((task) => [task.id, task]))
  const later = new Set(after.tasks.map(({ id }) => id))
  return {
    fields: pipelineFields.flatMap(({ label, read }) => (isSame(read(before), read(after)) ? [] : [label])),
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
  const fields = taskFields.flatMap(({ label, read }) => (isSame(read(before), read(after)) ? [] : [label]))
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
