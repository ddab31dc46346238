import { approvalTaskName } from '@headwater/approvals/contract'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import type { TaskNode } from './draft.ts'
import type { TaskOf } from './use-task-types.ts'

/** Returns whether a run is paused before a task that starts without approvers. */
export function canContinue(
  job: Pick<Job, 'componentStatuses' | 'endTime'> | undefined,
  nodes: readonly Pick<TaskNode, 'id' | 'data'>[],
  taskOf: TaskOf,
): boolean {
  if (job === undefined || isRunOver(job)) return false
  return nodes.some(({ id, data }) => {
    const status = job.componentStatuses.findLast(({ payload }) => payload.nodeId === id)?.status
    return status === 'PAUSED' && taskOf(data)?.definitionName !== approvalTaskName
  })
}
