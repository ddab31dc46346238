import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { linksOfPipeline } from './pipeline-links.ts'

const noValues = { taskOverrides: { params: [] } }

test('a pipeline references its documentation and its saved tasks with their groups and versions, but no built-in tasks', () => {
  const tasks = [
    { taskId: 't1', taskGroup: 'Scripts', taskVersion: 3, taskReadableName: 'Load', ...noValues },
    { taskId: 'store-file', taskGroup: '', taskVersion: null, taskReadableName: 'Store', ...noValues },
    { taskGroup: 'Gone', taskVersion: null, taskReadableName: 'Old', ...noValues },
  ]
  const valueLinks = [{ type: 'file', target: 'f1', part: 'Load' } as const]
  expect(linksOfPipeline({ tasks, markdownId: 'm1', valueLinks })).toEqual([
    { type: 'file', target: 'm1' },
    { type: 'group', target: 'Scripts', part: 'Load' },
    { type: 'task', target: 't1', part: 'Load', targetVersion: 3 },
    { type: 'group', target: 'Gone', part: 'Old' },
    { type: 'file', target: 'f1', part: 'Load' },
  ])
})

test('in an old version without typed values, an id that is passed to a task references a file or a data prep', () => {
  const id = randomUUID()
  const param = (value: string, more: object = {}) => ({ name: 'a', type: 'INPUT' as const, value, ...more })
  const params = [
    param(JSON.stringify({ id, name: 'a.csv', groupName: 'Oil' })),
    param('Gas'),
    param(randomUUID(), { mode: 'expression' }),
    param(randomUUID(), { type: 'OUTPUT' }),
  ]
  const task = { taskGroup: '', taskVersion: null, taskReadableName: 'Load', taskOverrides: { params } }
  expect(linksOfPipeline({ tasks: [task as never], markdownId: null })).toEqual([
    { type: 'file', target: id, part: 'Load' },
    { type: 'data-prep', target: id, part: 'Load' },
    { type: 'group', target: 'Oil', part: 'Load' },
  ])
})
