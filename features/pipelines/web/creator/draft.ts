import {
  type CanvasComment,
  type Graph,
  type GraphNode,
  isPoint,
  layoutOf,
  linkId,
  type Point,
  type PortRef,
  readComment,
} from '@headwater/canvas'
import { isReference, referenceOf } from '@headwater/runs/contract'
import { branches } from '@headwater/tasks/contract'
import {
  type ExecutionMode,
  type Pipeline,
  type PipelineDetails,
  type PipelineInput,
  pipelineTask,
} from '../../contract/index.ts'
import { linksOf, withNextTasks } from '../../core/index.ts'

/** Port of the links that only set the order. Names of parameters have no equals sign. */
export const orderPort = '=order'
/** Returns the port of the links that only set the order, for all branches (empty) or for one. */
export function orderPortOf(branch: string): string {
  return branch === '' ? orderPort : `=${branch}`
}
/** Kind of the data on the clipboard. */
export const clipboardKind = 'headwater-pipeline'

const taskData = pipelineTask.omit({ id: true, taskReadableName: true, prevTasks: true, nextTasks: true })

/** A task on the canvas. Its name is the label of the node; inputs with a link have no value, because the link provides it. */
export type TaskData = Omit<
  PipelineInput['tasks'][number],
  'id' | 'taskReadableName' | 'prevTasks' | 'nextTasks'
>
/** A node with a task. */
export type TaskNode = GraphNode<TaskData>

/** The fields of a pipeline that the creator changes. */
export interface Draft {
  graph: Graph<TaskData>
  commentsVisible: boolean
  executionMode: ExecutionMode
}

/** Returns the draft of a new pipeline. */
export function emptyDraft(): Draft {
  return { graph: { nodes: [], links: [], comments: [] }, commentsVisible: true, executionMode: 'durable' }
}

/** Returns the draft of a saved version. Tasks without a stored position are arranged automatically. */
export function draftOf({
  batchConfig: { tasks },
  payload,
  pipeline: { executionMode },
}: Pick<PipelineDetails, 'batchConfig' | 'payload'> & {
  pipeline: Pick<Pipeline, 'executionMode'>
}): Draft {
  const { positions, comments, commentsVisible } = readPayload(payload)
  const links = linksOf(tasks).map(({ input, output }) => {
    const [from, to] = [
      { node: output.task, port: input.name === '' ? orderPortOf(output.name) : output.name },
      { node: input.task, port: input.name || orderPort },
    ]
    return { id: linkId(from, to), from, to }
  })
  const linked = new Set(links.map(({ to }) => portKey(to)))
  const nodes = tasks.map((task): TaskNode => {
    const { id, taskReadableName, prevTasks: _prevTasks, nextTasks: _nextTasks, ...data } = task
    const params = data.taskOverrides.params.filter(
      ({ name, type }) => type !== 'INPUT' || !linked.has(portKey({ node: id, port: name })),
    )
    return {
      id,
      label: taskReadableName,
      position: { x: 0, y: 0 },
      data: { ...data, taskOverrides: { params } },
    }
  })
  const arranged = layoutOf({ nodes, links }, () => 128, { x: 64, y: 64 })
  const placed = nodes.map((node) => ({
    ...node,
    position: positions.get(node.id) ?? arranged.get(node.id) ?? node.position,
  }))
  return { graph: { nodes: placed, links, comments }, commentsVisible, executionMode }
}

/** Returns the body that saves a draft under a name and group, with the other fields of its pipeline. */
export function inputOf(
  { graph, commentsVisible, executionMode }: Draft,
  pipeline: Pick<Pipeline, 'name' | 'groupName' | 'tags' | 'markdownId'>,
): PipelineInput {
  const { name, groupName, tags, markdownId } = pipeline
  const positions = Object.fromEntries(graph.nodes.map(({ id, position }) => [id, position]))
  const payload = JSON.stringify({ positions, comments: graph.comments, commentsVisible })
  return { name, groupName, tags, markdownId, executionMode, payload, tasks: tasksOf(graph) }
}

/** Returns the tasks of a graph, with the references and previous tasks that its links represent. */
export function tasksOf({ nodes, links }: Graph<TaskData>): PipelineInput['tasks'] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const into = Map.groupBy(links, ({ to }) => to.node)
  const tasks = nodes.map(({ id, label, data }) => {
    const received = into.get(id) ?? []
    const params = received
      .filter(({ to }) => to.port !== orderPort)
      .map(({ from, to }) => ({
        name: to.port,
        type: 'INPUT' as const,
        value: outputOf(byId.get(from.node), from.port) ?? '',
      }))
    const prevTasks = received
      .filter(({ to }) => to.port === orderPort)
      .map(({ from }) => {
        const branch = branches.find((name) => orderPortOf(name) === from.port)
        return { id: from.node, ...(branch === undefined ? {} : { branch }) }
      })
    return {
      ...data,
      id,
      taskReadableName: label,
      taskOverrides: { params: [...data.taskOverrides.params, ...params] },
      prevTasks,
      nextTasks: [],
    }
  })
  return withNextTasks(tasks)
}

/** Adds a link. The output gets a reference if it has none. */
export function connect(
  graph: Graph<TaskData>,
  from: PortRef,
  to: PortRef,
  newId: () => string,
): Graph<TaskData> {
  const links = [...graph.links, { id: linkId(from, to), from, to }]
  if (to.port === orderPort) return { ...graph, links }
  const nodes = graph.nodes.map((node): TaskNode => {
    if (node.id === to.node) return withParam(node, to.port, 'INPUT', undefined)
    if (node.id !== from.node || outputOf(node, from.port) !== undefined) return node
    return withParam(node, from.port, 'OUTPUT', referenceOf(newId()))
  })
  return { ...graph, nodes, links }
}

/** Sets a value of a task; undefined or empty removes it, so that the value of the task itself applies. */
export function withParam(
  node: TaskNode,
  name: string,
  type: 'INPUT' | 'OUTPUT',
  value: string | undefined,
): TaskNode {
  const { params } = node.data.taskOverrides
  const isIt = (param: { name: string; type: string }) => param.name === name && param.type === type
  const isNew = !params.some(isIt)
  const next =
    value === undefined ||
    (value === '' && !params.some((param) => isIt(param) && param.mode === 'expression'))
      ? params.filter((param) => !isIt(param))
      : isNew
        ? [...params, { name, type, value }]
        : params.map((param) => (isIt(param) ? { ...param, value } : param))
  return { ...node, data: { ...node.data, taskOverrides: { params: next } } }
}

/** Sets whether an input of a task is a fixed value or an expression. The mode is stored beside the value. */
export function withMode(node: TaskNode, name: string, mode: 'fixed' | 'expression'): TaskNode {
  const { params } = node.data.taskOverrides
  const isIt = (param: { name: string; type: string }) => param.name === name && param.type === 'INPUT'
  const known = params.some(isIt) ? params : [...params, { name, type: 'INPUT' as const, value: '' }]
  const next = known
    .map((param) => (isIt(param) ? { ...param, mode } : param))
    .filter((param) => !isIt(param) || param.value !== '' || mode === 'expression')
  return { ...node, data: { ...node.data, taskOverrides: { params: next } } }
}

/** Returns the data of a pasted task without references, because these belong to the original. */
export function copyOf(data: TaskData): TaskData {
  const params = data.taskOverrides.params.filter(({ value }) => !isReference(value))
  return { ...data, taskOverrides: { params } }
}

/** Adds missing references to outputs with links, for example after a paste. */
export function withReferences(graph: Graph<TaskData>, newId: () => string): Graph<TaskData> {
  return graph.links.reduce((current, { from, to }) => {
    const node = current.nodes.find(({ id }) => id === from.node)
    if (node === undefined || to.port === orderPort || outputOf(node, from.port) !== undefined) return current
    const changed = withParam(node, from.port, 'OUTPUT', referenceOf(newId()))
    return { ...current, nodes: current.nodes.map((other) => (other === node ? changed : other)) }
  }, graph)
}

/** Parses the data of a task from the clipboard; undefined for other data. */
export function readTaskData(data: unknown): TaskData | undefined {
  const read = taskData.safeParse(data)
  return read.success ? read.data : undefined
}

/** Returns the reference of an output. */
function outputOf(node: TaskNode | undefined, name: string): string | undefined {
  return node?.data.taskOverrides.params.find(
    (param) => param.type === 'OUTPUT' && param.name === name && isReference(param.value),
  )?.value
}

/** Reads the stored canvas data. Any program can have written it, so invalid fields count as absent. */
function readPayload(payload: string): {
  positions: ReadonlyMap<string, Point>
  comments: readonly CanvasComment[]
  commentsVisible: boolean
} {
  const content = JSON.parse(payload) as Record<string, unknown>
  const positions =
    typeof content.positions === 'object' && content.positions !== null ? content.positions : {}
  const comments = Array.isArray(content.comments) ? content.comments.flatMap(readComment) : []
  return {
    positions: new Map(
      Object.entries(positions).flatMap(([id, at]): [string, Point][] => (isPoint(at) ? [[id, at]] : [])),
    ),
    comments: [...new Map(comments.map((comment) => [comment.id, comment])).values()],
    commentsVisible: content.commentsVisible !== false,
  }
}

function portKey({ node, port }: PortRef): string {
  return JSON.stringify([node, port])
}
