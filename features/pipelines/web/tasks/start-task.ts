import type { Task } from '@headwater/tasks/contract'
import { addRecentTask, type ParamValues } from '@headwater/tasks/web'
import { call } from '@headwater/web-kit'
import { executeTask } from '../../contract/index.ts'

/** Starts a run of a single task with values of its inputs, and returns the id of its job. */
export async function startTask(task: Task, values: ParamValues): Promise<string> {
  const params = Object.entries(values).map(([name, value]) => ({ name, value }))
  const { id: taskId, name: taskName, groupName: taskGroupName, version: taskVersion } = task
  const body = { taskName, taskGroupName, taskId, taskVersion, params, withOpenAiKey: false }
  const { jobId } = await call(executeTask, { body }, { keep: true })
  addRecentTask(task)
  return jobId
}
