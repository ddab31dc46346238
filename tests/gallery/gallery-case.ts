import type { ChartSpec } from '@headwater/charts'

/** A chart of the gallery: a development page, an example and a stored picture. */
export interface GalleryCase {
  /** Description in one sentence; requirement ids are at its end. */
  title: string
  /** A function for large data, which are created only when the case is visible. */
  spec: ChartSpec | (() => ChartSpec)
  /** Size in CSS pixels, default 640 × 320. */
  size?: [width: number, height: number]
  /** x of the crosshair and tooltip. */
  cursor?: number
  /** Zoomed window. */
  window?: [from: number, to: number]
}

/** A tile of an insight in the gallery, with static data. */
export interface TileCase {
  title: string
  /** The tile as it is stored. */
  tile: object
  /** Size in CSS pixels, default 640 × 320. */
  size?: [width: number, height: number]
  /** Scroll position of its rows: horizontal and vertical. */
  scrolled?: [left: number, top: number]
}

/** The spec of a case. */
export function specOf({ spec }: GalleryCase): ChartSpec {
  return typeof spec === 'function' ? spec() : spec
}
