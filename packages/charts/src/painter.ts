import type { AxisSide } from './chart-spec.ts'
import type { StampDots } from './draw-dots.ts'
import { drawSeries } from './draw-series.ts'
import type { Pen } from './pen.ts'
import { across, type Projection } from './projection.ts'
import { LABEL_PIXELS } from './layout.ts'
import type { AxisTicks, Layout, Plot } from './layout.ts'
import type { ValueScale } from './domains.ts'
import { visibleSeries } from './model.ts'
import type { Model, SeriesModel } from './model.ts'
import { within } from './numbers.ts'
import type { Theme } from './theme-colors.ts'

const ORDER = ['area', 'bars', 'line', 'scatter'] as const

/** Draws all visible series into the plot and returns the number of points used. */
export function paintSeries(pen: Pen, plot: Plot, model: Model, theme: Theme, stampDots?: StampDots): number {
  let drawn = 0
  for (const points of seriesParts(pen, plot, model, theme, stampDots)) drawn += points
  return drawn
}

/** Draws the visible series one by one, and yields the number of points used for each. */
export function* seriesParts(
  pen: Pen,
  plot: Plot,
  model: Model,
  theme: Theme,
  stampDots?: StampDots,
): Generator<number> {
  const visible = visibleSeries(model)
  for (const kind of ORDER) {
    for (const one of visible) {
      if (one.spec.kind !== kind) continue
      const view = projection(plot, one.side)
      pen.save()
      enterPlot(pen, plot, kind === 'scatter' ? (dotSize(one) / 2) * plot.ratio : 2 * plot.ratio)
      const drawn = drawSeries(
        pen,
        { ...seriesStyle(one, model, theme, plot.ratio), stampDots },
        view,
        one.slot,
      )
      pen.restore()
      yield drawn
    }
  }
  for (const one of visible) paintReference(pen, plot, one, theme)
}

/** Draws the grid lines of the left axis, or of the right one if it is the only axis, and the labels of all axes. */
export function paintAxes(pen: Pen, { plot, xTicks, ticks }: Layout, theme: Theme): void {
  const { left, top, width, height, ratio, vertical } = plot
  const style = { font: `${LABEL_PIXELS * ratio}px ${theme.family}`, color: theme.label }
  pen.strokeStyle = theme.grid
  pen.lineWidth = Math.max(1, Math.round(ratio))
  // Lines of odd width are sharp only half-way between pixels.
  const sharp = (pen.lineWidth % 2) / 2
  pen.beginPath()
  for (const at of (ticks.left ?? ticks.right)?.at ?? []) {
    const x = Math.round(left + width * at) + sharp
    const y = Math.round(top + height * (1 - at)) + sharp
    pen.moveTo(vertical ? x : left, vertical ? top : y)
    pen.lineTo(vertical ? x : left + width, vertical ? top + height : y)
  }
  pen.stroke()
  const beside = (axis: AxisTicks, x: number, align: 'left' | 'right', up: boolean) =>
    axis.at.forEach((at, i) => {
      write(pen, axis.labels[i]!, x, top + height * (up ? 1 - at : at), { ...style, align })
    })
  const inRow = (axis: AxisTicks, y: number) =>
    axis.at.forEach((at, i) =>
      write(pen, axis.labels[i]!, left + width * at, y, { ...style, align: 'center' }),
    )
  const [before, behind] = [left - 6 * ratio, left + width + 6 * ratio]
  const [above, under] = [top - 14 * ratio, top + height + 14 * ratio]
  if (vertical) {
    beside(xTicks, before, 'right', false)
    if (ticks.left) inRow(ticks.left, under)
    if (ticks.right) inRow(ticks.right, above)
  } else {
    inRow(xTicks, under)
    if (ticks.left) beside(ticks.left, before, 'right', true)
    if (ticks.right) beside(ticks.right, behind, 'left', true)
  }
}

/** Writes one line of text, centred on `y`. */
export function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  style: { font: string; color: string; align: 'left' | 'right' | 'center' },
): void {
  pen.font = style.font
  pen.fillStyle = style.color
  pen.textAlign = style.align
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y)
}

/** Returns the projection of x and one value axis onto the plot. */
export function projection(plot: Plot, side: AxisSide): Projection {
  const {
    min,
    max,
    log = false,
  }: Partial<ValueScale> & Pick<ValueScale, 'min' | 'max'> = plot.scales[side] ?? {
    min: 0,
    max: 1,
  }
  const { vertical, view, width, height } = plot
  const [along, across] = vertical ? [height, width] : [width, height]
  return { ...view, min, max, log, along, across, rising: vertical }
}

/**
 * Returns the value of the reference line: the latest value of the series or the value of its spec; NaN if there is
 * none.
 */
function referenceValue({ spec, points }: SeriesModel): number {
  if (typeof spec.referenceLine === 'number') return spec.referenceLine
  return spec.referenceLine ? (points.y.findLast((value) => value === value) ?? NaN) : NaN
}

/** Moves the origin into the plot (transposed if x runs downwards) and clips. */
function enterPlot(pen: Pen, plot: Plot, margin: number): void {
  const { left, top, width, height, vertical } = plot
  pen.beginPath()
  pen.rect(left - margin, top - margin, width + 2 * margin, height + 2 * margin)
  pen.clip()
  if (vertical) pen.transform(0, 1, 1, 0, left, top)
  else pen.transform(1, 0, 0, 1, left, top)
}

function seriesStyle(
  { spec, points, low, color, opacity, rules }: SeriesModel,
  model: Model,
  theme: Theme,
  ratio: number,
) {
  return {
    kind: spec.kind,
    points,
    low,
    color: theme.color(color),
    rules: rules.map((rule) => ({ ...rule, color: theme.color(rule.color) })),
    thickness: within(spec.thickness, 0.5, 20, 1.4) * ratio,
    opacity,
    dashed: spec.lineStyle === 'DASHED',
    dotSize: dotSize({ spec }) * ratio,
    curve: spec.interpolation ?? model.spec.interpolation ?? 'linear',
  }
}

function paintReference(pen: Pen, plot: Plot, one: SeriesModel, theme: Theme): void {
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
