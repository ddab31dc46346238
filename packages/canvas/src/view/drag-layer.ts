import {
  type Edge,
  getBezierPath,
  type InternalNode,
  type NodeChange,
  Position,
  type useStoreApi,
} from '@xyflow/react'
import type { Point } from '../graph.ts'
import type { FlowNode } from './flow-nodes.ts'

/** Minimum number of dragged nodes that move as one layer. */
const minNodes = 20
/** Attribute of the SVG element in which the links of dragged nodes are drawn. */
export const svgAttribute = 'data-dragged-links'
const svgNamespace = 'http://www.w3.org/2000/svg'

/** Link between a dragged node and one that is not dragged. */
interface BoundaryLink {
  path: SVGPathElement
  from: Point
  to: Point
  /** Whether the source is dragged; otherwise the target is. */
  movesSource: boolean
}

/** State of a drag until the new positions are rendered. */
interface Drag {
  /** Newest positions of the dragged nodes. */
  positions: Map<string, Point>
  /** Whether the user has released the mouse button. Only the last rendering is missing then. */
  hasEnded: boolean
  /** Rendered positions, from which the elements are moved. */
  base: Point
  anchor: string
  nodes: HTMLElement[]
  hidden: SVGElement[]
  svg: SVGSVGElement
  inner: SVGGElement
  boundary: BoundaryLink[]
}

/** Moves the elements of dragged nodes without rendering them. */
export interface DragLayer {
  /** Applies movements. Returns false if they must be rendered. */
  move: (changes: readonly NodeChange<FlowNode>[]) => boolean
  /** Must be called after each rendering of nodes, links or the viewport, before the browser paints. */
  update: () => void
}

/**
 * Creates the drag layer of a canvas, because rendering many nodes and links in each frame takes too long. The first
 * movement of a drag is rendered, which also mounts dragged nodes outside the view. Later movements only shift the elements
 * of the nodes. Until the drag ends, copies in the SVG element of the canvas replace the links: links between dragged nodes
 * move as one group, and only links to other nodes get new paths.
 */
export function createDragLayer(store: ReturnType<typeof useStoreApi<FlowNode>>): DragLayer {
  let drag: Drag | undefined

  function open(positions: Map<string, Point>): void {
    const { nodeLookup, edges, domNode } = store.getState()
    const anchor = [...positions.keys()].find((id) => nodeLookup.has(id))
    const svg = domNode?.querySelector<SVGSVGElement>(`[${svgAttribute}]`) ?? null
    if (anchor === undefined || domNode === null || svg === null) return
    const inner = document.createElementNS(svgNamespace, 'g')
    const boundary: BoundaryLink[] = []
    const replaced = new Set<string>()
    svg.replaceChildren(inner)
    for (const edge of edges) {
      const [movesSource, movesTarget] = [positions.has(edge.source), positions.has(edge.target)]
      if (!movesSource && !movesTarget) continue
      const from = portOf(nodeLookup.get(edge.source), 'source', edge.sourceHandle)
      const to = portOf(nodeLookup.get(edge.target), 'target', edge.targetHandle)
      if (from === undefined || to === undefined) continue
      const path = copyOf(edge, from, to)
      replaced.add(edge.id)
      if (movesSource && movesTarget) inner.append(path)
      else {
        svg.append(path)
        boundary.push({ path, from, to, movesSource })
      }
    }
    const hidden = [...domNode.querySelectorAll<SVGElement>('.react-flow__edge')].filter(({ dataset }) =>
      replaced.has(dataset.id ?? ''),
    )
    for (const link of hidden) link.style.visibility = 'hidden'
    const nodes = [...domNode.querySelectorAll<HTMLElement>('.react-flow__node')].filter(({ dataset }) =>
      positions.has(dataset.id ?? ''),
    )
    nodes.push(...domNode.querySelectorAll<HTMLElement>('.react-flow__nodesselection-rect'))
    const base = { ...nodeLookup.get(anchor)!.internals.positionAbsolute }
    drag = { positions, hasEnded: false, base, anchor, nodes, hidden, svg, inner, boundary }
  }

  function close({ nodes, hidden, svg }: Drag): void {
    for (const node of nodes) node.style.translate = ''
    for (const link of hidden) link.style.visibility = ''
    svg.replaceChildren()
    drag = undefined
  }

  function shift({ positions, base, anchor, nodes, inner, boundary }: Drag): void {
    const position = positions.get(anchor)!
    const by = { x: position.x - base.x, y: position.y - base.y }
    const translate = `${by.x}px ${by.y}px`
    for (const node of nodes) node.style.translate = translate
    inner.setAttribute('transform', `translate(${by.x} ${by.y})`)
    for (const { path, from, to, movesSource } of boundary)
      path.setAttribute('d', movesSource ? curve(sum(from, by), to) : curve(from, sum(to, by)))
  }

  function update(): void {
    if (drag === undefined) return
    const { positions, hasEnded } = drag
    close(drag)
    if (hasEnded) return
    open(positions)
    if (drag !== undefined) shift(drag)
  }

  function move(changes: readonly NodeChange<FlowNode>[]): boolean {
    const moves = changes.filter((change) => change.type === 'position')
    if (moves.length === 0 || moves.length < changes.length) return false
    if (moves.length < minNodes || !moves.every(({ dragging }) => dragging === true)) {
      if (drag !== undefined) drag.hasEnded = true
      return false
    }
    const positions = new Map(
      moves.flatMap(({ id, position }) => (position === undefined ? [] : [[id, position]])),
    )
    if (drag === undefined) {
      // The first movement has not been rendered yet.
      if (store.getState().nodeLookup.get(moves[0]!.id)?.dragging !== true) return false
      open(positions)
    }
    if (drag === undefined) return false
    drag.positions = positions
    shift(drag)
    return true
  }

  return { move, update }
}

/** Returns a copy of a link as it is rendered. */
function copyOf({ style, selected }: Edge, from: Point, to: Point): SVGPathElement {
  const path = document.createElementNS(svgNamespace, 'path')
  path.style.stroke = style?.stroke ?? ''
  path.style.strokeDasharray = String(style?.strokeDasharray ?? '')
  if (selected === true) path.dataset.selected = ''
  path.setAttribute('d', curve(from, to))
  return path
}

/** Returns the point at the outer edge of a port where its links end. */
function portOf(
  node: InternalNode<FlowNode> | undefined,
  side: 'source' | 'target',
  id: string | null | undefined,
): Point | undefined {
  const port = node?.internals.handleBounds?.[side]?.find((handle) => handle.id === id)
  if (node === undefined || port === undefined) return undefined
  const { x, y } = node.internals.positionAbsolute
  return { x: x + port.x + (side === 'source' ? port.width : 0), y: y + port.y + port.height / 2 }
}

function curve(from: Point, to: Point): string {
  return getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    sourcePosition: Position.Right,
    targetX: to.x,
    targetY: to.y,
    targetPosition: Position.Left,
  })[0]
}

function sum(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y }
}
