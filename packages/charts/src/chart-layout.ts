import type { ChartWindow } from './chart-handle.ts'
import type { ChartFormatter } from './formatter.ts'
import { layOut, type Layout } from './layout.ts'
import { axisScale, type Model } from './model.ts'
import type { TextMeasure } from './pen.ts'

/** Minimum distance between ticks of a value axis in CSS pixels: vertically, and for labels in a row. */
const MIN_TICK_DISTANCE_UP = 28
const MIN_TICK_DISTANCE_IN_ROW = 64

/** A chart and the surface for its plot with axes. */
export interface ChartSurface {
  /** The chart. */
  model: Model
  /** Formats its numbers and dates. */
  formatter: ChartFormatter
  /** Font family of the labels. */
  family: string
  /** Width in CSS pixels. */
  width: number
  /** Height in CSS pixels. */
  height: number
  /** Device pixels per CSS pixel. */
  ratio: number
  /** Visible window. */
  view: ChartWindow
}

/** Returns the scales, the ticks and the position of the plot. */
export function layOutChart(measure: TextMeasure, surface: ChartSurface): Layout {
  const { model, formatter, family, width, height, ratio, view } = surface
  const { spec } = model
  const vertical = spec.layout === 'vertical'
  const space = vertical ? width / MIN_TICK_DISTANCE_IN_ROW : (height - 32) / MIN_TICK_DISTANCE_UP
  const maxIntervals = Math.max(1, Math.floor(space))
  const left = axisScale(model, 'left', view, maxIntervals)
  const { domain = 'Default', min, max } = spec.leftAxis ?? {}
  const aligned = domain === 'Default' && min === undefined && max === undefined
  const right = axisScale(model, 'right', view, maxIntervals, aligned ? left : undefined)
  return layOut(measure, {
    width,
    height,
    ratio,
    family,
    vertical,
    view,
    scales: { left, right },
    ticks: { left: formatter.valueTicks('left', left), right: formatter.valueTicks('right', right) },
    // Stacked labels need less space than labels in a row.
    xTicks: (pixels, before) => formatter.xTicks(view, vertical ? pixels * 2 : pixels, before),
  })
}
