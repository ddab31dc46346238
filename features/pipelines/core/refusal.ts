import type { PipelineTask } from '../contract/index.ts'

/** Data that determines whether a pipeline can be run or saved. */
export interface PipelineUse {
  /** Whether a run of the pipeline is waiting, running or paused. */
  isExecuting: boolean
  /** Whether the user has write access to the creator. */
  canWrite: boolean
  /** The tasks, with their values. */
  tasks: readonly Pick<PipelineTask, 'taskReadableName' | 'taskOverrides'>[]
  /** Whether a parameter of a task refers to a group. Default: parameters with “group” in their name. */
  isGroupParam?: (taskIndex: number, paramName: string) => boolean
}

/**
 * Returns the reason why a run or save is rejected; undefined if it is allowed. If there is a reason, the caller sends no
 * request.
 */
export function refusalOf(
  action: 'run' | 'save',
  { isExecuting, canWrite, tasks, isGroupParam = namesGroup }: PipelineUse,
): string | undefined {
  if (!canWrite)
    return `You need write access to the creator to ${action} pipelines. Ask an administrator for it.`
  if (isExecuting)
    return action === 'run'
      ? 'This pipeline is running already. Wait until the run finishes, then start it again.'
      : 'This pipeline is running. Wait until the run finishes, or stop it, then save.'
  for (const [index, { taskReadableName, taskOverrides }] of tasks.entries())
    for (const { name, type, value } of taskOverrides.params)
      if (type === 'INPUT' && isUnresolved(value) && isGroupParam(index, name))
        return `“${name}” of “${taskReadableName}” refers to a group that does not exist here. Choose a group, then ${action} the pipeline.`
  return undefined
}

/** Returns whether a value is the marker of an unresolved group id, such as `{ID:x}`. */
function isUnresolved(value: string): boolean {
  return value.startsWith('{ID:')
}

function namesGroup(_taskIndex: number, paramName: string): boolean {
  return paramName.toLowerCase().includes('group')
}
