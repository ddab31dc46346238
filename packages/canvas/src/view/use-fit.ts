import type { RefObject } from 'react'
import { getViewportForBounds, useReactFlow } from '@xyflow/react'
import { nodeWidth } from './node-size.ts'

/** Zoom levels of a fitted canvas. Below the minimum, the names of nodes are too small to read. */
const fitZoom = { min: 0.65, max: 1 }
/** Free space around the fitted nodes, as a part of the canvas. */
const padding = 0.1

/**
 * Returns a function that fits the canvas to all nodes. If their names would be too small to read, it centres the
 * selected node, or else the first one.
 */
export function useFit(root: RefObject<HTMLElement | null>, selection: ReadonlySet<string>): () => void {
  const flow = useReactFlow()
  return () => {
    const nodes = flow.getNodes()
    const box = root.current?.getBoundingClientRect()
    if (nodes.length === 0 || box === undefined) return
    const bounds = flow.getNodesBounds(nodes)
    const fitted = getViewportForBounds(bounds, box.width, box.height, 0, fitZoom.max, padding)
    if (fitted.zoom >= fitZoom.min) {
      void flow.setViewport(fitted)
      return
    }
    const { position, measured } = nodes.find(({ id }) => selection.has(id)) ?? nodes[0]!
    const { width = nodeWidth, height = 0 } = measured ?? {}
    void flow.setCenter(position.x + width / 2, position.y + height / 2, { zoom: fitZoom.min })
  }
}
