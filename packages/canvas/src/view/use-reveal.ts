import { type RefObject, useEffect, useRef } from 'react'
import { useReactFlow } from '@xyflow/react'
import type { FlowNode } from './flow-nodes.ts'
import { simpleBelow } from './ItemNodeView.tsx'
import { nodeWidth } from './node-size.ts'

/**
 * Distance between a revealed node and the edge of the canvas, in pixels. It is larger at the lower edge, where the
 * buttons are.
 */
const margin = { side: 24, bottom: 64 }

/**
 * Returns a function that moves the canvas as far as necessary to make a node visible. A node that is not rendered
 * yet, such as a new one, is revealed as soon as it is rendered.
 * @param nodes the rendered nodes
 */
export function useReveal(
  root: RefObject<HTMLElement | null>,
  nodes: readonly FlowNode[],
): (id: string) => void {
  const flow = useReactFlow()
  const pending = useRef<string>(undefined)
  function reveal(id: string): void {
    const node = flow.getInternalNode(id)
    const box = root.current?.getBoundingClientRect()
    pending.current = node === undefined ? id : undefined
    if (node === undefined || box === undefined) return
    const { x, y, zoom } = flow.getViewport()
    const { width = nodeWidth, height = 0 } = node.measured
    if (zoom < simpleBelow) {
      void flow.setCenter(node.position.x + width / 2, node.position.y + height / 2, { zoom: 0.5 })
      return
    }
    const dx = distanceInto(node.position.x * zoom + x, width * zoom, box.width - margin.side)
    const dy = distanceInto(node.position.y * zoom + y, height * zoom, box.height - margin.bottom)
    if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom })
  }
  useEffect(() => {
    if (pending.current !== undefined && nodes.some(({ id }) => id === pending.current))
      reveal(pending.current)
  })
  return reveal
}

/**
 * Returns how far a range must move to lie between the margin and `limit`. If it does not fit, its start becomes visible.
 */
function distanceInto(start: number, length: number, limit: number): number {
  const atEnd = Math.min(0, limit - (start + length))
  return start + atEnd < margin.side ? margin.side - start : atEnd
}
