import { partOf } from './domains.ts'

/** The rectangle of the plot and its scales, in device pixels; `along` is the x axis, `across` the value axis. */
export interface Projection {
  /** Start of the window. */
  from: number
  /** End of the window. */
  to: number
  /** Lower end of the value axis. */
  min: number
  /** Upper end of the value axis. */
  max: number
  /** Whether the value axis is logarithmic. */
  log: boolean
  /** Length of the x axis. */
  along: number
  /** Length of the value axis. */
  across: number
  /** Whether values grow with the coordinate; false if the coordinate grows downwards. */
  rising: boolean
}

/** Maximum coordinate in pixels. A canvas draws nothing if a coordinate is too large. */
export const FAR = 1e5

/** Returns the coordinate of an x. */
export function along(view: Projection, x: number): number {
  return clamp(((x - view.from) / (view.to - view.from)) * view.along)
}

/** Returns the coordinate of a value. */
export function across(view: Projection, value: number): number {
  const part = partOf(view, value)
  return clamp((view.rising ? part : 1 - part) * view.across)
}

function clamp(pixel: number): number {
  return pixel > FAR ? FAR : pixel > -FAR ? pixel : -FAR
}

/** Returns the base of bars and areas: zero, or the edge nearest to it. */
export function baseline(view: Projection): number {
  return across(view, Math.min(view.max, Math.max(view.min, 0)))
}
