import { layOutChart } from './chart-layout.ts'
import type { ChartSpec } from './chart-spec.ts'
import { createFormatter } from './formatter.ts'
import { PICTURE_PAD } from './layout.ts'
import { toModel } from './model.ts'
import { pictureParts, preparePicture, titlePixels } from './picture.ts'
import type { Pen, TextMeasure } from './pen.ts'
import type { Theme } from './theme-colors.ts'

/** Options of a drawing. Lengths are CSS pixels. */
export interface DrawingOptions {
  /** Measures texts in the fonts of the drawing. */
  measure: TextMeasure
  /** Colours and font. */
  theme: Theme
  /** Width of the plot with its axes. */
  width: number
  /** Height of the plot with its axes. */
  plotHeight: number
  /** Units of the pen per CSS pixel. Lines with many points are reduced to columns of one unit. Default 2. */
  scale?: number
  /** BCP 47 language of numbers and months. Default `en-GB`. */
  locale?: string
  /**
   * Maximum number of rows of the legend. If they are not enough, the last row contains the number of omitted series.
   * Default: all.
   */
  maxLegendRows?: number
  /** Maximum width of a label of the legend; longer ones end in an ellipsis. Default: the width of the drawing. */
  maxLabelPixels?: number
}

/** A chart with its title and legend, ready to be painted. */
export interface ChartDrawing {
  /** Height in CSS pixels with title, legend and padding. */
  height: number
  /** Padding on all sides in CSS pixels. */
  padding: number
  /**
   * Paints the chart at (0, 0), scaled by {@link DrawingOptions.scale}. It yields after each series, so that the caller can
   * pause.
   */
  paint(pen: Pen): Generator<unknown>
}

/** Lays out a chart for a surface outside the browser, with the same content as on screen without zoom. */
export function drawChart(spec: ChartSpec, options: DrawingOptions): ChartDrawing {
  const { measure, theme, width, plotHeight, scale = 2, locale = 'en-GB', ...legend } = options
  const model = toModel(spec, new WeakMap())
  const layout = layOutChart(measure, {
    model,
    formatter: createFormatter(model, locale),
    family: theme.family,
    width,
    height: plotHeight,
    ratio: scale,
    view: model.full,
  })
  const picture = preparePicture(measure, {
    model,
    theme,
    layout,
    width,
    height: plotHeight,
    title: spec.title ?? '',
    titlePixels: titlePixels(spec),
    ...legend,
  })
  return {
    height: picture.height,
    padding: PICTURE_PAD,
    paint: (pen) => pictureParts(pen, picture, scale),
  }
}
