import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import type { Task, TaskParam } from '../contract/index.ts'
import { definitionOf, type TaskKind, type TaskKinds } from './task-kinds.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'
import type { StoredTask } from './tasks-store.ts'

/**
 * Returns whether every user can run a kind without saving a task. Kinds with code in the task are excluded, because writing
 * code requires write access.
 */
export function isBuiltIn({ openParams }: TaskKind): boolean {
  return !openParams
}

/** Returns the built-in kind with this name. */
export function findBuiltInKind(kinds: TaskKinds, name: string): TaskKind | undefined {
  const kind = kinds.find(name)
  return kind !== undefined && isBuiltIn(kind) ? kind : undefined
}

/** Returns a built-in kind as a task. */
export function builtInTask(kind: TaskKind): Task {
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
    requirements: [],
    lockedPackages: [],
    warnings: [],
    modifyDate: null,
    modifiedBy: null,
    writeAccess: false,
  }
}

/** Converts a version of a saved task to its response format. */
export function toTask(kinds: TaskKinds, stored: StoredTask, writeAccess: boolean): Task {
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
    requirements: content.requirements ?? [],
    lockedPackages: content.lockedPackages ?? [],
    warnings: content.warnings ?? [],
    params: kind === undefined ? content.params : mergedParams(kind, content.params),
    modifyDate: formatUtcSeconds(stored.savedAt),
    modifiedBy: stored.savedBy,
    writeAccess,
  }
}

/** Converts saved tasks to list items, without scripts because these can be long. */
export async function toListedTasks(
  { store, kinds, groups }: TasksServiceDependencies,
  principal: Principal,
  items: readonly Omit<StoredTask, 'content'>[],
): Promise<Task[]> {
  const tasks = await store.withContents(items)
  const writable = await groups.scope(principal, 'RW')
  return tasks.map((stored) => {
    const task = toTask(kinds, stored, writable.has(stored.groupId))
    return { ...task, params: task.params.map(withoutScript) }
  })
}

/** Returns the parameters of the kind with the values of the task, followed by the task's own parameters. */
export function mergedParams(kind: TaskKind, given: readonly TaskParam[]): TaskParam[] {
  const known = kind.params.map((param) => {
    const own = given.find(({ name }) => name === param.name)
    return own === undefined
      ? param
      : {
          ...param,
          value: own.value,
          dynamic: own.dynamic,
          ...(own.mode === undefined ? {} : { mode: own.mode }),
        }
  })
  const open = given.filter(({ name }) => !kind.params.some((param) => param.name === name))
  return [...known, ...open]
}

function withoutScript(param: TaskParam): TaskParam {
  return param.valueType === 'SCRIPT' ? { ...param, value: '', defaultValue: '' } : param
}
