import { expect, test } from 'vitest'
import type { Job } from '@headwater/statuses/contract'
import type { Task } from '@headwater/tasks/contract'
import type { TaskNode } from '../draft.ts'
import { objectIdOf, objectParamsOf, statusRowsOf } from './status-rows.ts'

const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'
const step = (eId: string, nodeId: string, more: object = {}) => ({
  eId,
  component: nodeId,
  status: 'WARN',
  message: '',
  startTime: '2026-01-31T12:00:00',
  payload: { nodeId, groupName: 'Flows', fileName: 'a.csv', fileType: 'SOURCE' },
  messageCount: 3,
  ...more,
})

test('the rows of a task are its executions, newest first, each with its own warnings', () => {
  const last = step('e3', 'load', { prevEId: 'e1', endTime: '2026-01-31T12:00:01' })
  const warning = step('e3', 'load', { message: 'Price missing' })
  const job = {
    componentStatuses: [step('e1', 'load'), step('e2', 'other'), last],
    warnStatuses: [warning, step('e2', 'other')],
  } as unknown as Job
  const { messageCount: _count, ...row } = last
  expect(statusRowsOf(job, 'load')).toEqual([
    { ...row, warnStatuses: [warning] },
    expect.objectContaining({ eId: 'e1', warnStatuses: [] }),
  ])
  expect(statusRowsOf(job, 'unknown')).toEqual([])
})

test('parameters that reference files and data preps have the value of the pipeline, of a link, or of the task', () => {
  const param = (name: string, type: string, valueType: string, defaultValue = '') => ({
    name,
    type,
    valueType,
    value: '',
    defaultValue,
  })
  const task = {
    params: [
      param('Source', 'INPUT', 'FILE', 'default'),
      param('Linked', 'INPUT', 'FILE'),
      param('Computed', 'INPUT', 'FILE'),
      param('Text', 'INPUT', 'TEXT'),
      param('Prep', 'INPUT', 'DATA_PREP'),
      param('Result', 'OUTPUT', 'FILE'),
    ],
  } as unknown as Task
  const node = {
    data: {
      taskOverrides: {
        params: [
          { name: 'Computed', type: 'INPUT', value: 'x', mode: 'expression' },
          { name: 'Prep', type: 'INPUT', value: '{"id":"p1"}' },
          { name: 'Result', type: 'OUTPUT', value: reference },
        ],
      },
    },
  } as unknown as TaskNode
  expect(objectParamsOf(node, task, (name) => (name === 'Linked' ? reference : undefined))).toEqual([
    { name: 'Source', type: 'FILE', value: 'default' },
    { name: 'Linked', type: 'FILE', value: reference },
    { name: 'Prep', type: 'DATA_PREP', value: '{"id":"p1"}' },
    { name: 'Result', type: 'FILE', value: reference },
  ])
  expect(objectParamsOf(node, undefined, () => undefined)).toEqual([])
})

test.each([
  ['{"id":"f1","name":"a.csv"}', 'f1'],
  ['f1', 'f1'],
  [reference, 'f2'],
  ['${00000000-0000-4000-8000-000000000000}', undefined],
  ['', undefined],
])('the value %s references the object %s', (value, id) => {
  expect(objectIdOf(value, [{ name: reference, value: '{"id":"f2"}' }])).toBe(id)
})
