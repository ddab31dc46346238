import type { ReactNode } from 'react'
import type { Edge, Node } from '@xyflow/react'
import type { CanvasComment, Graph, GraphNode, Port } from '../graph.ts'
import { nodeSize, nodeWidth } from './node-size.ts'

/**
 * The content of a node. Return the same object while nothing in it changes; otherwise the node is rendered again.
 */
export interface NodeContent {
  /** Ports of the node, in order. */
  ports: readonly Port[]
  /** Small text below the name. */
  subtitle: string
  /** Icon of 16 px before the name. */
  icon?: ReactNode
  /** Element to the right of the name, such as a status. */
  badge?: ReactNode
  /** Colour of the left edge and of the links that end here, as CSS. Default: the line colour. */
  color?: string
  /** Status and other facts for screen readers, such as `succeeded`. */
  spoken?: string
}

/** A node of the application. */
export type ItemNode = Node<{ node: GraphNode<unknown>; content: NodeContent; spoken: string }, 'item'>
/** A comment. */
export type CommentNode = Node<{ comment: CanvasComment; number: number }, 'comment'>
/** Any item that can be dragged. */
export type FlowNode = ItemNode | CommentNode

/** Returns the nodes to render. Unchanged nodes stay the same objects, including the measurements of the renderer. */
export function flowNodesOf<Data>(
  previous: readonly FlowNode[],
  graph: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
  selection: ReadonlySet<string>,
  { editable, commentsVisible }: { editable: boolean; commentsVisible: boolean },
): FlowNode[] {
  const old = new Map(previous.map((node) => [node.id, node]))
  const spokenLinks = linkTexts(graph, contentOf)
  const items = graph.nodes.map((node): ItemNode => {
    const content = contentOf(node)
    const links = spokenLinks.get(node.id) ?? 'no links'
    const spoken = [node.label, content.subtitle, content.spoken, links].filter(Boolean).join(', ')
    const last = old.get(node.id) as ItemNode | undefined
    const isSame =
      last !== undefined &&
      last.data.node === node &&
      last.data.content === content &&
      last.data.spoken === spoken &&
      last.selected === selection.has(node.id) &&
      last.draggable === editable
    if (isSame) return last
    const { height, handles } = nodeSize(content.ports)
    return {
      ...last,
      id: node.id,
      type: 'item',
      width: nodeWidth,
      height,
      measured: { width: nodeWidth, height },
      handles,
      position: last?.data.node.position === node.position ? last.position : node.position,
      data: { node, content, spoken },
      selected: selection.has(node.id),
      draggable: editable,
      connectable: editable,
      ariaLabel: spoken,
    }
  })
  if (!commentsVisible) return items
  const comments = graph.comments.map((comment, index): CommentNode => {
    const last = old.get(comment.id) as CommentNode | undefined
    const isSame =
      last !== undefined &&
      last.data.comment === comment &&
      last.data.number === index + 1 &&
      last.selected === selection.has(comment.id) &&
      last.draggable === editable
    if (isSame) return last
    return {
      ...last,
      id: comment.id,
      type: 'comment',
      position: last?.data.comment.position === comment.position ? last.position : comment.position,
      data: { comment, number: index + 1 },
      selected: selection.has(comment.id),
      draggable: editable,
      ariaLabel: `Comment ${index + 1} by ${comment.author}: ${comment.text || 'empty'}`,
      zIndex: 1,
    }
  })
  return [...items, ...comments]
}

/** Returns the links to render, in the colour of the node where they end. Unchanged links stay the same objects. */
export function flowEdgesOf<Data>(
  previous: readonly Edge[],
  graph: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
  selection: ReadonlySet<string>,
): Edge[] {
  const old = new Map(previous.map((edge) => [edge.id, edge]))
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  return graph.links.flatMap(({ id, from, to }) => {
    const [source, target] = [nodes.get(from.node), nodes.get(to.node)]
    if (source === undefined || target === undefined) return []
    const { color, ports } = contentOf(target)
    const isOrder = ports.some((port) => port.side === 'in' && port.id === to.port && port.isOrder === true)
    const stroke = color ?? 'var(--line-strong)'
    const ariaLabel = `Link from ${source.label} to ${target.label}`
    const last = old.get(id)
    const isSame =
      last !== undefined &&
      last.selected === selection.has(id) &&
      last.style?.stroke === stroke &&
      (last.style.strokeDasharray !== undefined) === isOrder &&
      last.ariaLabel === ariaLabel
    if (isSame) return [last]
    return [
      {
        id,
        source: from.node,
        sourceHandle: from.port,
        target: to.node,
        targetHandle: to.port,
        selected: selection.has(id),
        interactionWidth: 16,
        style: { stroke, strokeDasharray: isOrder ? '4 4' : undefined },
        ariaLabel,
      },
    ]
  })
}

/** Returns, for each linked node, the text in which screen readers announce its links. */
function linkTexts<Data>(
  { nodes, links }: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
): Map<string, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const texts = new Map<string, string[]>()
  const add = (id: string, text: string) => {
    const list = texts.get(id)
    if (list === undefined) texts.set(id, [text])
    else list.push(text)
  }
  const labelOf = (node: GraphNode<Data>, side: 'in' | 'out', id: string) =>
    contentOf(node).ports.find((port) => port.side === side && port.id === id)?.label ?? id
  for (const { from, to } of links) {
    const [source, target] = [byId.get(from.node), byId.get(to.node)]
    if (source === undefined || target === undefined) continue
    const [output, input] = [labelOf(source, 'out', from.port), labelOf(target, 'in', to.port)]
    add(target.id, `${input} from ${output} of ${source.label}`)
    add(source.id, `${output} to ${input} of ${target.label}`)
  }
  return new Map([...texts].map(([id, list]) => [id, list.join(', ')]))
}
