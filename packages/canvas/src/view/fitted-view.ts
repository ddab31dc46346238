import { getViewportForBounds, type Rect } from '@xyflow/react'

/** Zoom levels of the canvas. */
export const zoomLimits = { min: 0.1, max: 2 }
/** Zoom level up to which a fitted canvas enlarges its nodes. */
const maxFittedZoom = 1
/** Free space around the fitted nodes, as a part of the canvas. */
const padding = 0.1

/** Returns the view of a canvas that shows all of `bounds`, with the largest zoom level possible. */
export function fittedView(bounds: Rect, canvas: { width: number; height: number }) {
  return getViewportForBounds(bounds, canvas.width, canvas.height, zoomLimits.min, maxFittedZoom, padding)
}
