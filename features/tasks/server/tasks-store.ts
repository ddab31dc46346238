import { sql } from 'kysely'
import type { ItemFilter, Items, ItemStore, StoredItem } from '@headwater/items/server'
import { containsPattern, wildcardPattern } from '@headwater/server-kit'
import type { LockedPackage, TaskInput } from '../contract/index.ts'
import { linksOfTask } from './task-links.ts'

/** Fields of a task version in addition to its name and group. */
export type TaskContent = Omit<TaskInput, 'name' | 'groupName' | 'requirements'> & {
  /** Packages that the script imports; absent in versions saved before tasks had packages. */
  requirements?: TaskInput['requirements']
  /** Packages that the save locked; absent if there are none. */
  lockedPackages?: LockedPackage[]
  /** Reasons why runs will fail, determined when the task was saved. */
  warnings?: string[]
}

/** Fields that search conditions compare. */
type TaskSummary = Pick<TaskContent, 'readableName' | 'definitionName'>

/** A version of a task. */
export type StoredTask = StoredItem<TaskSummary> & { content: TaskContent }

/** Store of tasks in PostgreSQL. */
export type TasksStore = ItemStore<TaskContent, TaskSummary>

/** Creates the store. */
export function createTasksStore(items: Items): TasksStore {
  return items.storeOf({
    kind: 'task',
    summaryOf: ({ readableName, definitionName }: TaskContent): TaskSummary => ({
      readableName,
      definitionName,
    }),
    linksOf: linksOfTask,
  })
}

/** Returns SQL conditions for a search. Matching ignores case; `*` is a wildcard. */
export function taskConditions({
  ids,
  nameContains,
  readableNamePattern,
  definitionNames,
}: {
  /** Ids of tasks. */
  ids?: readonly string[] | undefined
  /** Part of the name or display name. */
  nameContains?: string | undefined
  readableNamePattern?: string | undefined
  /** Names of the kinds. */
  definitionNames?: readonly string[] | undefined
}): NonNullable<ItemFilter['where']> {
  const conditions = []
  const readableName = sql`lower(coalesce(nullif(saved.summary ->> 'readableName', ''), item.name))`
  if (ids !== undefined) conditions.push(sql`item.id = any(${ids}::uuid[])`)
  if (nameContains !== undefined) {
    const pattern = containsPattern(nameContains.toLowerCase())
    conditions.push(sql`(lower(item.name) like ${pattern} or ${readableName} like ${pattern})`)
  }
  if (readableNamePattern !== undefined)
    conditions.push(sql`${readableName} like ${wildcardPattern(readableNamePattern.toLowerCase())}`)
  if (definitionNames !== undefined)
    conditions.push(sql`saved.summary ->> 'definitionName' = any(${definitionNames}::text[])`)
  return conditions
}
