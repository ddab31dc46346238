import { randomUUID } from 'node:crypto'
import { AppError, isUuid, wildcardMatcher, type Page } from '@headwater/contract'
import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
import { itemAccess } from '@headwater/items/server'
import { formatUtcSeconds, parseSearchQuery, type Clock, type Principal } from '@headwater/server-kit'
import {
  isReference,
  taskErrors,
  valueOf,
  type Task,
  type TaskDefinition,
  type TaskInput,
  type TaskParam,
} from '../contract/index.ts'
import { definitionOf, type TaskKind, type TaskKinds } from './task-kinds.ts'
import { taskConditions, type StoredTask, type TaskContent, type TasksStore } from './tasks-store.ts'

/** How a task is named in pipelines and calls. */
export interface TaskName {
  taskName: string
  /** Empty = built in. */
  taskGroupName: string
  /** Undefined = the newest. */
  taskVersion?: number | undefined
}

/** A task that can run. */
export interface RunnableTask {
  task: Task
  kind: TaskKind
}

export type TasksService = ReturnType<typeof createTasksService>

/** The rules of tasks: who sees, saves and deletes them. The group they lie in gives the rights; built-in ones are for everybody. */
export function createTasksService({
  store,
  kinds,
  groups,
  clock,
}: {
  store: TasksStore
  kinds: TaskKinds
  groups: GroupAccess
  clock: Clock
}) {
  const access = itemAccess<StoredTask>({ store, groups, errors: taskErrors })

  /** Refuses what no kind knows; fills in what was left out. */
  function contentOf({ name, groupName: _groupName, ...input }: TaskInput) {
    const kind = kinds.find(input.definitionName)
    if (kind === undefined) throw taskErrors.taskDefinitionUnknown({ name: input.definitionName })
    for (const param of input.params)
      if (!kind.openParams && !kind.params.some((known) => known.name === param.name))
        throw taskErrors.paramUnknown({ task: name, param: param.name })
    const params = mergedParams(kind, input.params)
    const known = params
      .filter(({ type }) => type === 'INPUT')
      .map((param) => [param.name, valueOf(param)] as const)
      .filter(([, value]) => value !== '' && !isReference(value))
    const problem = kind.problemOf?.(Object.fromEntries(known))
    if (problem !== undefined) throw taskErrors.paramInvalid({ problem })
    return { ...input, params }
  }

  function findBuiltIn(name: string): TaskKind | undefined {
    const kind = kinds.find(name)
    return kind !== undefined && isBuiltIn(kind) ? kind : undefined
  }

  function builtIn(kind: TaskKind): Task {
    const { openParams: _openParams, ...definition } = definitionOf(kind)
    return {
      ...definition,
      id: kind.definitionName,
      name: kind.definitionName,
      groupName: '',
      version: 1,
      latest: true,
      markdownId: null,
      isPaused: false,
      modifyDate: null,
      modifiedBy: null,
      writeAccess: false,
    }
  }

  function toTask(stored: StoredTask, writeAccess: boolean): Task {
    const { content } = stored
    const kind = kinds.find(content.definitionName)
    return {
      id: stored.id,
      name: stored.name,
      groupName: stored.groupName,
      version: stored.version,
      latest: stored.version === stored.newestVersion,
      readableName: content.readableName || stored.name,
      definitionName: content.definitionName,
      definitionId: kind?.definitionId ?? content.definitionName,
      category: kind?.category ?? '',
      description: content.description,
      imageUrl: kind?.imageUrl ?? null,
      cpu: kind?.cpu ?? 1,
      memory: content.memory ?? kind?.memory ?? 0,
      timeout: content.timeout ?? kind?.timeout ?? 0,
      markdownId: content.markdownId ?? null,
      isPaused: content.isPaused,
      params: kind === undefined ? content.params : mergedParams(kind, content.params),
      modifyDate: formatUtcSeconds(stored.savedAt),
      modifiedBy: stored.savedBy,
      writeAccess,
    }
  }

  async function shown(principal: Principal, items: readonly Omit<StoredTask, 'content'>[]): Promise<Task[]> {
    const tasks = await store.withContents(items)
    const writable = await groups.scope(principal, 'RW')
    return tasks.map((stored) => {
      const task = toTask(stored, writable.has(stored.groupId))
      return { ...task, params: task.params.map(withoutScript) }
    })
  }

  async function get(principal: Principal, id: string, version?: number): Promise<Task> {
    const kind = findBuiltIn(id)
    if (kind !== undefined) return builtIn(kind)
    const { item, group } = await access.require(principal, { id }, 'R', version)
    return toTask(item, group.access !== 'R')
  }

  return {
    get,

    /** A task by its name, for who may read it, with the kind that runs it. */
    async findRunnable(principal: Principal, name: TaskName): Promise<RunnableTask> {
      const { taskName, taskGroupName, taskVersion } = name
      if (taskGroupName === '') {
        const kind = findBuiltIn(taskName)
        if (kind === undefined) throw taskErrors.notFound({ what: `“${taskName}”` })
        return { task: builtIn(kind), kind }
      }
      const refusal = taskErrors.notFound({ what: `“${taskName}” in the group “${taskGroupName}”` })
      try {
        const group = await groups.getGroup(principal, taskGroupName, 'R')
        const stored = await store.find({ groupId: group.id, name: taskName }, taskVersion)
        const kind = stored && kinds.find(stored.content.definitionName)
        if (stored === undefined || kind === undefined) throw refusal
        return { task: toTask(stored, group.access !== 'R'), kind }
      } catch (error) {
        throw error instanceof AppError && error.code === 'groupNotFound' ? refusal : error
      }
    },

    listDefinitions: (): TaskDefinition[] => kinds.list().map(definitionOf),

    listCategories: (): string[] => [...new Set(kinds.list().map(({ category }) => category))].toSorted(),

    /** Tasks by name: first those of the installation, then those of groups. */
    async search(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ): Promise<Page<Task>> {
      const wanted = parseQuery(query)
      const known = kinds.list().filter((kind) => isBuiltIn(kind) && isWanted(kind, wanted))
      const filter = {
        scope: await groups.scope(principal),
        latest: true,
        id: wanted.id,
        namePattern: wanted.name,
        groupPattern: wanted.groupName,
        where: taskConditions({
          nameContains: wanted.nameContains,
          readableNamePattern: wanted.readableName,
          definitionNames:
            wanted.category === undefined
              ? undefined
              : kinds
                  .list()
                  .filter(({ category }) => matches(category, wanted.category!))
                  .map(({ definitionName }) => definitionName),
        }),
      }
      const shownKinds = known.slice(from, from + size)
      const rest = {
        sortBy: 'name',
        sortOrder: 'asc',
        from: Math.max(0, from - known.length),
        size: size - shownKinds.length,
      } as const
      const isNoId = wanted.id !== undefined && !isUuid(wanted.id)
      const { items, total } = isNoId ? { items: [], total: 0 } : await store.search(filter, rest)
      return {
        from,
        totalSize: known.length + total,
        items: [...shownKinds.map(builtIn), ...(await shown(principal, items))],
      }
    },

    async listVersions(
      principal: Principal,
      id: string,
      page: { from: number; size: number },
    ): Promise<Page<Task>> {
      const kind = findBuiltIn(id)
      if (kind !== undefined)
        return { from: page.from, totalSize: 1, items: page.from === 0 ? [builtIn(kind)] : [] }
      const { item } = await access.require(principal, { id }, 'R')
      const { items, total } = await store.listVersions(item.id, page)
      return { from: page.from, totalSize: total, items: await shown(principal, items) }
    },

    async create(principal: Principal, input: TaskInput): Promise<Task> {
      const content = contentOf(input)
      const group = await access.requireGroup(principal, input.groupName)
      const id = randomUUID()
      const outcome = await store.create(id, saved(principal, group, input.name, content))
      await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
      return get(principal, id)
    },

    async update(
      principal: Principal,
      id: string,
      { version: basedOn, taskInput: input }: { version: number; taskInput: TaskInput },
    ): Promise<Task> {
      const { item } = await access.require(principal, { id }, 'RW')
      const content = contentOf(input)
      const group = await access.requireGroup(principal, input.groupName)
      const change = { ...saved(principal, group, input.name, content), basedOn }
      const outcome = await store.save(item.id, change)
      await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
      return get(principal, item.id)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const { item } = await access.require(principal, { id }, 'RW')
      await store.remove(item.id)
    },
  }

  function saved(principal: Principal, group: AccessibleGroup, name: string, content: TaskContent) {
    return { groupId: group.id, name, content, savedBy: principal.userId, savedAt: clock.now() }
  }
}

/** The parameters of a kind with what a task says of them, and those that are its own. */
function mergedParams(kind: TaskKind, given: readonly TaskParam[]): TaskParam[] {
  const known = kind.params.map((param) => {
    const own = given.find(({ name }) => name === param.name)
    return own === undefined ? param : { ...param, value: own.value, dynamic: own.dynamic }
  })
  const open = given.filter(({ name }) => !kind.params.some((param) => param.name === name))
  return [...known, ...open]
}

/** Lists leave scripts out; they may be long. */
function withoutScript(param: TaskParam): TaskParam {
  return param.valueType === 'SCRIPT' ? { ...param, value: '', defaultValue: '' } : param
}

/** Whether a kind is a task without being saved. One whose code comes with the task is not: writing tasks is a right of its own. */
function isBuiltIn({ openParams }: TaskKind): boolean {
  return !openParams
}

interface WantedTasks {
  id?: string | undefined
  nameContains?: string | undefined
  name?: string | undefined
  readableName?: string | undefined
  groupName?: string | undefined
  category?: string | undefined
}

function parseQuery(text: string): WantedTasks {
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

function isWanted(kind: TaskKind, wanted: WantedTasks): boolean {
  const { definitionName, readableName, category } = kind
  return (
    (wanted.id === undefined || wanted.id === definitionName) &&
    (wanted.nameContains === undefined ||
      [definitionName, readableName].some((name) => matches(name, `*${wanted.nameContains}*`))) &&
    (wanted.name === undefined || matches(definitionName, wanted.name)) &&
    (wanted.readableName === undefined || matches(readableName, wanted.readableName)) &&
    (wanted.groupName === undefined || matches('', wanted.groupName)) &&
    (wanted.category === undefined || matches(category, wanted.category))
  )
}

/** Whether a text is meant by a pattern in which `*` stands for any text, in any letter case. */
function matches(text: string, pattern: string): boolean {
  return wildcardMatcher(pattern)(text)
}
