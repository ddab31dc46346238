import type { ChartWindow } from './chart-handle.ts'
import type { AxisSide } from './chart-spec.ts'
import { partOf } from './domains.ts'
import type { ValueScale } from './domains.ts'
import type { TextMeasure } from './pen.ts'

/** Ticks of one axis. */
export interface AxisTicks {
  /** Positions along the axis, from 0 to 1. */
  at: number[]
  /** Labels of the ticks. */
  labels: string[]
}

/** Position of the plot on a surface in device pixels, and its window and scales. */
export interface Plot {
  /** Left edge. */
  left: number
  /** Top edge. */
  top: number
  /** Width. */
  width: number
  /** Height. */
  height: number
  /** Device pixels per CSS pixel. */
  ratio: number
  /** Whether x runs downwards. */
  vertical: boolean
  /** Visible window. */
  view: ChartWindow
  /** Scale of each value axis; undefined if the axis does not exist. */
  scales: Record<AxisSide, ValueScale | undefined>
}

/** Input of the layout in CSS pixels; the x ticks are computed after the length of the plot is known. */
export interface LayoutInput {
  /** Width of the surface. */
  width: number
  /** Height of the surface. */
  height: number
  /** Device pixels per CSS pixel. */
  ratio: number
  /** Font family. */
  family: string
  /** Whether x runs downwards. */
  vertical: boolean
  /** Visible window. */
  view: ChartWindow
  /** Scale of each value axis; undefined if the axis does not exist. */
  scales: Record<AxisSide, ValueScale | undefined>
  /** Ticks of each value axis; undefined if the axis does not exist. */
  ticks: Record<AxisSide, AxisTicks | undefined>
  /** Returns ticks of x for the length of the plot and the space before it, in CSS pixels. */
  xTicks: (pixels: number, before: number) => AxisTicks
}

/** Layout of a chart. */
export interface Layout {
  /** Position of the plot. */
  plot: Plot
  /** Ticks of x. */
  xTicks: AxisTicks
  /** Ticks of each value axis; undefined if the axis does not exist. */
  ticks: Record<AxisSide, AxisTicks | undefined>
}

/** Font size of axis labels, in CSS pixels. */
export const LABEL_PIXELS = 11
/** Padding around an exported picture, in CSS pixels. */
export const PICTURE_PAD = 12
/** Heights and margins around the plot, in CSS pixels: a row of labels, the top, the sides, and the gap to the labels. */
const ROW = 24
const TOP = 8
const SIDE = 16
const LABEL_GAP = 8

/** Positions the plot so that all labels beside it fit. */
export function layOut(pen: TextMeasure, input: LayoutInput): Layout {
  const { width, height, ratio, vertical, ticks } = input
  pen.font = `${LABEL_PIXELS}px ${input.family}`
  const wide = (axis: AxisTicks) =>
    Math.ceil(Math.max(0, ...axis.labels.map((label) => pen.measureText(label).width)))
  let left = ticks.left && !vertical ? wide(ticks.left) + LABEL_GAP : SIDE
  const right = ticks.right && !vertical ? wide(ticks.right) + LABEL_GAP : SIDE
  const top = vertical && ticks.right ? ROW : TOP
  const bottom = vertical && !ticks.left ? TOP : ROW
  const plotHeight = Math.max(1, height - top - bottom)
  let xTicks: AxisTicks
  if (vertical) {
    xTicks = input.xTicks(plotHeight, 0)
    left = wide(xTicks) + LABEL_GAP
  } else {
    const length = Math.max(1, width - left - right)
    xTicks = input.xTicks(length, left)
    // Drops labels that would extend beyond the edge.
    xTicks.labels = xTicks.labels.map((label, i) => {
      const middle = left + length * xTicks.at[i]!
      const half = pen.measureText(label).width / 2
      return middle - half < 0 || middle + half > width ? '' : label
    })
  }
  const plot = {
    left: Math.round(left * ratio),
    top: Math.round(top * ratio),
    width: Math.max(1, Math.round((width - left - right) * ratio)),
    height: Math.max(1, Math.round(plotHeight * ratio)),
    ratio,
    vertical,
    view: input.view,
    scales: input.scales,
  }
  return { plot, xTicks, ticks }
}

/** Returns the ticks of a value axis as fractions of its range. */
export function toParts(scale: ValueScale): number[] {
  return scale.ticks.map((tick) => partOf(scale, tick))
}
