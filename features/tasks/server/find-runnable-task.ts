import { canWrite } from '@headwater/groups/contract'
import { AppError } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import { taskErrors, type Task } from '../contract/index.ts'
import type { TaskKind } from './task-kinds.ts'
import { builtInTask, findBuiltInKind, toTask } from './task-view.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'

/** Reference to a task in pipelines and calls. */
export interface TaskName {
  /** Name of the task. */
  taskName: string
  /** Group of the task; empty if it is built in. */
  taskGroupName: string
  /** Version of the task; undefined means the newest. */
  taskVersion?: number | undefined
}

/** A task with the kind that runs it. */
export interface RunnableTask {
  /** The requested version. */
  task: Task
  /** Its kind. */
  kind: TaskKind
}

/**
 * Returns a task that the caller can read, by its name.
 * @throws taskNotFound if the task or its group is unknown or this installation does not have the kind
 */
export async function findRunnableTask(
  { store, kinds, groups }: TasksServiceDependencies,
  principal: Principal,
  { taskName, taskGroupName, taskVersion }: TaskName,
): Promise<RunnableTask> {
  if (taskGroupName === '') {
    const kind = findBuiltInKind(kinds, taskName)
    if (kind === undefined) throw taskErrors.notFound({ what: `“${taskName}”` })
    return { task: builtInTask(kind), kind }
  }
  const notFound = taskErrors.notFound({ what: `“${taskName}” in the group “${taskGroupName}”` })
  try {
    const group = await groups.getGroup(principal, taskGroupName, 'R')
    const stored = await store.find({ groupId: group.id, name: taskName }, taskVersion)
    const kind = stored && kinds.find(stored.content.definitionName)
    if (stored === undefined || kind === undefined) throw notFound
    return { task: toTask(kinds, stored, canWrite(group.access)), kind }
  } catch (error) {
    throw error instanceof AppError && error.code === 'groupNotFound' ? notFound : error
  }
}
