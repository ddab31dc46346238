import type { ChartSpec } from '@headwater/charts'

/** One chart of the gallery: at once a page to look at, an example to copy, and a stored picture. */
export interface GalleryCase {
  /** What is shown, in one sentence; ids of the requirements it shows stand at its end. */
  title: string
  /** A function, where the data are so many that they are made only when shown. */
  spec: ChartSpec | (() => ChartSpec)
  /** CSS pixels; default 640 × 320. */
  size?: [width: number, height: number]
  /** x at which crosshair and tooltip are shown. */
  cursor?: number
  /** Window zoomed to. */
  window?: [from: number, to: number]
}

/** One tile of an insight in the gallery, with data that were typed into it. */
export interface TileCase {
  title: string
  /** The tile as it is stored. */
  tile: object
  /** CSS pixels; default 640 × 320. */
  size?: [width: number, height: number]
  /** How far its rows are scrolled: to the side, and down. */
  scrolled?: [left: number, top: number]
}

/** The spec of a case. */
export function specOf({ spec }: GalleryCase): ChartSpec {
  return typeof spec === 'function' ? spec() : spec
}
