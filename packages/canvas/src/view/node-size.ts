import { Position } from '@xyflow/react'
import type { Port } from '../graph.ts'

/** Width of a node, in pixels. */
export const nodeWidth = 200
// Same sizes as in Canvas.module.css. They are fixed, so that ports need not be measured and links to nodes outside the view
// can be drawn.
const topOfPorts = 66
const portHeight = 17
const heightWithoutPorts = 60
const handleSize = 9
const orderHandleSize = 8

/** Bounds of a port, relative to its node. */
interface PortBounds {
  id: string
  type: 'source' | 'target'
  position: Position
  x: number
  y: number
  width: number
  height: number
}

/** Returns the height of a node and the bounds of its ports, in pixels. */
export function nodeSize(ports: readonly Port[]): { height: number; handles: PortBounds[] } {
  const rows = { in: 0, out: 0 }
  const handles = ports.map(({ id, side, isOrder = false, isNamed = false }): PortBounds => {
    const size = isOrder ? orderHandleSize : handleSize
    const centre = isOrder && !isNamed ? 21.5 : topOfPorts + portHeight * rows[side]++ + portHeight / 2
    const edge = side === 'in' ? 2 : nodeWidth - 1
    return {
      id,
      type: side === 'in' ? 'target' : 'source',
      position: side === 'in' ? Position.Left : Position.Right,
      x: edge - size / 2,
      y: centre - size / 2,
      width: size,
      height: size,
    }
  })
  const rowCount = Math.max(rows.in, rows.out)
  return { height: heightWithoutPorts + (rowCount === 0 ? 0 : portHeight + portHeight * rowCount), handles }
}
