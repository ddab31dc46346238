import { canWrite } from '@headwater/groups/contract'
import { isUuid, type Page } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { Task, TaskDefinition, TaskInput } from '../contract/index.ts'
import { checkExpression, type CheckedExpression } from './check-expression.ts'
import { findRunnableTask, type RunnableTask, type TaskName } from './find-runnable-task.ts'
import { createTask, updateTask } from './save-tasks.ts'
import { searchTasks } from './search-tasks.ts'
import { accessToTasks } from './task-access.ts'
import { definitionOf } from './task-kinds.ts'
import { builtInTask, findBuiltInKind, toListedTasks, toTask } from './task-view.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'
import { taskConditions } from './tasks-store.ts'

/** The tasks service. */
export type TasksService = ReturnType<typeof createTasksService>

/** Creates the tasks service. Access to a task depends on access to its group; every user can read built-in tasks. */
export function createTasksService(deps: TasksServiceDependencies) {
  const { kinds } = deps
  return {
    get: (principal: Principal, id: string, version?: number): Promise<Task> =>
      getTask(deps, principal, id, version),

    findRunnable: (principal: Principal, name: TaskName): Promise<RunnableTask> =>
      findRunnableTask(deps, principal, name),

    listDefinitions: (): TaskDefinition[] => kinds.list().map(definitionOf),

    listCategories: (): string[] => [...new Set(kinds.list().map(({ category }) => category))].toSorted(),

    /** Returns the categories of tasks that the caller can read, by id. */
    categoriesOf: (principal: Principal, ids: readonly string[]): Promise<Map<string, string>> =>
      categoriesOf(deps, principal, ids),

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

    checkExpression: (expression: CheckedExpression) => checkExpression(deps, expression),

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
  return toTask(deps.kinds, item, canWrite(group.access))
}

async function categoriesOf(
  { store, kinds, groups }: TasksServiceDependencies,
  principal: Principal,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const categories = new Map<string, string>()
  const saved: string[] = []
  for (const id of new Set(ids)) {
    const kind = findBuiltInKind(kinds, id)
    if (kind !== undefined) categories.set(id, kind.category)
    else if (isUuid(id)) saved.push(id)
  }
  if (saved.length === 0) return categories
  const filter = { scope: await groups.scope(principal), latest: true, where: taskConditions({ ids: saved }) }
  const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: saved.length } as const
  const { items } = await store.search(filter, page)
  for (const { id, summary } of items) categories.set(id, kinds.find(summary.definitionName)?.category ?? '')
  return categories
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
