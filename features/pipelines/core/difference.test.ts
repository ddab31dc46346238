import { expect, test } from 'vitest'
import { pipelineTask } from '../contract/index.ts'
import { pipelineDifference } from './index.ts'

const task = (id: string, more: object = {}) =>
  pipelineTask.parse({ id, taskName: 'script', taskReadableName: `Task ${id}`, ...more })
const of = (tasks: ReturnType<typeof task>[], more: object = {}) => ({
  name: 'Daily',
  groupName: 'Flows',
  tags: ['a', 'b'],
  payload: '{}',
  tasks,
  ...more,
})
const values = (...params: object[]) => ({ taskOverrides: { params } })

test('the difference lists added, removed and changed tasks with their fields and parameters', () => {
  const before = of([task('a', values({ name: 'In', value: '1' })), task('b'), task('gone')])
  const after = of([
    task('new'),
    task('a', {
      ...values({ name: 'In', value: '2' }, { name: 'Out', type: 'OUTPUT', value: 'x' }),
      taskReadableName: 'Other',
      taskVersion: 2,
      prevTasks: [{ id: 'b' }],
      isPaused: true,
      onError: 'skip',
      retries: 1,
    }),
    task('b', { taskGroup: 'Elsewhere' }),
  ])
  expect(pipelineDifference(before, after)).toEqual({
    fields: [],
    tasks: [
      { id: 'new', name: 'Task new', kind: 'added', fields: [] },
      {
        id: 'a',
        name: 'Other',
        kind: 'changed',
        fields: [
          'name',
          'version',
          'previous tasks',
          'approval',
          'behaviour after errors',
          'retries',
          '“In”',
          '“Out”',
        ],
      },
      { id: 'b', name: 'Task b', kind: 'changed', fields: ['task'] },
      { id: 'gone', name: 'Task gone', kind: 'removed', fields: [] },
    ],
  })
})

const defaultRetries = {
  retryDelay: 10,
  retryBackoff: 2,
  retryMaxDelay: 3600,
  retryJitter: 0.5,
  retryOn: ['other', 'script', 'unavailable', 'connection', 'timeout'],
}

test('a changed retry rule counts as a difference', () => {
  for (const change of [
    { retries: 1 },
    { retryDelay: 11 },
    { retryBackoff: 3 },
    { retryMaxDelay: 60 },
    { retryJitter: 0 },
    { retryOn: ['timeout'] },
  ])
    expect(pipelineDifference(of([task('a')]), of([task('a', change)])).tasks).toMatchObject([
      { id: 'a', fields: ['retries'] },
    ])
})

test('fields of the pipeline count as differences; the order of tasks and tags, and explicit defaults, do not', () => {
  const before = of([task('a'), task('b')])
  const same = of([task('b', { onError: 'stop', retries: 0, ...defaultRetries }), task('a')], {
    tags: ['b', 'a'],
  })
  expect(pipelineDifference(before, same)).toEqual({ fields: [], tasks: [] })
  const changed = of(before.tasks, { name: 'Other', groupName: 'New', tags: ['a'], payload: '{"a":1}' })
  expect(pipelineDifference(before, changed).fields).toEqual(['name', 'group', 'tags', 'layout and comments'])
})
