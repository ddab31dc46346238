import { expect, test } from 'vitest'
import { referenceOf } from '@headwater/runs/contract'
import { pipelineLink, pipelineTask, type PipelineTask } from '../contract/index.ts'
import { linksOf, withNextTasks } from './index.ts'

const prices = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')
const nowhere = referenceOf('00000000-0d43-4a43-9e01-0a1d2c3b4e5f')

function task(id: string, more: object = {}): PipelineTask {
  return pipelineTask.parse({ id, taskName: 'script', taskReadableName: id, ...more })
}
const params = (...list: object[]) => ({ taskOverrides: { params: list } })

test('DP-473 each link has an id, a value, and the task and name of its input and output', () => {
  const links = linksOf([
    task('takes', {
      ...params(
        { name: 'In', value: prices },
        { name: 'Also', value: prices },
        { name: 'Text', value: 'plain' },
        { name: 'Lost', value: nowhere },
        { name: 'Body', value: '${trigger.body}' },
      ),
      prevTasks: [{ id: 'gives' }, { id: 'gives' }, { id: 'gives', branch: 'else' }, { id: 'nobody' }],
    }),
    task('gives', params({ name: 'Out', type: 'OUTPUT', value: prices })),
    task('second', params({ name: 'Out', type: 'OUTPUT', value: prices })),
  ])
  const output = { task: 'gives', name: 'Out' }
  expect(links.map(({ id: _id, ...link }) => link)).toEqual([
    { value: prices, input: { task: 'takes', name: 'In' }, output },
    { value: prices, input: { task: 'takes', name: 'Also' }, output },
    { value: '', input: { task: 'takes', name: '' }, output: { task: 'gives', name: '' } },
    { value: '', input: { task: 'takes', name: '' }, output: { task: 'gives', name: 'else' } },
  ])
  expect(new Set(links.map(({ id }) => id)).size).toBe(4)
  for (const link of links) {
    expect(pipelineLink.parse(link)).toEqual(link)
    expect(typeof link.id).toBe('string')
  }
})

test('DP-470 DP-471 DP-472 a task contains its task reference, its values, and the ids of the tasks before and after it', () => {
  const whole = {
    id: 'a',
    taskId: 'c3d1',
    taskName: 'fetch',
    taskGroup: 'Prices',
    taskVersion: 3,
    taskReadableName: 'Fetch prices',
    taskCategory: 'Python',
    taskOverrides: { params: [{ name: 'In', type: 'INPUT', value: '1' }] },
    prevTasks: [{ id: 'b' }],
    nextTasks: [{ id: 'c' }],
    isPaused: true,
  }
  expect(pipelineTask.parse(whole)).toEqual(whole)
  const least = pipelineTask.parse({ id: 'a', taskName: 'fetch', taskReadableName: 'Fetch' })
  expect(least).toEqual({
    id: 'a',
    taskName: 'fetch',
    taskGroup: '',
    taskVersion: null,
    taskReadableName: 'Fetch',
    taskCategory: '',
    taskOverrides: { params: [] },
    prevTasks: [],
    nextTasks: [],
    isPaused: false,
  })
  for (const wrong of [{ prevTasks: ['b'] }, { nextTasks: ['b'] }, { taskOverrides: [] }, { isPaused: 'no' }])
    expect(pipelineTask.safeParse({ ...whole, ...wrong }).success).toBe(false)
  const forked = withNextTasks([
    task('a'),
    task('b', { prevTasks: [{ id: 'a' }] }),
    task('c', { prevTasks: [{ id: 'a' }] }),
  ])
  expect(forked.map(({ nextTasks }) => nextTasks)).toEqual([[{ id: 'b' }, { id: 'c' }], [], []])
})
