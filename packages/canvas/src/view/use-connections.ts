import { type FinalConnectionState, useReactFlow } from '@xyflow/react'
import { type Graph, linkProblem, type LinkRules, type PortRef } from '../graph.ts'
import type { CanvasActions } from './canvas-props.ts'
import { useLooseLink } from './LooseLink.tsx'

/** A connection as the renderer reports it. */
interface Connected {
  source: string
  sourceHandle?: string | null
  target: string
  targetHandle?: string | null
}

/** Returns the renderer properties for links that the user drags, and the last link that was not dropped on a port. */
export function useConnections<Data>(
  graph: Graph<Data>,
  rules: LinkRules<Data>,
  actions: CanvasActions | undefined,
) {
  const flow = useReactFlow()
  const loose = useLooseLink()
  function onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState): void {
    if (state.fromHandle === null || state.isValid === true) return
    if (state.toHandle === null || state.toHandle.type === state.fromHandle.type) {
      const pointer = 'clientX' in event ? event : event.changedTouches[0]
      if (pointer !== undefined && state.from !== null)
        loose.show(state.from, flow.screenToFlowPosition({ x: pointer.clientX, y: pointer.clientY }))
      return
    }
    const isForward = state.fromHandle.type === 'source'
    const [start, end] = isForward ? [state.fromHandle, state.toHandle] : [state.toHandle, state.fromHandle]
    const problem = linkProblem(graph, rules, portOf(start), portOf(end))
    if (problem !== undefined) actions?.reject(problem)
  }

  return {
    loose: loose.link,
    onConnectEnd,
    isValidConnection: (connection: Connected) =>
      linkProblem(graph, rules, startOf(connection), endOf(connection)) === undefined,
    onConnect: (connection: Connected) => actions?.link(startOf(connection), endOf(connection)),
  }
}

function portOf({ nodeId, id }: { nodeId: string; id?: string | null }): PortRef {
  return { node: nodeId, port: id ?? '' }
}

function startOf({ source, sourceHandle }: Connected): PortRef {
  return { node: source, port: sourceHandle ?? '' }
}

function endOf({ target, targetHandle }: Connected): PortRef {
  return { node: target, port: targetHandle ?? '' }
}
