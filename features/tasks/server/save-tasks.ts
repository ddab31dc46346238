import { randomUUID } from 'node:crypto'
import { invalidInput } from '@headwater/contract'
import type { AccessibleGroup } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import { pausedByParams, taskErrors, withDefaults, type TaskInput } from '../contract/index.ts'
import { knownInputs } from './known-inputs.ts'
import { problemOfParams } from './param-problems.ts'
import type { TaskKind, TaskKinds } from './task-kinds.ts'
import { mergedParams } from './task-view.ts'
import { accessToTasks } from './task-access.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'
import type { TaskContent } from './tasks-store.ts'

/**
 * Saves a new task and returns its id.
 * @throws taskDefinitionUnknown, paramUnknown, paramInvalid, taskExists, taskGroupNotFound, taskGroupForbidden
 */
export async function createTask(
  deps: TasksServiceDependencies,
  principal: Principal,
  input: TaskInput,
): Promise<string> {
  const access = accessToTasks(deps)
  const checked = await scriptContentOf(deps.kinds, input)
  const group = await access.requireGroup(principal, input.groupName)
  const content = await withLockedPackages(deps.kinds, checked)
  const id = randomUUID()
  const outcome = await deps.store.create(id, versionOf(deps, principal, group, input.name, content))
  await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
  return id
}

/**
 * Saves a new version of a task and returns its id.
 * @param change.version number of the version that was edited
 * @throws taskNotFound, taskChanged if a newer version exists, and the errors of `createTask`
 */
export async function updateTask(
  deps: TasksServiceDependencies,
  principal: Principal,
  id: string,
  { version: basedOn, taskInput: input }: { version: number; taskInput: TaskInput },
): Promise<string> {
  const access = accessToTasks(deps)
  const { item } = await access.require(principal, { id }, 'RW')
  const checked = await scriptContentOf(deps.kinds, input)
  const group = await access.requireGroup(principal, input.groupName)
  const content = await withLockedPackages(deps.kinds, checked)
  const change = { ...versionOf(deps, principal, group, input.name, content), basedOn }
  const outcome = await deps.store.save(item.id, change)
  await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
  return item.id
}

/** Checks the input and its scripts, and adds omitted parameters. */
async function scriptContentOf(kinds: TaskKinds, input: TaskInput): Promise<TaskContent> {
  const content = await contentOf(kinds, input)
  await checkScripts(kinds.find(input.definitionName)!, input.params)
  return content
}

/** Checks the input, except for its scripts, against its kind and adds omitted parameters. */
export async function contentOf(
  kinds: TaskKinds,
  { name, groupName: _groupName, ...input }: TaskInput,
): Promise<TaskContent> {
  const kind = kinds.find(input.definitionName)
  if (kind === undefined) throw taskErrors.taskDefinitionUnknown({ name: input.definitionName })
  for (const param of input.params)
    if (!kind.openParams && !kind.params.some((known) => known.name === param.name))
      throw taskErrors.paramUnknown({ task: name, param: param.name })
  if (input.requirements.length > 0 && kind.lockPackages === undefined)
    throw taskErrors.paramInvalid({ problem: `Tasks of the kind “${kind.readableName}” have no packages.` })
  const params = withDefaults(mergedParams(kind, input.params))
  const problem = problemOfParams(params) ?? (await kind.problemOf?.(knownInputs(params)))
  if (problem !== undefined) throw taskErrors.paramInvalid({ problem })
  return { ...input, isPaused: pausedByParams(params) ?? input.isPaused, params }
}

/** Checks the scripts of a task. Throws an error for the field of the first invalid script. */
async function checkScripts(kind: TaskKind, params: TaskInput['params']): Promise<void> {
  const scripts = new Set(kind.params.flatMap(({ name, valueType }) => (valueType === 'SCRIPT' ? name : [])))
  for (const [index, { name, value }] of params.entries()) {
    if (!scripts.has(name) || !value) continue
    const message = await kind.problemOfScript?.(value)
    if (message !== undefined) throw invalidInput([{ field: `params[${index}].value`, message }])
  }
}

/** Adds the locked package versions that runs of a task use. */
export async function withLockedPackages(kinds: TaskKinds, content: TaskContent): Promise<TaskContent> {
  const { requirements = [], params, definitionName } = content
  const { locked, warnings } = (await kinds
    .find(definitionName)
    ?.lockPackages?.(knownInputs(params), requirements)) ?? { locked: [], warnings: [] }
  return { ...content, lockedPackages: locked, warnings }
}

function versionOf(
  { clock }: TasksServiceDependencies,
  principal: Principal,
  group: AccessibleGroup,
  name: string,
  content: TaskContent,
) {
  return { groupId: group.id, name, content, savedBy: principal.userId, savedAt: clock.now() }
}
