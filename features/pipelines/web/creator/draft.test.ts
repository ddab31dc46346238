import { expect, test } from 'vitest'
import { paste } from '@headwater/canvas'
import { isReference, referenceOf } from '@headwater/runs/contract'
import { pipelineInput, type PipelineDetails, pipelineTask } from '../../contract/index.ts'
import {
  connect,
  copyOf,
  draftOf,
  inputOf,
  orderPort,
  orderPortOf,
  readTaskData,
  tasksOf,
  withMode,
  withParam,
  withReferences,
} from './draft.ts'
import { portsOf } from './task-ports.ts'

const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')
const other = '6f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f'
const named = {
  name: 'Daily',
  groupName: 'Flows',
  tags: ['x'],
  markdownId: null,
}

function task(id: string, more: object = {}) {
  return pipelineTask.parse({ id, taskReadableName: `Task ${id}`, taskName: 'script', ...more })
}
function stored(tasks: object[], payload: object = {}): PipelineDetails {
  return {
    batchConfig: { tasks },
    payload: JSON.stringify(payload),
    pipeline: { executionMode: 'durable' },
  } as PipelineDetails
}
const params = (...list: object[]) => ({ taskOverrides: { params: list } })
const tasks = [
  task('a', params({ name: 'Out', type: 'OUTPUT', value: reference })),
  task('b', {
    ...params({ name: 'In', value: reference }, { name: 'Whom', value: 'Brent' }),
    prevTasks: [{ id: 'a' }],
  }),
  task('c', params({ name: 'In', value: '${trigger.body}' })),
]

test('DP-437 DP-438 DP-494 the payload is the JSON text of positions, comments and commentsVisible', () => {
  const comment = { id: 'c1', text: 'Why', author: 'anna', position: { x: 64, y: 0 } }
  const payload = {
    positions: { a: { x: 64, y: 128 }, b: { x: 1, y: 2 }, c: { x: 3, y: 4 } },
    comments: [comment],
    commentsVisible: false,
  }
  const draft = draftOf(stored(tasks, payload))
  expect(draft.graph.comments).toEqual([comment])
  expect(draft.graph.nodes[0]!.position).toEqual({ x: 64, y: 128 })
  const saved = inputOf(draft, named)
  expect(typeof saved.payload).toBe('string')
  expect(JSON.parse(saved.payload)).toEqual(payload)
  expect(pipelineInput.parse(saved)).toMatchObject(named)
})

test('DP-496 a comment without an author has the author Comment', () => {
  const comment = { id: 'c1', text: 'Why', position: { x: 64, y: 0 } }
  const { graph } = draftOf(stored(tasks, { comments: [comment, { ...comment, id: 'c2', author: '' }] }))
  expect(graph.comments.map(({ author }) => author)).toEqual(['Comment', 'Comment'])
})

test('opening a version and saving it again changes nothing', () => {
  const again = tasksOf(draftOf(stored(tasks)).graph)
  const sorted = (all: typeof again) =>
    all.map(({ nextTasks: _nextTasks, taskOverrides, ...rest }) => ({
      ...rest,
      params: taskOverrides.params.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }))
  expect(sorted(again)).toEqual(sorted(tasks))
  expect(again.map(({ nextTasks }) => nextTasks)).toEqual([[{ id: 'b' }], [], []])
})

test('unreadable canvas data is treated as absent', () => {
  const hostile = { positions: { a: { x: 'no' }, b: null, c: 7 }, comments: [{ id: 1 }, 'x', null] }
  const draft = draftOf(stored(tasks, hostile))
  expect(draft.graph.comments).toEqual([])
  expect(draft.commentsVisible).toBe(true)
  const positions = draft.graph.nodes.map(({ position: { x, y } }) => `${x} ${y}`)
  expect(new Set(positions).size).toBe(3)
  for (const payload of [{ positions: [] }, { positions: null, comments: {} }])
    expect(draftOf(stored(tasks, payload)).graph.nodes).toHaveLength(3)
})

test('DP-473 a link gives its output a reference, which becomes the value of the input; an order link only sets prevTasks', () => {
  const { graph } = draftOf(stored([task('a'), task('b', params({ name: 'In', value: 'old' })), task('c')]))
  const first = connect(graph, { node: 'a', port: 'Out' }, { node: 'b', port: 'In' }, () => other)
  const linked = connect(first, { node: 'a', port: 'Out' }, { node: 'c', port: 'In' }, () => 'never')
  const all = tasksOf(
    connect(linked, { node: 'b', port: orderPort }, { node: 'c', port: orderPort }, () => 'never'),
  )
  expect(all.map(({ taskOverrides }) => taskOverrides.params)).toEqual([
    [{ name: 'Out', type: 'OUTPUT', value: referenceOf(other) }],
    [{ name: 'In', type: 'INPUT', value: referenceOf(other) }],
    [{ name: 'In', type: 'INPUT', value: referenceOf(other) }],
  ])
  expect(all[2]!.prevTasks).toEqual([{ id: 'b' }])
  expect(all[1]!.nextTasks).toEqual([{ id: 'c' }])
})

test('a link from a branch sets prevTasks with the branch, and is unchanged when the pipeline is opened again', () => {
  const data = task('a', { taskName: 'branch' })
  const { graph } = draftOf(stored([data, task('b'), task('c')]))
  const start = { node: 'a', port: orderPortOf('else') }
  const linked = connect(graph, start, { node: 'b', port: orderPort }, () => 'never')
  const all = tasksOf(
    connect(linked, { node: 'a', port: orderPort }, { node: 'c', port: orderPort }, () => 'never'),
  )
  expect(all.map(({ prevTasks }) => prevTasks)).toEqual([[], [{ id: 'a', branch: 'else' }], [{ id: 'a' }]])
  const again = draftOf(stored(all)).graph
  expect(again.links.map(({ from, to }) => [from, to])).toEqual([
    [start, { node: 'b', port: orderPort }],
    [
      { node: 'a', port: orderPort },
      { node: 'c', port: orderPort },
    ],
  ])
  expect(tasksOf(paste(again, again, () => crypto.randomUUID(), copyOf).graph)).toHaveLength(6)
  const ports = portsOf(again.nodes[0]!.data, undefined, { in: new Set(), out: new Set() })
  expect(ports.filter(({ isNamed }) => isNamed).map(({ label }) => label)).toEqual(['Then', 'Else'])
})

test('DP-489 DP-492 copies have new references, and dynamic values without a link are empty', () => {
  const { graph } = draftOf(stored(tasks))
  let number = 0
  const newId = () => `00000000-0d43-4a43-9e01-00000000000${number++}`
  const both = withReferences(paste(graph, graph, newId, copyOf).graph, newId)
  const all = tasksOf(both)
  const outputs = all.flatMap(({ taskOverrides }) =>
    taskOverrides.params.filter(({ type }) => type === 'OUTPUT'),
  )
  expect(outputs).toHaveLength(2)
  expect(outputs.every(({ value }) => isReference(value))).toBe(true)
  expect(new Set(outputs.map(({ value }) => value)).size).toBe(2)
  const copyOfB = all.find(({ taskReadableName }) => taskReadableName === 'Task b (1)')!
  expect(copyOfB.taskOverrides.params).toContainEqual({ name: 'In', type: 'INPUT', value: outputs[1]!.value })
  const copyOfC = all.find(({ taskReadableName }) => taskReadableName === 'Task c (1)')!
  expect(copyOfC.taskOverrides.params).toEqual([])
  const alone = paste(graph, { ...graph, nodes: [graph.nodes[1]!], links: [] }, newId, copyOf).graph
  expect(tasksOf(alone).at(-1)!.taskOverrides.params).toEqual([
    { name: 'Whom', type: 'INPUT', value: 'Brent' },
  ])
})

test('the clipboard returns only complete tasks', () => {
  expect(readTaskData({ taskName: 'script' })).toMatchObject({ taskName: 'script', taskGroup: '' })
  for (const wrong of [null, 'x', {}, { taskName: 7 }, { taskName: 'a', taskOverrides: { params: [{}] } }])
    expect(readTaskData(wrong)).toBeUndefined()
})

test('the mode of an input is stored beside its value, and without a value only for an expression', () => {
  const node = draftOf(stored([task('a')])).graph.nodes[0]!
  const paramsOf = ({ data }: typeof node) => data.taskOverrides.params
  const expression = withMode(node, 'Whom', 'expression')
  expect(paramsOf(expression)).toEqual([{ name: 'Whom', type: 'INPUT', value: '', mode: 'expression' }])
  const filled = withParam(expression, 'Whom', 'INPUT', 'upper("oil")')
  expect(paramsOf(filled)).toEqual([
    { name: 'Whom', type: 'INPUT', value: 'upper("oil")', mode: 'expression' },
  ])
  expect(paramsOf(withParam(filled, 'Whom', 'INPUT', ''))).toEqual(paramsOf(expression))
  expect(paramsOf(withMode(filled, 'Whom', 'fixed'))).toMatchObject([
    { value: 'upper("oil")', mode: 'fixed' },
  ])
  expect(paramsOf(withMode(expression, 'Whom', 'fixed'))).toEqual([])
})
