import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { ValueType } from '@headwater/tasks/contract'
import { parseObjectValue } from '@headwater/tasks/core'
import type { PipelineTrigger, StoredPipelineTask, TriggerInput } from '../../contract/index.ts'
import { paramsOf, type RunPlans } from '../run-plans.ts'

/** Dependencies of the search for groups. */
export interface GroupsOfPipelineDependencies {
  /** Finds the parameters of tasks. */
  plans: Pick<RunPlans, 'resolve'>
  /** Returns the groups of a file or data prep that the caller can read, and those of its contents. */
  groupsOfObject: (principal: Principal, type: 'FILE' | 'DATA_PREP', id: string) => Promise<string[]>
}

/** Groups that a pipeline uses. */
export interface UsedGroups {
  /** Names, first that of the pipeline, each once. */
  groupNames: string[]
  /** Names of tasks with expressions, whose groups are known only in a run. */
  tasksWithExpressions: string[]
}

/** Returns the groups that a pipeline uses: its own, those of its tasks, of their values, and of its triggers. */
export async function groupsOfPipeline(
  deps: GroupsOfPipelineDependencies,
  principal: Principal,
  pipeline: {
    groupName: string
    tasks: readonly StoredPipelineTask[]
    triggers: readonly (PipelineTrigger | TriggerInput)[]
  },
): Promise<UsedGroups> {
  const groupNames = new Set([pipeline.groupName])
  const tasksWithExpressions: string[] = []
  for (const task of pipeline.tasks) {
    if (task.taskGroup !== '') groupNames.add(task.taskGroup)
    const params = await valuesOf(deps, principal, task)
    if (params.some(({ mode, value }) => mode === 'expression' && value !== ''))
      tasksWithExpressions.push(task.taskReadableName)
    for (const param of params)
      for (const name of await groupsOfValue(deps, principal, param)) groupNames.add(name)
  }
  for (const name of pipeline.triggers.flatMap(groupsOfTrigger)) groupNames.add(name)
  return { groupNames: [...groupNames], tasksWithExpressions }
}

/** Returns the groups that a trigger names. */
export function groupsOfTrigger(trigger: PipelineTrigger | TriggerInput): string[] {
  if (trigger.type === 'FILEARRIVAL') return [trigger.groupName]
  return trigger.type === 'EMAIL' && trigger.attachmentsGroupName ? [trigger.attachmentsGroupName] : []
}

/** Returns the group that the value of a parameter names; undefined without one. */
export function groupIn(name: string, value: string): string | undefined {
  const object = objectIn(value)
  if (object !== undefined) return typeof object.groupName === 'string' ? object.groupName : undefined
  return /group/i.test(name) && value !== '' && !value.startsWith('$') ? value : undefined
}

/** Returns the object that a value holds as JSON; undefined for another value. */
export function objectIn(value: string): Record<string, unknown> | undefined {
  if (!value.trimStart().startsWith('{')) return undefined
  try {
    const object: unknown = JSON.parse(value)
    return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

interface Value {
  name: string
  value: string
  mode?: 'fixed' | 'expression' | undefined
  valueType?: ValueType
}

/** Returns the values of a task; those of the pipeline alone if the caller cannot read the task. */
async function valuesOf(
  { plans }: GroupsOfPipelineDependencies,
  principal: Principal,
  task: StoredPipelineTask,
): Promise<Value[]> {
  const resolved = await unlessRefused(plans.resolve(principal, [{ ...task, prevTasks: [] }]))
  return resolved === undefined ? task.taskOverrides.params : resolved.flatMap(paramsOf)
}

async function groupsOfValue(
  { groupsOfObject }: GroupsOfPipelineDependencies,
  principal: Principal,
  { name, value, mode, valueType }: Value,
): Promise<string[]> {
  if (mode === 'expression' || value.startsWith('${')) return []
  const named = groupIn(valueType === 'GROUP' ? 'group' : name, value)
  if (valueType !== 'FILE' && valueType !== 'DATA_PREP') return named === undefined ? [] : [named]
  const id = parseObjectValue(value)?.id
  const groups = id === undefined ? [] : await groupsOfObject(principal, valueType, id)
  return named === undefined || groups.includes(named) || objectIn(value) === undefined
    ? groups
    : [named, ...groups]
}
