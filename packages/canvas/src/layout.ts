import { type Graph, type GraphLink, gridSize, type Point } from './graph.ts'

/** Width of a column and minimum height of a row, in pixels. */
const columnWidth = 5 * gridSize

/**
 * Arranges nodes in columns: each node is to the right of its predecessors and close to them. Nodes in a cycle keep
 * the given order. The result depends only on the graph.
 * @param heightOf returns the height of a node in pixels
 * @param origin position of the top left node
 */
export function layoutOf<Data>(
  { nodes, links }: Pick<Graph<Data>, 'nodes' | 'links'>,
  heightOf: (id: string) => number,
  origin: Point = { x: 0, y: 0 },
): Map<string, Point> {
  const before = neighbours(links)
  const columnOf = columnsOf(
    nodes.map(({ id }) => id),
    before,
  )
  const columns: string[][] = []
  for (const [id, column] of columnOf) (columns[column] ??= []).push(id)
  const positions = new Map<string, Point>()
  for (const [index, column] of columns.entries()) {
    const wanted = new Map(column.map((id) => [id, meanY(before.get(id) ?? [], positions)]))
    let free = origin.y
    for (const id of column.toSorted((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0))) {
      positions.set(id, { x: origin.x + index * columnWidth, y: free })
      free += Math.ceil((heightOf(id) + gridSize / 2) / gridSize) * gridSize
    }
  }
  return positions
}

function neighbours(links: readonly GraphLink[]): Map<string, string[]> {
  const before = new Map<string, string[]>()
  for (const { from, to } of links) before.set(to.node, [...(before.get(to.node) ?? []), from.node])
  return before
}

/** Returns the column of each node: one more than the highest column of its predecessors. */
function columnsOf(ids: readonly string[], before: ReadonlyMap<string, string[]>): Map<string, number> {
  const columns = new Map<string, number>()
  let rest = [...ids]
  while (rest.length > 0) {
    const ready = rest.filter((id) => (before.get(id) ?? []).every((other) => columns.has(other)))
    // If no node is ready, the remaining nodes form a cycle. The first of them breaks it.
    const placed = ready.length > 0 ? ready : rest.slice(0, 1)
    const next = placed.map((id): [string, number] => [
      id,
      Math.max(-1, ...(before.get(id) ?? []).map((other) => columns.get(other) ?? -1)) + 1,
    ])
    for (const [id, column] of next) columns.set(id, column)
    const done = new Set(placed)
    rest = rest.filter((id) => !done.has(id))
  }
  return columns
}

function meanY(ids: readonly string[], positions: ReadonlyMap<string, Point>): number {
  const known = ids.flatMap((id) => positions.get(id)?.y ?? [])
  return known.length === 0 ? 0 : known.reduce((sum, y) => sum + y, 0) / known.length
}
