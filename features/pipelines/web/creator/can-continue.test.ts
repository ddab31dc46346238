import { expect, test } from 'vitest'
import { approvalTaskName } from '@headwater/approvals/contract'
import type { Job } from '@headwater/statuses/contract'
import type { Task } from '@headwater/tasks/contract'
import { canContinue } from './can-continue.ts'
import type { TaskNode } from './draft.ts'

const nodes = ['ask', 'load'].map((id) => ({ id, data: { taskName: id } }) as TaskNode)
const taskOf = ({ taskName }: { taskName: string }) =>
  ({ definitionName: taskName === 'ask' ? approvalTaskName : 'script' }) as Task
const statuses = (...given: [string, string][]) => ({
  componentStatuses: given.map(([nodeId, status]) => ({ status, payload: { nodeId } })) as never,
})

test('a run offers Continue only if a task that needs no approvers is paused', () => {
  const offered = (job: Pick<Job, 'componentStatuses' | 'endTime'> | undefined) =>
    canContinue(job, nodes, taskOf)
  expect(offered(statuses(['ask', 'PAUSED']))).toBe(false)
  expect(offered(statuses(['ask', 'PAUSED'], ['load', 'INFO']))).toBe(false)
  expect(offered(statuses(['load', 'PAUSED']))).toBe(true)
  expect(offered(statuses(['ask', 'PAUSED'], ['load', 'PAUSED']))).toBe(true)
  expect(offered(statuses(['load', 'PAUSED'], ['load', 'INFO']))).toBe(false)
  expect(offered({ ...statuses(['load', 'PAUSED']), endTime: '2026-01-01T00:00:00' })).toBe(false)
  expect(offered(undefined)).toBe(false)
})
