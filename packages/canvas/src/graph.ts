/** A point of the canvas in pixels at zoom 1. */
export interface Point {
  /** Distance from the left edge. */
  x: number
  /** Distance from the top edge. */
  y: number
}

/** A node with ports. The application defines the meaning of `data`. */
export interface GraphNode<Data> {
  /** Id, unique in the graph. */
  id: string
  /** Top left corner. */
  position: Point
  /** Display name. */
  label: string
  /** Data of the application. */
  data: Data
}

/** One end of a link. */
export interface PortRef {
  /** Id of the node. */
  node: string
  /** Id of the port, unique among the ports of its side. */
  port: string
}

/** A link from an output to an input. */
export interface GraphLink {
  /** Id, unique in the graph. */
  id: string
  /** Output where the link starts. */
  from: PortRef
  /** Input where the link ends. */
  to: PortRef
}

/** A note on the canvas. */
export interface CanvasComment {
  /** Id, unique in the graph. */
  id: string
  /** Text, at most {@link maxCommentLength} characters. */
  text: string
  /** Label of its author. */
  author: string
  /** Top left corner. */
  position: Point
}

/** The content of a canvas. Graphs are immutable; each command returns a new one. */
export interface Graph<Data> {
  /** Nodes, in the order in which they are drawn. */
  nodes: readonly GraphNode<Data>[]
  /** Links between ports of the nodes. */
  links: readonly GraphLink[]
  /** Notes on the canvas. */
  comments: readonly CanvasComment[]
}

/** A port of a node. */
export interface Port {
  /** Id, unique among the ports of its side. */
  id: string
  /** Whether the port is an input or an output. */
  side: 'in' | 'out'
  /** Display name. */
  label: string
  /** Type of the values, visible to users. */
  type: string
  /** Whether its links only define an order. Such a port accepts any number of links. Default false. */
  isOrder?: boolean
  /** Whether an order port is placed among the outputs, with its label. Default false: it is beside the name of the node. */
  isNamed?: boolean
}

/** Distance of the grid lines, in pixels. */
export const gridSize = 64
/** Initial position of the origin, in pixels, before the user moves the canvas. */
export const initialOffset: Point = { x: 100, y: 100 }
/** Maximum length of a comment, in characters. */
export const maxCommentLength = 1000
/** Label for an unknown author of a comment. */
export const defaultAuthor = 'Comment'

/** Returns the nearest intersection of grid lines. */
export function snapToGrid({ x, y }: Point): Point {
  const snap = (value: number) => Math.round(value / gridSize) * gridSize
  return { x: snap(x), y: snap(y) }
}

/**
 * Returns the default position of a new node: to the right of a node, or below that position if it is taken. Without
 * such a node: in a row, after the existing nodes.
 */
export function newNodePosition(nodes: readonly { position: Point }[], after?: { position: Point }): Point {
  const distance = 250
  const isTaken = (at: Point, { x, y }: Point) =>
    nodes.some(({ position }) => Math.abs(position.x - at.x) < x && Math.abs(position.y - at.y) < y)
  if (after === undefined) {
    const at = { x: 150 + distance * nodes.length, y: 200 }
    while (isTaken(at, { x: gridSize, y: gridSize })) at.x += distance
    return at
  }
  const at = { x: after.position.x + distance, y: after.position.y }
  // Nodes are 200 wide, and usually less than three grid cells high.
  while (isTaken(at, { x: distance - gridSize / 2, y: 3 * gridSize })) at.y += gridSize
  return at
}

/** Returns a unique name: the name itself, or the name with a number in parentheses. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const stem = name.replace(/ \(\d+\)$/, '')
  let number = 1
  while (taken.has(`${stem} (${number})`)) number++
  return `${stem} (${number})`
}

/** Adds a node. */
export function addNode<Data>(graph: Graph<Data>, node: GraphNode<Data>): Graph<Data> {
  return { ...graph, nodes: [...graph.nodes, node] }
}

/** Changes the fields of a node. */
export function changeNode<Data>(
  graph: Graph<Data>,
  id: string,
  change: (node: GraphNode<Data>) => GraphNode<Data>,
): Graph<Data> {
  return { ...graph, nodes: graph.nodes.map((node) => (node.id === id ? change(node) : node)) }
}

/** Moves nodes and comments. Ids that do not exist are ignored. */
export function moveItems<Data>(graph: Graph<Data>, moves: ReadonlyMap<string, Point>): Graph<Data> {
  const moved = <Item extends { id: string; position: Point }>(items: readonly Item[]): Item[] =>
    items.map((item) => {
      const position = moves.get(item.id)
      const stays =
        position === undefined || (position.x === item.position.x && position.y === item.position.y)
      return stays ? item : { ...item, position }
    })
  return { ...graph, nodes: moved(graph.nodes), comments: moved(graph.comments) }
}

/** Removes nodes with their links, links, and comments. */
export function removeItems<Data>(graph: Graph<Data>, ids: ReadonlySet<string>): Graph<Data> {
  const stays = ({ id }: { id: string }) => !ids.has(id)
  return {
    nodes: graph.nodes.filter(stays),
    links: graph.links.filter((link) => stays(link) && !ids.has(link.from.node) && !ids.has(link.to.node)),
    comments: graph.comments.filter(stays),
  }
}

/** Adds a link. Check it with {@link linkProblem} first. */
export function addLink<Data>(graph: Graph<Data>, from: PortRef, to: PortRef): Graph<Data> {
  return { ...graph, links: [...graph.links, { id: linkId(from, to), from, to }] }
}

/** Returns the id of a link. There is at most one link between two ports. */
export function linkId(from: PortRef, to: PortRef): string {
  return JSON.stringify([from.node, from.port, to.node, to.port])
}

/** Adds a comment, or replaces the one with its id. A longer text is truncated to {@link maxCommentLength}. */
export function setComment<Data>(graph: Graph<Data>, comment: CanvasComment): Graph<Data> {
  const cut = { ...comment, text: comment.text.slice(0, maxCommentLength) }
  const isNew = !graph.comments.some(({ id }) => id === comment.id)
  return {
    ...graph,
    comments: isNew
      ? [...graph.comments, cut]
      : graph.comments.map((other) => (other.id === comment.id ? cut : other)),
  }
}

/** Rules of the application for connecting ports. */
export interface LinkRules<Data> {
  /** Returns the ports of a node. */
  portsOf: (node: GraphNode<Data>) => readonly Port[]
  /** Returns whether a port of the second type accepts values of the first type. */
  accepts: (from: string, to: string) => boolean
}

/** Returns why two ports cannot be linked, as a sentence for users; undefined if they can. */
export function linkProblem<Data>(
  graph: Graph<Data>,
  { portsOf, accepts }: LinkRules<Data>,
  from: PortRef,
  to: PortRef,
): string | undefined {
  const source = graph.nodes.find(({ id }) => id === from.node)
  const target = graph.nodes.find(({ id }) => id === to.node)
  const output = source && portsOf(source).find(({ id, side }) => side === 'out' && id === from.port)
  const input = target && portsOf(target).find(({ id, side }) => side === 'in' && id === to.port)
  if (source === undefined || target === undefined || output === undefined || input === undefined)
    return 'A link goes from an output to an input.'
  if (source === target) return `“${source.label}” cannot be linked to itself.`
  if ((output.isOrder ?? false) !== (input.isOrder ?? false))
    return `“${output.label}” sets the order of nodes; “${input.label}” takes a value. Link two ports of the same kind.`
  if (input.isOrder !== true && !accepts(output.type, input.type))
    return `“${output.label}” has the type ${output.type}, but “${input.label}” takes ${input.type}. Link ports of matching types.`
  if (graph.links.some((link) => link.id === linkId(from, to))) return 'These ports are already linked.'
  if (
    input.isOrder !== true &&
    graph.links.some((link) => link.to.node === to.node && link.to.port === to.port)
  )
    return `“${input.label}” of “${target.label}” already has a link. Remove it first.`
  if (isReachable(graph.links, to.node, from.node))
    return `“${source.label}” already depends on “${target.label}”. Links cannot form a circle.`
  return undefined
}

/** Returns whether links lead from one node to another. */
function isReachable(links: readonly GraphLink[], start: string, goal: string): boolean {
  const next = new Map<string, string[]>()
  for (const { from, to } of links) {
    const targets = next.get(from.node)
    if (targets === undefined) next.set(from.node, [to.node])
    else targets.push(to.node)
  }
  const seen = new Set([start])
  for (const node of seen) {
    if (node === goal) return true
    for (const target of next.get(node) ?? []) seen.add(target)
  }
  return false
}
