import { useLayoutEffect } from 'react'
import { useStore, ViewportPortal } from '@xyflow/react'
import { type DragLayer, svgAttribute } from './drag-layer.ts'
import styles from './Canvas.module.css'

/** Draws the links of dragged nodes, and updates the layer when the canvas has been rendered. */
export function DraggedLinks({ layer }: { layer: DragLayer }) {
  const nodes = useStore((state) => state.nodes)
  const edges = useStore((state) => state.edges)
  const transform = useStore((state) => state.transform)
  useLayoutEffect(() => layer.update(), [layer, nodes, edges, transform])
  return (
    <ViewportPortal>
      <svg className={styles.dragged} {...{ [svgAttribute]: '' }} aria-hidden="true" />
    </ViewportPortal>
  )
}
