import {
  type CanvasComment,
  defaultAuthor,
  type Graph,
  type GraphLink,
  type GraphNode,
  gridSize,
  linkId,
  maxCommentLength,
  type Point,
  type PortRef,
  uniqueName,
} from './graph.ts'

/** Maximum length of a string that is read from the clipboard, in characters. */
const maxTextLength = 5_000_000
/** Maximum number of items of each kind (nodes, links, comments) in one paste. */
const maxItems = 2000

/** Returns a graph with only these nodes and comments, and the links between the nodes. */
export function partOf<Data>(graph: Graph<Data>, ids: ReadonlySet<string>): Graph<Data> {
  const isChosen = ({ id }: { id: string }) => ids.has(id)
  return {
    nodes: graph.nodes.filter(isChosen),
    links: graph.links.filter(({ from, to }) => ids.has(from.node) && ids.has(to.node)),
    comments: graph.comments.filter(isChosen),
  }
}

/**
 * Formats a part of a graph as text for the clipboard.
 * @param kind kind of the data, for example `pipeline`; only canvases of the same kind can paste it
 */
export function clipboardText<Data>(kind: string, part: Graph<Data>): string {
  return JSON.stringify({ canvas: kind, ...part })
}

/**
 * Parses text from the clipboard. Any program can have written it, so unknown fields are ignored and incomplete items
 * omitted.
 * @param readData returns the data of a node; undefined omits the node
 * @returns undefined if the text is not a part of a canvas of this kind
 */
export function readClipboardText<Data>(
  text: string,
  kind: string,
  readData: (data: unknown) => Data | undefined,
): Graph<Data> | undefined {
  if (text.length > maxTextLength || !text.startsWith('{"canvas":')) return undefined
  const content = parse(text)
  if (!isRecord(content) || content.canvas !== kind) return undefined
  const list = (value: unknown) => (Array.isArray(value) ? value.slice(0, maxItems) : []) as unknown[]
  const nodes = list(content.nodes).flatMap((item) => readNode(item, readData))
  const known = new Set(nodes.map(({ id }) => id))
  const links = list(content.links)
    .flatMap(readLink)
    .filter(({ from, to }) => known.has(from.node) && known.has(to.node))
  return { nodes, links, comments: list(content.comments).flatMap(readComment) }
}

/**
 * Adds a copied part to a graph, with new ids and unique names. The copies are one grid cell away from the originals, and
 * each link is added at most once.
 * @param newId returns a new id
 * @param copyData returns the data of a copy; default the same data
 * @returns the graph, and the ids of the new nodes and comments
 */
export function paste<Data>(
  graph: Graph<Data>,
  part: Graph<Data>,
  newId: () => string,
  copyData: (data: Data) => Data = (data) => data,
): { graph: Graph<Data>; ids: ReadonlySet<string> } {
  const names = new Set(graph.nodes.map(({ label }) => label))
  const idOf = new Map<string, string>()
  const shift = freeShift(graph, part)
  const moved = ({ x, y }: Point) => ({ x: x + shift, y: y + shift })
  const nodes = part.nodes.map((node): GraphNode<Data> => {
    const id = newId()
    idOf.set(node.id, id)
    const label = uniqueName(node.label, names)
    names.add(label)
    return { id, label, position: moved(node.position), data: copyData(node.data) }
  })
  const comments = part.comments.map((comment): CanvasComment => ({
    ...comment,
    id: newId(),
    position: moved(comment.position),
  }))
  const links = new Map<string, GraphLink>()
  for (const { from, to } of part.links) {
    const start = { node: idOf.get(from.node), port: from.port }
    const end = { node: idOf.get(to.node), port: to.port }
    if (!isPort(start) || !isPort(end)) continue
    const id = linkId(start, end)
    links.set(id, { id, from: start, to: end })
  }
  return {
    graph: {
      nodes: [...graph.nodes, ...nodes],
      links: [...graph.links, ...links.values()],
      comments: [...graph.comments, ...comments],
    },
    ids: new Set([...nodes, ...comments].map(({ id }) => id)),
  }
}

/** Returns the smallest offset at which no copy has the position of an existing item. */
function freeShift<Data>(graph: Graph<Data>, part: Graph<Data>): number {
  const taken = new Set([...graph.nodes, ...graph.comments].map(({ position: { x, y } }) => `${x} ${y}`))
  const copies = [...part.nodes, ...part.comments]
  let shift = gridSize
  while (copies.some(({ position: { x, y } }) => taken.has(`${x + shift} ${y + shift}`))) shift += gridSize
  return shift
}

function readNode<Data>(
  item: unknown,
  readData: (data: unknown) => Data | undefined,
): readonly GraphNode<Data>[] {
  if (!isRecord(item)) return []
  const { id, label, position } = item
  const data = readData(item.data)
  if (!isText(id, 200) || !isText(label, 200) || !isPoint(position) || data === undefined) return []
  return [{ id, label, position: { x: position.x, y: position.y }, data }]
}

function readLink(item: unknown): readonly GraphLink[] {
  if (!isRecord(item) || !isPort(item.from) || !isPort(item.to)) return []
  const from = { node: item.from.node, port: item.from.port }
  const to = { node: item.to.node, port: item.to.port }
  return [{ id: linkId(from, to), from, to }]
}

/** Parses a stored or copied comment. Returns an empty list if the value is not a comment. */
export function readComment(item: unknown): readonly CanvasComment[] {
  if (!isRecord(item)) return []
  const { id, text, author = '', position } = item
  if (!isText(id, 200) || typeof text !== 'string' || typeof author !== 'string' || !isPoint(position))
    return []
  const { x, y } = position
  return [
    {
      id,
      text: text.slice(0, maxCommentLength),
      author: author.slice(0, 200) || defaultAuthor,
      position: { x, y },
    },
  ]
}

/** Returns whether a value is a point with coordinates that can be displayed. */
export function isPoint(value: unknown): value is Point {
  const isCoordinate = (given: unknown) => typeof given === 'number' && Math.abs(given) <= 1e6
  return isRecord(value) && isCoordinate(value.x) && isCoordinate(value.y)
}

function isPort(value: unknown): value is PortRef {
  return (
    isRecord(value) && isText(value.node, 200) && typeof value.port === 'string' && value.port.length <= 200
  )
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
