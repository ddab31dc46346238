import { useState } from 'react'
import type { Edge } from '@xyflow/react'
import type { Graph, GraphNode } from '../graph.ts'
import { flowEdgesOf, type FlowNode, flowNodesOf, type NodeContent } from './flow-nodes.ts'

/** Returns the nodes and links of the graph to render, with dragged nodes at their current positions. */
export function useFlowNodes<Data>(
  graph: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
  selection: ReadonlySet<string>,
  { editable, commentsVisible }: { editable: boolean; commentsVisible: boolean },
) {
  const inputs = [graph, contentOf, selection, editable, commentsVisible] as const
  const [drawn, setDrawn] = useState<{ inputs: readonly unknown[]; nodes: FlowNode[]; edges: Edge[] }>({
    inputs: [],
    nodes: [],
    edges: [],
  })
  let { nodes, edges } = drawn
  if (inputs.some((input, at) => input !== drawn.inputs[at])) {
    nodes = flowNodesOf(drawn.nodes, graph, contentOf, selection, { editable, commentsVisible })
    edges = flowEdgesOf(drawn.edges, graph, contentOf, selection)
    setDrawn({ inputs, nodes, edges })
  }
  return {
    nodes,
    edges,
    setNodes: (change: (current: FlowNode[]) => FlowNode[]) =>
      setDrawn((current) => ({ ...current, nodes: change(current.nodes) })),
  }
}
