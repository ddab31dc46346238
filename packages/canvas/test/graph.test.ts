import { expect, test } from 'vitest'
import {
  addLink,
  addNode,
  clipboardText,
  type Graph,
  type GraphNode,
  layoutOf,
  linkProblem,
  moveItems,
  newNodePosition,
  partOf,
  paste,
  type Port,
  readClipboardText,
  removeItems,
  setComment,
  snapToGrid,
  uniqueName,
} from '../src/index.ts'

type Data = { ports: Port[] }
const none: Graph<Data> = { nodes: [], links: [], comments: [] }

function node(id: string, ports: Port[] = []): GraphNode<Data> {
  return { id, label: `Node ${id}`, position: { x: 0, y: 0 }, data: { ports } }
}
const file: Port = { id: 'file', side: 'out', label: 'File', type: 'FILE' }
const takesFile: Port = { id: 'in', side: 'in', label: 'Input', type: 'FILE' }
const takesNumber: Port = { id: 'n', side: 'in', label: 'Count', type: 'NUMBER' }
const before: Port = { id: 'order', side: 'in', label: 'After', type: 'order', isOrder: true }
const after: Port = { id: 'order', side: 'out', label: 'Before', type: 'order', isOrder: true }
const rules = {
  portsOf: ({ data }: GraphNode<Data>) => data.ports,
  accepts: (from: string, to: string) => from === to,
}
const ports = [file, takesFile, takesNumber, before, after]
const three = ['a', 'b', 'c'].reduce((graph, id) => addNode(graph, node(id, ports)), none)
const out = (id: string) => ({ node: id, port: 'file' })
const input = (id: string, port = 'in') => ({ node: id, port })
const problem = (graph: Graph<Data>, from: string, to: string, port?: string) =>
  linkProblem(graph, rules, out(from), input(to, port))

test('DP-485 positions snap to multiples of 64', () => {
  expect(snapToGrid({ x: 31, y: 33 })).toEqual({ x: 0, y: 64 })
  expect(snapToGrid({ x: -40, y: 650 })).toEqual({ x: -64, y: 640 })
})

test('DP-487 DP-488 new nodes are placed in a row at x 150 plus 250 per index, y 200', () => {
  let graph = none
  for (const x of [150, 400, 650]) {
    const position = newNodePosition(graph.nodes)
    expect(position).toEqual({ x, y: 200 })
    graph = addNode(graph, { ...node(String(x)), position })
  }
  const two = removeItems(graph, new Set(['150']))
  expect(newNodePosition(two.nodes), 'avoids the position of another node').toEqual({ x: 900, y: 200 })
})

test('a new node is placed to the right of a given node, or at the next free position below it', () => {
  const first = { ...node('first'), position: { x: -64, y: 512 } }
  const right = newNodePosition([first], first)
  expect(right).toEqual({ x: 186, y: 512 })
  const below = newNodePosition([first, { position: right }], first)
  expect(below).toEqual({ x: 186, y: 512 + 3 * 64 })
  expect(newNodePosition([first, { position: { x: 250, y: 448 } }], first)).toEqual({ x: 186, y: 640 })
})

test('a rejected link names both types; cycles, second links to an input and different kinds are rejected', () => {
  expect(problem(three, 'a', 'b')).toBeUndefined()
  expect(problem(three, 'a', 'b', 'n')).toBe(
    '“File” has the type FILE, but “Count” takes NUMBER. Link ports of matching types.',
  )
  expect(problem(three, 'a', 'a')).toContain('itself')
  expect(problem(three, 'a', 'b', 'order')).toContain('same kind')
  expect(problem(three, 'a', 'b', 'nothing')).toContain('from an output to an input')
  const linked = addLink(addLink(three, out('a'), input('b')), out('b'), input('c'))
  expect(problem(linked, 'a', 'b')).toContain('already linked')
  expect(problem(linked, 'a', 'c')).toContain('already has a link')
  expect(problem(linked, 'c', 'a')).toContain('circle')
  const order = linkProblem(linked, rules, { node: 'a', port: 'order' }, { node: 'c', port: 'order' })
  expect(order).toBeUndefined()
})

test('removing a node removes its links; moving a node does not replace the other node objects', () => {
  const linked = addLink(addLink(three, out('a'), input('b')), out('b'), input('c'))
  const without = removeItems(linked, new Set(['b']))
  expect(without.nodes.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(without.links).toEqual([])
  const moved = moveItems(linked, new Map([['a', { x: 64, y: 0 }]]))
  expect(moved.nodes[0]!.position).toEqual({ x: 64, y: 0 })
  expect(moved.nodes[1]).toBe(linked.nodes[1])
})

test('DP-495 IN-431 a comment has at most 1000 characters', () => {
  const comment = { id: 'c1', text: 'x'.repeat(1001), author: 'Comment', position: { x: 0, y: 0 } }
  const [stored] = setComment(none, comment).comments
  expect(stored!.text).toHaveLength(1000)
  expect(setComment(setComment(none, comment), { ...comment, text: 'new' }).comments).toEqual([
    { ...comment, text: 'new' },
  ])
})

test('DP-490 duplicate names get a number in parentheses', () => {
  expect(uniqueName('Task', new Set())).toBe('Task')
  expect(uniqueName('Task', new Set(['Task']))).toBe('Task (1)')
  expect(uniqueName('Task (1)', new Set(['Task', 'Task (1)']))).toBe('Task (2)')
})

test('DP-489 DP-490 DP-491 pasted nodes have new ids and unique names, and each link exists once', () => {
  const linked = addLink(three, out('a'), input('b'))
  const copied = partOf(linked, new Set(['a', 'b']))
  const doubled = { ...copied, links: [...copied.links, ...copied.links] }
  let number = 0
  const { graph, ids } = paste(linked, doubled, () => `new${number++}`)
  expect([...ids]).toEqual(['new0', 'new1'])
  expect(graph.nodes.map(({ label }) => label)).toEqual([
    'Node a',
    'Node b',
    'Node c',
    'Node a (1)',
    'Node b (1)',
  ])
  expect(graph.links.slice(1).map(({ from, to }) => ({ from, to }))).toEqual([
    { from: out('new0'), to: input('new1') },
  ])
  const again = paste(graph, copied, () => `again${number++}`).graph
  const positions = again.nodes.slice(3).map(({ position: { x } }) => x)
  expect(positions, 'avoids the position of the first copy').toEqual([64, 64, 128, 128])
})

test('the clipboard accepts only parts of the same kind, and only complete items from any program', () => {
  const readData = (data: unknown) => (typeof data === 'number' ? data : undefined)
  const read = (text: string) => readClipboardText(text, 'things', readData)
  const given: Graph<number> = {
    nodes: [{ id: 'a', label: 'A', position: { x: 1, y: 2 }, data: 7 }],
    links: [],
    comments: [{ id: 'c', text: 'Note', author: 'anna', position: { x: 0, y: 0 } }],
  }
  expect(read(clipboardText('things', given))).toEqual(given)
  expect(read(clipboardText('others', given))).toBeUndefined()
  for (const text of [
    '',
    'plain text',
    '{"canvas":"things"',
    '[]',
    `{"canvas":"things","nodes":${'['.repeat(200_000)}`,
  ])
    expect(read(text)).toBeUndefined()
  expect(read(`{"canvas":"things","nodes":"${'x'.repeat(5_000_001)}"}`)).toBeUndefined()
  const hostile = {
    canvas: 'things',
    nodes: [
      null,
      { id: 'b', label: 'B', position: { x: '1', y: 2 }, data: 7 },
      { id: 'b', label: 'B', position: { x: 1e9, y: 2 }, data: 7 },
      { id: 'b', label: 'B', position: { x: 1, y: 2 }, data: 'x' },
      { id: 7, label: 'B', position: { x: 1, y: 2 }, data: 7 },
    ],
    links: [{ from: { node: 'a', port: 'x' }, to: { node: 'nobody', port: 'y' } }, 3],
    comments: [{ id: 'c', text: 3 }],
  }
  expect(read(JSON.stringify(hostile))).toEqual({ nodes: [], links: [], comments: [] })
  expect(read('{"canvas":"things","__proto__":{"nodes":[1]}}')).toEqual({
    nodes: [],
    links: [],
    comments: [],
  })
})

test('the automatic layout places each node to the right of its predecessors, without overlaps, even with cycles', () => {
  const linked = addLink(
    addLink(addLink(three, out('a'), input('b')), out('b'), input('c')),
    out('a'),
    input('c'),
  )
  const at = layoutOf(linked, () => 100)
  expect([...at.values()].map(({ x }) => x)).toEqual([0, 320, 640])
  expect(new Set(layoutOf(three, () => 100).values()).size).toBe(3)
  expect(layoutOf(three, () => 100).get('b')).toEqual({ x: 0, y: 192 })
  const circle = addLink(addLink(three, out('a'), input('b')), out('b'), input('a'))
  expect([...layoutOf(circle, () => 100).keys()].toSorted()).toEqual(['a', 'b', 'c'])
})
