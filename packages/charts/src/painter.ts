import type { ChartWindow } from './chart-handle.ts'
import type { AxisSide } from './chart-spec.ts'
import type { ValueScale } from './domains.ts'
import { across, drawSeries } from './draw-series.ts'
import type { Pen, Projection } from './draw-series.ts'
import { shownSeries } from './model.ts'
import type { Model, SeriesModel } from './model.ts'
import type { Theme } from './theme.ts'

/** The plot on a surface: where it lies, in device pixels, and what it shows. */
export interface Plot {
  left: number
  top: number
  width: number
  height: number
  /** Device pixels per CSS pixel. */
  ratio: number
  vertical: boolean
  view: ChartWindow
  scales: Record<AxisSide, ValueScale | undefined>
}

const ORDER = ['area', 'bars', 'line', 'scatter'] as const

/** Draws all shown series into the plot and answers from how many points. */
export function paintSeries(
  pen: Pen & Pick<CanvasRenderingContext2D, 'transform'>,
  plot: Plot,
  model: Model,
  theme: Theme,
): number {
  let drawn = 0
  const shown = shownSeries(model)
  for (const kind of ORDER) {
    for (const one of shown) {
      if (one.spec.kind !== kind) continue
      const view = projection(plot, one.side)
      pen.save()
      enterPlot(pen, plot, kind === 'scatter' ? (dotSize(one) / 2) * plot.ratio : 2 * plot.ratio)
      drawn += drawSeries(pen, seriesStyle(one, model, theme, plot.ratio), view, one.slot)
      pen.restore()
    }
  }
  for (const one of shown) paintReference(pen, plot, one, theme)
  return drawn
}

/** Scales of one axis on the plot. */
export function projection(plot: Plot, side: AxisSide): Projection {
  const { min, max } = plot.scales[side] ?? { min: 0, max: 1 }
  const { vertical, view, width, height } = plot
  const [along, across] = vertical ? [height, width] : [width, height]
  return { ...view, min, max, along, across, rising: vertical }
}

/** The latest value of a series, or the value it names, if it wants a line there. */
export function referenceValue({ spec, points }: SeriesModel): number {
  if (typeof spec.referenceLine === 'number') return spec.referenceLine
  return spec.referenceLine ? (points.y.findLast((value) => value === value) ?? NaN) : NaN
}

/** Moves the origin into the plot (and turns it, if x runs downwards), and cuts off what lies outside. */
function enterPlot(pen: Pen & Pick<CanvasRenderingContext2D, 'transform'>, plot: Plot, margin: number): void {
  const { left, top, width, height, vertical } = plot
  pen.beginPath()
  pen.rect(left - margin, top - margin, width + 2 * margin, height + 2 * margin)
  pen.clip()
  if (vertical) pen.transform(0, 1, 1, 0, left, top)
  else pen.transform(1, 0, 0, 1, left, top)
}

function seriesStyle({ spec, points, color, rules }: SeriesModel, model: Model, theme: Theme, ratio: number) {
  return {
    kind: spec.kind,
    points,
    color: theme.color(color),
    rules: rules.map((rule) => ({ ...rule, color: theme.color(rule.color) })),
    thickness: within(spec.thickness, 0.5, 20, 1.4) * ratio,
    opacity: within(spec.opacity, 0, 1, 1),
    dashed: spec.lineStyle === 'DASHED',
    dotSize: dotSize({ spec }) * ratio,
    curve: spec.interpolation ?? model.spec.interpolation ?? 'linear',
  }
}

function paintReference(
  pen: Pen & Pick<CanvasRenderingContext2D, 'transform'>,
  plot: Plot,
  one: SeriesModel,
  theme: Theme,
): void {
  const value = referenceValue(one)
  if (value !== value) return
  const view = projection(plot, one.side)
  const at = Math.round(across(view, value)) + 0.5
  pen.save()
  enterPlot(pen, plot, 0)
  pen.strokeStyle = theme.color(one.color)
  pen.lineWidth = plot.ratio
  pen.globalAlpha = 0.8
  pen.setLineDash([2 * plot.ratio, 3 * plot.ratio])
  pen.beginPath()
  pen.moveTo(0, at)
  pen.lineTo(view.along, at)
  pen.stroke()
  pen.restore()
}

function dotSize({ spec }: Pick<SeriesModel, 'spec'>): number {
  return within(spec.dotSize, 1, 40, 5)
}

function within(value: number | undefined, min: number, max: number, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : Math.min(max, Math.max(min, value))
}
