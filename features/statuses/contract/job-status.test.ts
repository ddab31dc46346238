import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { job, statusRow } from './job.ts'
import { combinedStatus, jobStatuses, triggerTypes, visibleStatus, type JobStatus } from './job-status.ts'

test('SH-240 DP-513 a job has one of eight statuses', () => {
  const statuses = ['running', 'paused', 'completed', 'error', 'info', 'pending', 'unexecuted', 'warn']
  expect(jobStatuses.map((status) => status.toLowerCase()).toSorted()).toEqual(statuses.toSorted())
  expect(job.shape.status.options).toEqual(jobStatuses)
})

test('DP-511 DP-512 a status row contains the status of a step with its warnings, and its payload names the node and the file', () => {
  expect(Object.keys(statusRow.shape).toSorted()).toEqual(
    [
      'eId',
      'prevEId',
      'status',
      'startTime',
      'endTime',
      'message',
      'component',
      'payload',
      'warnStatuses',
    ].toSorted(),
  )
  const payload = { nodeId: 'load', fileName: 'prices.csv', fileType: 'NCSV', groupName: 'Prices' }
  const row = {
    eId: 'e2',
    prevEId: 'e1',
    status: 'WARN',
    startTime: '2026-01-31T12:00:00',
    endTime: '2026-01-31T12:00:01',
    message: '',
    component: 'Load',
    payload,
  }
  expect(statusRow.parse({ ...row, warnStatuses: [row] })).toEqual({ ...row, warnStatuses: [row] })
  for (const field of Object.keys(payload)) {
    const wrong = { ...row, payload: { ...payload, [field]: 1 }, warnStatuses: [] }
    expect(statusRow.safeParse(wrong).success, field).toBe(false)
  }
})

test('SH-241 a job has one of eight trigger types', () => {
  const types = ['ANY', 'None', 'EMAIL', 'FILEARRIVAL', 'PIPELINE', 'RETRY', 'CRON', 'SCHEDULER']
  expect(triggerTypes).toEqual(types)
  expect(job.shape.types.element.options).toEqual(types)
})

const order = ['ERROR', 'RUNNING', 'WARN', 'PAUSED', 'PENDING', 'UNEXECUTED', 'INFO'] as const

test('SH-242 DP-514 a paused task is paused whatever the status of its downstream steps; otherwise both count', () => {
  for (const status of jobStatuses) expect(combinedStatus('PAUSED', [status])).toBe('PAUSED')
  expect(combinedStatus('PAUSED', order)).toBe('PAUSED')
  expect(combinedStatus('PAUSED', [])).toBe('PAUSED')
  expect(combinedStatus('RUNNING', ['PAUSED'])).toBe('RUNNING')
  expect(combinedStatus('WARN', ['COMPLETED', 'ERROR'])).toBe('ERROR')
  expect(combinedStatus('ERROR', ['COMPLETED', 'WARN'])).toBe('ERROR')
})

const pairs = order.flatMap((first, index) =>
  order.slice(index + 1).map((second) => [first, second] as const),
)

test.each(pairs)('SH-243 DP-515 %s comes before %s', (first, second) => {
  expect(combinedStatus('INFO', [second, first])).toBe(first)
  expect(combinedStatus(first, [second])).toBe(first)
  if (second !== 'PAUSED') expect(combinedStatus(second, [first])).toBe(first)
})

test('SH-243 DP-516 a status without a priority counts as unexecuted', () => {
  expect(combinedStatus('COMPLETED', ['SKIPPED' as JobStatus])).toBe('UNEXECUTED')
  expect(combinedStatus('COMPLETED', ['SKIPPED' as JobStatus, 'INFO'])).toBe('INFO')
})

test('SH-244 a job is completed when all its steps are, as documented; any other status takes priority', () => {
  expect(combinedStatus('COMPLETED', ['COMPLETED', 'COMPLETED'])).toBe('COMPLETED')
  expect(combinedStatus('COMPLETED', [])).toBe('COMPLETED')
  for (const status of order) expect(combinedStatus('COMPLETED', ['COMPLETED', status])).toBe(status)
  const decision = readFileSync(
    new URL('../../../docs/decisions/0057-tasks-and-pipelines.md', import.meta.url),
    'utf8',
  )
  expect(decision).toContain('(SH-244)')
})

test.each([
  ['ERROR', 'The run was stopped.', 'STOPPED'],
  ['ERROR', '“Load”: The run was stopped.', 'STOPPED'],
  ['ERROR', 'The run was stopped by anna@example.com.', 'STOPPED'],
  ['ERROR', 'The run was stopped because of an error.', 'ERROR'],
  ['ERROR', 'The run was stopped.\nreading 3 files', 'STOPPED'],
  ['ERROR', 'The script failed: The run was stopped.', 'ERROR'],
  ['ERROR', '', 'ERROR'],
  ['INFO', 'The run was stopped.', 'INFO'],
] as const)('users see %s with “%s” as %s', (status, message, visible) => {
  expect(visibleStatus({ status, message })).toBe(visible)
})
