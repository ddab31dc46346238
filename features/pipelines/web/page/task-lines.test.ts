import { expect, test } from 'vitest'
import { referenceOf } from '@headwater/tasks/contract'
import { pipelineTask, type PipelineTask } from '../../contract/index.ts'
import { taskLines } from './task-lines.ts'

const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')

function task(id: string, more: object = {}): PipelineTask {
  return pipelineTask.parse({ id, name: `Task ${id}`, taskName: 'script', ...more })
}

test('tasks stand in the order they run, each with what it follows and where its values come from', () => {
  const { lines, problem } = taskLines([
    task('takes', {
      params: [
        { name: 'In', value: reference },
        { name: 'Whom', value: 'Brent' },
      ],
    }),
    task('last', { after: ['takes'] }),
    task('gives', { params: [{ name: 'Out', type: 'OUTPUT', value: reference }] }),
  ])
  expect(problem).toBeUndefined()
  expect(lines.map((line) => [line.task.id, line.follows])).toEqual([
    ['gives', []],
    ['takes', ['Task gives']],
    ['last', ['Task takes']],
  ])
  expect(lines[0]!.outputs).toEqual([{ name: 'Out', text: 'Task takes', isGiven: true }])
  expect(lines[1]!.inputs).toEqual([
    { name: 'In', text: 'Out of Task gives', isGiven: true },
    { name: 'Whom', text: 'Brent', isGiven: false },
  ])
})

test('tasks that wait for each other stand as they are listed, and it is said why', () => {
  const { lines, problem } = taskLines([task('a', { after: ['b'] }), task('b', { after: ['a'] })])
  expect(lines.map((line) => line.task.id)).toEqual(['a', 'b'])
  expect(problem).toContain('wait for each other')
})
