import type { Graph, GraphLink, PortRef } from '@headwater/canvas'
import { branches } from '@headwater/tasks/contract'
import { branchLabel } from '@headwater/tasks/core'
import { paramLabel } from '../param-label.ts'
import { orderPort, orderPortOf, type TaskData } from './draft.ts'

/** Describes a link from the side of one of its tasks, such as `Body file ← Read tiles · Output file`. */
export function linkText({ from, to }: GraphLink, node: string, graph: Graph<TaskData>): string {
  const isInput = to.node === node
  const [ownEnd, otherEnd] = isInput ? [to, from] : [from, to]
  const own = portNames(graph, ownEnd)
  const other = portNames(graph, otherEnd)
  if (to.port === orderPort) {
    const branch = branches.find((name) => orderPortOf(name) === from.port)
    const order = `${isInput ? 'after' : 'before'} ${other.task}`
    return branch === undefined ? order : `${order} · ${branchLabel(branch)}`
  }
  return `${own.param} ${isInput ? '←' : '→'} ${other.task} · ${other.param}`
}

/** Returns the output that a port provides, such as `Output file of “Read tiles”`. */
export function outputText(graph: Graph<TaskData>, port: PortRef): string {
  const { param, task } = portNames(graph, port)
  return `${param} of “${task}”`
}

function portNames({ nodes }: Graph<TaskData>, { node: id, port }: PortRef): { task: string; param: string } {
  const node = nodes.find((each) => each.id === id)
  return node === undefined
    ? { task: id, param: port }
    : { task: node.label, param: paramLabel(node.data, port) }
}
