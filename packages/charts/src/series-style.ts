import type { ColorRule, Interpolation, SeriesKind } from './chart-spec.ts'
import type { StampDots } from './draw-dots.ts'
import type { Points } from './points.ts'

/** A series that is ready to draw, with resolved defaults and colours. Lengths are in device pixels. */
export interface SeriesStyle {
  /** Drawing style of the series. */
  kind: SeriesKind
  /** Points of the series. */
  points: Points
  /** Lower values of a band, at the same x. */
  low?: Points | undefined
  /** CSS colour. */
  color: string
  /** Conditional formatting. */
  rules: readonly ColorRule[]
  /** Line thickness. */
  thickness: number
  /** 0 to 1. */
  opacity: number
  /** Whether lines are dashed. */
  dashed: boolean
  /** Diameter of dots. */
  dotSize: number
  /** Curve between points. */
  curve: Interpolation
  /** Draws many dots; absent if the surface has no pixels. */
  stampDots?: StampDots | undefined
}

/** Position of the bars of one series within their slot. */
export interface BarSlot {
  /** Smallest distance in x between bars. */
  gap: number
  /** Index of this series among `count` adjacent ones. */
  index: number
  /** Number of adjacent series. */
  count: number
  /** Whether bars touch each other. */
  histogram: boolean
}

/** Opacity of the area below a line. */
export const AREA_OPACITY = 0.13
