import type { Page } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { Task, TaskDefinition, TaskInput } from '../contract/index.ts'
import { findRunnableTask, type RunnableTask, type TaskName } from './find-runnable-task.ts'
import { createTask, updateTask } from './save-tasks.ts'
import { searchTasks } from './search-tasks.ts'
import { accessToTasks } from './task-access.ts'
import { definitionOf } from './task-kinds.ts'
import { builtInTask, findBuiltInKind, toListedTasks, toTask } from './task-view.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'

/** Use cases of tasks. */
export type TasksService = ReturnType<typeof createTasksService>

/** Creates the use cases of tasks. The group of a task gives the access to it; every user can read built-in tasks. */
export function createTasksService(deps: TasksServiceDependencies) {
  const { kinds } = deps
  return {
    get: (principal: Principal, id: string, version?: number): Promise<Task> =>
      getTask(deps, principal, id, version),

    findRunnable: (principal: Principal, name: TaskName): Promise<RunnableTask> =>
      findRunnableTask(deps, principal, name),

    listDefinitions: (): TaskDefinition[] => kinds.list().map(definitionOf),

    listCategories: (): string[] => [...new Set(kinds.list().map(({ category }) => category))].toSorted(),

    search: (principal: Principal, search: { query: string; from: number; size: number }) =>
      searchTasks(deps, principal, search),

    listVersions: (principal: Principal, id: string, page: { from: number; size: number }) =>
      listTaskVersions(deps, principal, id, page),

    create: async (principal: Principal, input: TaskInput): Promise<Task> =>
      getTask(deps, principal, await createTask(deps, principal, input)),

    update: async (
      principal: Principal,
      id: string,
      change: { version: number; taskInput: TaskInput },
    ): Promise<Task> => getTask(deps, principal, await updateTask(deps, principal, id, change)),

    async remove(principal: Principal, id: string): Promise<void> {
      const { item } = await accessToTasks(deps).require(principal, { id }, 'RW')
      await deps.store.remove(item.id)
    },
  }
}

async function getTask(
  deps: TasksServiceDependencies,
  principal: Principal,
  id: string,
  version?: number,
): Promise<Task> {
  const kind = findBuiltInKind(deps.kinds, id)
  if (kind !== undefined) return builtInTask(kind)
  const { item, group } = await accessToTasks(deps).require(principal, { id }, 'R', version)
  return toTask(deps.kinds, item, group.access !== 'R')
}

async function listTaskVersions(
  deps: TasksServiceDependencies,
  principal: Principal,
  id: string,
  page: { from: number; size: number },
): Promise<Page<Task>> {
  const kind = findBuiltInKind(deps.kinds, id)
  if (kind !== undefined)
    return { from: page.from, totalSize: 1, items: page.from === 0 ? [builtInTask(kind)] : [] }
  const { item } = await accessToTasks(deps).require(principal, { id }, 'R')
  const { items, total } = await deps.store.listVersions(item.id, page)
  return { from: page.from, totalSize: total, items: await toListedTasks(deps, principal, items) }
}
