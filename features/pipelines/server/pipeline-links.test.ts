import { expect, test } from 'vitest'
import { linksOfPipeline } from './pipeline-links.ts'

test('a pipeline names its documentation and its stored tasks with their groups, not the built-in ones', () => {
  const tasks = [
    { taskId: 't1', taskGroup: 'Scripts' },
    { taskId: 'store-file', taskGroup: '' },
    { taskGroup: 'Gone' },
  ]
  expect(linksOfPipeline({ tasks, markdownId: 'm1' })).toEqual([
    { type: 'file', target: 'm1' },
    { type: 'group', target: 'Scripts' },
    { type: 'task', target: 't1' },
    { type: 'group', target: 'Gone' },
  ])
})
