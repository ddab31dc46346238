import { expect, test } from 'vitest'
import { pipelineTask } from '../../contract/index.ts'
import { versionChanges } from './version-changes.ts'

const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'
const task = (id: string, more: object = {}) =>
  pipelineTask.parse({
    id,
    taskName: 'script',
    taskGroup: 'Flows',
    taskReadableName: `Task ${id}`,
    ...more,
  })
const of = (tasks: ReturnType<typeof task>[], more: object = {}) => ({
  name: 'Daily',
  groupName: 'Flows',
  tags: ['a'],
  payload: '{}',
  tasks,
  ...more,
})
const values = (...params: object[]) => ({ taskOverrides: { params } })
const change = (label: string, before: string | undefined, after: string | undefined) => ({
  label,
  before,
  after,
})

test('lists changed settings of the pipeline and of its tasks with both values, and added and removed tasks', () => {
  const before = of([task('a', values({ name: 'In', value: '1' })), task('b'), task('gone')])
  const after = of(
    [
      task('a', {
        ...values({ name: 'In', value: '["x","y"]' }),
        taskVersion: 2,
        prevTasks: [{ id: 'b' }],
        isPaused: true,
        onError: 'skip',
        retries: 2,
        retryOn: ['timeout'],
      }),
      task('b', { taskGroup: 'Elsewhere', taskReadableName: 'Other' }),
      task('new'),
    ],
    { tags: ['a', 'c'], executionMode: 'fused', payload: '{"x":1}' },
  )
  expect(versionChanges(before, after)).toEqual([
    change('Pipeline · tags', 'a', 'a, c'),
    change('Pipeline · execution mode', 'durable', 'fused'),
    change('Pipeline · layout and comments', undefined, 'changed'),
    change('Other · name', 'Task b', 'Other'),
    change('Other · task', 'script of Flows', 'script of Elsewhere'),
    change('Task a · version', 'latest', 'v2'),
    change('Task a · previous tasks', '', 'Other'),
    change('Task a · approval', 'not required', 'required'),
    change('Task a · behaviour after errors', 'stop', 'skip'),
    change(
      'Task a · retries',
      'none',
      '2: first pause 10 s, back-off factor 2, longest pause 3600 s, after timeout',
    ),
    change('Task a · In', '1', 'x, y'),
    change('Task new', undefined, 'Task added'),
    change('Task gone', undefined, 'Task removed'),
  ])
  expect(versionChanges(after, after)).toEqual([])
})

test('describes a link once, at the input, and not a new reference between the same ends', () => {
  const linked = (value: string) =>
    of([task('a', values({ name: 'Out', type: 'OUTPUT', value })), task('b', values({ name: 'In', value }))])
  const unlinked = of([task('a'), task('b', values({ name: 'In', value: '1' }))])
  expect(versionChanges(unlinked, linked(reference))).toEqual([change('Task b · In', '1', 'Out of Task a')])
  expect(versionChanges(linked(reference), linked(reference.replace('5f', '6f')))).toEqual([])
})
