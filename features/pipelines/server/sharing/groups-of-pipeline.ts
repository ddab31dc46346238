import { parseJson } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { ValueType } from '@headwater/tasks/contract'
import { parseObjectValue } from '@headwater/tasks/core'
import type { GroupAccess } from '@headwater/groups/server'
import {
  pipelineErrors,
  type PipelineTrigger,
  type StoredPipelineTask,
  type TriggerInput,
} from '../../contract/index.ts'
import { pipelinesBelow } from '../child-runs/child-cycles.ts'
import type { PipelinesStore } from '../pipelines-store.ts'
import { paramsOf, type RunPlans } from '../run-plans.ts'

/** Maximum number of other pipelines that are searched for groups. */
const maxPipelines = 200

/** Dependencies of the search for groups. */
export interface GroupsOfPipelineDependencies {
  /** Finds the parameters of tasks. */
  plans: Pick<RunPlans, 'lookUp'>
  /** Finds the pipelines that tasks run. */
  store: Pick<PipelinesStore, 'find'>
  /** Checks access to groups. */
  groups: Pick<GroupAccess, 'getGroup'>
  /** Returns the groups of a file or data prep that the caller can read, including the groups of its contents. */
  groupsOfObject: (principal: Principal, type: 'FILE' | 'DATA_PREP', id: string) => Promise<string[]>
}

/** Groups that a pipeline uses. */
export interface UsedGroups {
  /** Names without duplicates, the group of the pipeline first. */
  groupNames: string[]
  /** Names of tasks with expressions. Groups in expressions are known only in a run. */
  tasksWithExpressions: string[]
}

/**
 * Returns the groups that a pipeline uses: its own group and the groups of its tasks, their values and its triggers. Includes
 * the groups of pipelines that it runs if the caller can read these pipelines.
 * @throws pipelineInvalid if it runs too many pipelines
 */
export async function groupsOfPipeline(
  deps: GroupsOfPipelineDependencies,
  principal: Principal,
  {
    groupName,
    tasks,
    triggers,
  }: {
    groupName: string
    tasks: readonly StoredPipelineTask[]
    triggers: readonly (PipelineTrigger | TriggerInput)[]
  },
): Promise<UsedGroups> {
  const used = { groupNames: new Set([groupName]), tasksWithExpressions: [] as string[] }
  await addGroupsOfTasks(deps, principal, tasks, used)
  for (const name of triggers.flatMap(groupsOfTrigger)) used.groupNames.add(name)
  let visited = 0
  for await (const each of pipelinesBelow(deps, principal, tasks, groupName)) {
    visited += 1
    if (visited > maxPipelines)
      throw pipelineErrors.pipelineInvalid({
        problem: `The pipeline runs more than ${maxPipelines} other pipelines. Share the groups that it uses one by one.`,
      })
    used.groupNames.add(each.groupName)
    await addGroupsOfTasks(deps, principal, each.pipeline?.content.tasks ?? [], used)
  }
  return { ...used, groupNames: [...used.groupNames] }
}

async function addGroupsOfTasks(
  deps: GroupsOfPipelineDependencies,
  principal: Principal,
  tasks: readonly StoredPipelineTask[],
  { groupNames, tasksWithExpressions }: { groupNames: Set<string>; tasksWithExpressions: string[] },
): Promise<void> {
  for (const task of tasks) {
    if (task.taskGroup !== '') groupNames.add(task.taskGroup)
    const params = await valuesOf(deps, principal, task)
    if (params.some(({ mode, value }) => mode === 'expression' && value !== ''))
      tasksWithExpressions.push(task.taskReadableName)
    for (const param of params)
      for (const name of await groupsOfValue(deps, principal, param)) groupNames.add(name)
  }
}

/** Returns the groups that a trigger refers to. */
export function groupsOfTrigger(trigger: PipelineTrigger | TriggerInput): string[] {
  if (trigger.type === 'FILEARRIVAL') return [trigger.groupName]
  return trigger.type === 'EMAIL' && trigger.attachmentsGroupName ? [trigger.attachmentsGroupName] : []
}

/** Returns the group that a parameter value of unknown type may refer to; undefined if there is none. */
export function groupIn(name: string, value: string): string | undefined {
  if (objectIn(value) !== undefined) return groupInObject(value)
  return /group/i.test(name) && value !== '' && !value.startsWith('$') ? value : undefined
}

/** Returns the `groupName` of a JSON object; undefined for other values. */
function groupInObject(value: string): string | undefined {
  const name = objectIn(value)?.groupName
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Returns the object in a JSON value; undefined for other values. */
export function objectIn(value: string): Record<string, unknown> | undefined {
  const object = value.trimStart().startsWith('{') ? parseJson(value) : undefined
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : undefined
}

interface Value {
  name: string
  value: string
  mode?: 'fixed' | 'expression' | undefined
  valueType?: ValueType
}

/** Returns the values of a task; only the values of the pipeline if the caller cannot read the task. */
async function valuesOf(
  { plans }: GroupsOfPipelineDependencies,
  principal: Principal,
  task: StoredPipelineTask,
): Promise<Value[]> {
  const resolved = await unlessRefused(plans.lookUp(principal, [task]))
  return resolved === undefined ? task.taskOverrides.params : resolved.flatMap(paramsOf)
}

async function groupsOfValue(
  { groupsOfObject }: GroupsOfPipelineDependencies,
  principal: Principal,
  { name, value, mode, valueType }: Value,
): Promise<string[]> {
  if (mode === 'expression' || value.startsWith('${')) return []
  if (valueType === undefined) return [groupIn(name, value)].filter((group) => group !== undefined)
  if (valueType === 'GROUP') return value.trim() === '' ? [] : [value.trim()]
  const named = groupInObject(value)
  const id = ['FILE', 'DATA_PREP'].includes(valueType) ? parseObjectValue(value)?.id : undefined
  const groups = id === undefined ? [] : await groupsOfObject(principal, valueType as 'FILE', id)
  return named === undefined || groups.includes(named) ? groups : [named, ...groups]
}
