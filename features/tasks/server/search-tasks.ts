import { isUuid, wildcardMatcher, type Page } from '@headwater/contract'
import { parseSearchQuery, type Principal } from '@headwater/server-kit'
import type { Task } from '../contract/index.ts'
import type { TaskKind } from './task-kinds.ts'
import { builtInTask, isBuiltIn, toListedTasks } from './task-view.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'
import { taskConditions } from './tasks-store.ts'

/** Conditions of a search. Undefined conditions match every task. */
interface TaskCriteria {
  id?: string | undefined
  nameContains?: string | undefined
  name?: string | undefined
  readableName?: string | undefined
  groupName?: string | undefined
  category?: string | undefined
}

/** Returns a page of the tasks that the caller can read: built-in ones first, then saved ones by name. */
export async function searchTasks(
  deps: TasksServiceDependencies,
  principal: Principal,
  { query, from, size }: { query: string; from: number; size: number },
): Promise<Page<Task>> {
  const { store, kinds, groups } = deps
  const criteria = parseCriteria(query)
  const builtIn = kinds.list().filter((kind) => isBuiltIn(kind) && meetsCriteria(kind, criteria))
  const filter = {
    scope: await groups.scope(principal),
    latest: true,
    id: criteria.id,
    namePattern: criteria.name,
    groupPattern: criteria.groupName,
    where: taskConditions({
      nameContains: criteria.nameContains,
      readableNamePattern: criteria.readableName,
      definitionNames:
        criteria.category === undefined
          ? undefined
          : kinds
              .list()
              .filter(({ category }) => matchesPattern(category, criteria.category!))
              .map(({ definitionName }) => definitionName),
    }),
  }
  const builtInOfPage = builtIn.slice(from, from + size)
  const rest = {
    sortBy: 'name',
    sortOrder: 'asc',
    from: Math.max(0, from - builtIn.length),
    size: size - builtInOfPage.length,
  } as const
  const isInvalidId = criteria.id !== undefined && !isUuid(criteria.id)
  const { items, total } = isInvalidId ? { items: [], total: 0 } : await store.search(filter, rest)
  return {
    from,
    totalSize: builtIn.length + total,
    items: [...builtInOfPage.map(builtInTask), ...(await toListedTasks(deps, principal, items))],
  }
}

function parseCriteria(text: string): TaskCriteria {
  const { pairs, freeText } = parseSearchQuery(text)
  const valueOf = (name: string) => pairs.find(({ key }) => key.toLowerCase() === name)?.value.trim()
  return {
    id: valueOf('id')?.toLowerCase(),
    nameContains: freeText.replaceAll('*', '') === '' ? undefined : freeText,
    name: valueOf('name'),
    readableName: valueOf('readablename'),
    groupName: valueOf('groupname'),
    category: valueOf('category'),
  }
}

function meetsCriteria(kind: TaskKind, criteria: TaskCriteria): boolean {
  const { definitionName, readableName, category } = kind
  return (
    (criteria.id === undefined || criteria.id === definitionName) &&
    (criteria.nameContains === undefined ||
      [definitionName, readableName].some((name) => matchesPattern(name, `*${criteria.nameContains}*`))) &&
    (criteria.name === undefined || matchesPattern(definitionName, criteria.name)) &&
    (criteria.readableName === undefined || matchesPattern(readableName, criteria.readableName)) &&
    (criteria.groupName === undefined || matchesPattern('', criteria.groupName)) &&
    (criteria.category === undefined || matchesPattern(category, criteria.category))
  )
}

/** Returns whether a string matches a pattern, ignoring case; `*` is a wildcard. */
function matchesPattern(text: string, pattern: string): boolean {
  return wildcardMatcher(pattern)(text)
}
