import { useEffect, useRef, useState } from 'react'
import { useUpdateNodeInternals } from '@xyflow/react'
import type { Graph, GraphNode, Port } from '../graph.ts'
import { type FlowNode, flowNodesOf, type NodeContent } from './flow-nodes.ts'

/** Returns the nodes to draw: those of the graph, at the positions to which the user drags them. */
export function useFlowNodes<Data>(
  graph: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
  selection: ReadonlySet<string>,
  { editable, commentsVisible }: { editable: boolean; commentsVisible: boolean },
) {
  const inputs = [graph, contentOf, selection, editable, commentsVisible] as const
  const [drawn, setDrawn] = useState<{ inputs: readonly unknown[]; nodes: FlowNode[] }>({
    inputs: [],
    nodes: [],
  })
  let { nodes } = drawn
  if (inputs.some((input, at) => input !== drawn.inputs[at])) {
    nodes = flowNodesOf(drawn.nodes, graph, contentOf, selection, { editable, commentsVisible })
    setDrawn({ inputs, nodes })
  }
  usePortUpdates(nodes)
  return {
    nodes,
    setNodes: (change: (current: FlowNode[]) => FlowNode[]) =>
      setDrawn((current) => ({ ...current, nodes: change(current.nodes) })),
  }
}

/** Measures the ports of nodes whose ports have changed, all of them together: one by one would take seconds on large graphs. */
function usePortUpdates(nodes: readonly FlowNode[]): void {
  const update = useUpdateNodeInternals()
  const known = useRef<ReadonlyMap<string, readonly Port[]>>(new Map())
  useEffect(() => {
    const ports = new Map(
      nodes.flatMap((node): [string, readonly Port[]][] =>
        node.type === 'item' ? [[node.id, node.data.content.ports]] : [],
      ),
    )
    const changed = [...ports].filter(([id, now]) => known.current.has(id) && known.current.get(id) !== now)
    known.current = ports
    if (changed.length > 0) update(changed.map(([id]) => id))
  }, [nodes, update])
}
