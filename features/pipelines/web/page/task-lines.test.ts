import { expect, test } from 'vitest'
import { referenceOf } from '@headwater/runs/contract'
import { pipelineTask, type PipelineTask } from '../../contract/index.ts'
import { taskLines } from './task-lines.ts'

const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')

function task(id: string, more: object = {}): PipelineTask {
  return pipelineTask.parse({
    id,
    taskReadableName: `Task ${id}`,
    taskName: 'script',
    taskGroup: 'Scripts',
    ...more,
  })
}

test('tasks are listed in execution order, with the tasks they follow and the sources of their values', () => {
  const { lines, problem } = taskLines([
    task('takes', {
      taskOverrides: {
        params: [
          { name: 'In', value: reference },
          { name: 'Whom', value: 'Brent' },
          { name: 'Columns', value: '["Code","Close"]' },
          { name: 'File', value: '{"id": "1", "name": "prices.csv", "groupName": "Prices"}' },
          { name: 'Series', value: '{"groupName": "Prices", "symbols": {"Code": "WTI"}, "column": "Close"}' },
          { name: 'Settings', value: '{"a": [1, {}]}' },
        ],
      },
    }),
    task('last', { prevTasks: [{ id: 'takes' }] }),
    task('gives', { taskOverrides: { params: [{ name: 'Out', type: 'OUTPUT', value: reference }] } }),
  ])
  expect(problem).toBeUndefined()
  expect(lines.map((line) => [line.task.id, line.follows])).toEqual([
    ['gives', []],
    ['takes', ['Task gives']],
    ['last', ['Task takes']],
  ])
  expect(lines[0]!.outputs).toEqual([{ name: 'Out', text: 'Task takes', isLinked: true }])
  expect(lines[1]!.inputs).toMatchObject([
    { name: 'In', text: 'Out of Task gives', isLinked: true },
    { name: 'Whom', given: { param: 'Whom', value: 'Brent' }, text: 'Brent', isLinked: false },
    { name: 'Columns', text: 'Code, Close', isLinked: false },
    { name: 'File', text: 'prices.csv', isLinked: false },
    { name: 'Series', text: 'WTI · Close', isLinked: false },
    { name: 'Settings', text: '{"a": [1, {}]}', isLinked: false },
  ])
})

test('parameters of built-in tasks have readable labels', () => {
  const output = { name: 'outputFile', type: 'OUTPUT', value: reference }
  const inputs = [
    { name: 'bodyFile', value: reference },
    { name: 'insightId', value: '7' },
  ]
  const { lines } = taskLines([
    task('gives', { taskGroup: '', taskOverrides: { params: [output] } }),
    task('takes', { taskGroup: '', taskOverrides: { params: inputs } }),
  ])
  expect(lines[0]!.outputs.map(({ name }) => name)).toEqual(['Output file'])
  expect(lines[1]!.inputs.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'Body file: Output file of Task gives',
    'Insight: 7',
  ])
})

test('tasks that wait for each other keep the given order and report the problem', () => {
  const { lines, problem } = taskLines([
    task('a', { prevTasks: [{ id: 'b' }] }),
    task('b', { prevTasks: [{ id: 'a' }] }),
  ])
  expect(lines.map((line) => line.task.id)).toEqual(['a', 'b'])
  expect(problem).toContain('wait for each other')
})
