import type { RefObject } from 'react'
import { useReactFlow } from '@xyflow/react'
import { fittedView } from './fitted-view.ts'

/** Returns a function that fits the canvas to all nodes. */
export function useFit(root: RefObject<HTMLElement | null>): () => void {
  const flow = useReactFlow()
  return () => {
    const nodes = flow.getNodes()
    const box = root.current?.getBoundingClientRect()
    if (nodes.length > 0 && box !== undefined)
      void flow.setViewport(fittedView(flow.getNodesBounds(nodes), box))
  }
}
