import type { ChartSpec } from './chart-spec.ts'
import type { StampDots } from './draw-dots.ts'
import { PICTURE_PAD as PAD, type Layout } from './layout.ts'
import { legendOrder } from './legend-order.ts'
import type { Model, SeriesModel } from './model.ts'
import { paintAxes, seriesParts, write } from './painter.ts'
import type { Pen, TextMeasure } from './pen.ts'
import { shortenedText } from './shortened-text.ts'
import type { Theme } from './theme-colors.ts'

/** Input of an exported picture. `width` and `height` are CSS pixels of the plot with axes. */
export interface Picture {
  /** The chart. */
  model: Model
  /** Colours and font. */
  theme: Theme
  /** Layout on screen. */
  layout: Layout
  /** Width of the plot with axes. */
  width: number
  /** Height of the plot with axes. */
  height: number
  /** Title; empty for none. */
  title: string
  /** Font size of the title. */
  titlePixels: number
  /**
   * Maximum number of rows of the legend. If they are not enough, the last row contains the number of omitted series.
   * Default: all.
   */
  maxLegendRows?: number
  /** Maximum width of a label of the legend; longer ones end in an ellipsis. Default: the width of the picture. */
  maxLabelPixels?: number
}

/** A picture whose legend is arranged in rows. */
export interface PreparedPicture extends Omit<Picture, 'width' | 'height'> {
  /** Width of the whole picture in CSS pixels. */
  width: number
  /** Height of the whole picture in CSS pixels. */
  height: number
  /** Top of the legend in CSS pixels. */
  legendTop: number
  /** Rows of the legend. */
  rows: readonly (readonly LegendEntry[])[]
}

/** An entry of the legend; without a series it is a note. */
interface LegendEntry {
  series: SeriesModel | undefined
  label: string
  width: number
}

const LEGEND_ROW = 20
/** Width of the colour sample and the gap between labels, in pixels. */
const MARK_AND_GAP = 30

/** Returns the font size of the title of a chart, in CSS pixels. */
export function titlePixels({ titleSize = 'Standard' }: Pick<ChartSpec, 'titleSize'>): number {
  return { Small: 13, Standard: 15, Big: 18, Huge: 24 }[titleSize]
}

/** Arranges the parts of a picture. */
export function preparePicture(measure: TextMeasure, picture: Picture): PreparedPicture {
  const { width, height, theme } = picture
  measure.font = titleFont(picture, 1)
  const title = shortenedText(measure, picture.title, width)
  measure.font = `${legendPixels(picture)}px ${theme.family}`
  const rows = legendRows(measure, picture)
  const legendTop = PAD + titleHeight(picture) + height + 4
  const legendHeight = rows.length === 0 ? 0 : rows.length * LEGEND_ROW + 4
  return {
    ...picture,
    title,
    rows,
    legendTop,
    width: width + 2 * PAD,
    height: height + 2 * PAD + titleHeight(picture) + legendHeight,
  }
}

/** Paints a picture at a number of device pixels per CSS pixel. */
export function paintPicture(pen: Pen, picture: PreparedPicture, scale: number, stamp?: StampDots): void {
  for (const _ of pictureParts(pen, picture, scale, stamp));
}

/** Paints a picture series by series, so that the caller can pause. */
export function* pictureParts(
  pen: Pen,
  picture: PreparedPicture,
  scale: number,
  stamp?: StampDots,
): Generator<unknown> {
  const { theme, model, title, width, height, rows, legendTop } = picture
  pen.fillStyle = theme.surface
  pen.beginPath()
  pen.rect(0, 0, width * scale, height * scale)
  pen.fill()
  if (title !== '') {
    write(pen, title, PAD * scale, (PAD + picture.titlePixels / 2) * scale, {
      font: titleFont(picture, scale),
      color: theme.text,
      align: 'left',
    })
  }
  const layout = layoutOn(picture, scale)
  paintAxes(pen, layout, theme)
  yield* seriesParts(pen, layout.plot, model, theme, stamp)
  rows.forEach((row, i) => {
    paintLegendRow(pen, picture, row, legendTop + i * LEGEND_ROW + LEGEND_ROW / 2, scale)
  })
}

/** Moves and scales the screen layout to the position of the plot in the picture. */
function layoutOn(picture: PreparedPicture, scale: number): Layout {
  const { layout } = picture
  const { plot } = layout
  const factor = scale / plot.ratio
  return {
    ...layout,
    plot: {
      ...plot,
      left: Math.round(plot.left * factor + PAD * scale),
      top: Math.round(plot.top * factor + (PAD + titleHeight(picture)) * scale),
      width: Math.round(plot.width * factor),
      height: Math.round(plot.height * factor),
      ratio: scale,
    },
  }
}

function paintLegendRow(
  pen: Pen,
  picture: PreparedPicture,
  row: readonly LegendEntry[],
  middle: number,
  scale: number,
): void {
  const { theme } = picture
  const font = `${legendPixels(picture) * scale}px ${theme.family}`
  let x = (picture.width - row.reduce((sum, { width }) => sum + width, 0)) / 2
  for (const { series, label, width } of row) {
    if (series !== undefined) {
      pen.fillStyle = theme.color(series.color)
      pen.beginPath()
      const height = series.low ? 8 : 3
      pen.rect((x + 8) * scale, (middle - height / 2) * scale, 8 * scale, height * scale)
      pen.globalAlpha = series.opacity * (series.low ? 0.4 : 1)
      pen.fill()
      pen.globalAlpha = 1
    }
    write(pen, label, (x + 22) * scale, middle * scale, { font, color: theme.muted, align: 'left' })
    x += width
  }
}

/** Arranges the visible series of the legend in rows that fit the width. */
function legendRows(measure: TextMeasure, picture: Picture): LegendEntry[][] {
  const { width, maxLegendRows = Infinity, maxLabelPixels = Infinity } = picture
  const most = Math.min(maxLabelPixels, width - MARK_AND_GAP)
  const visible = legendOrder(picture.model).filter(({ hidden }) => !hidden)
  const entries = visible.map((series): LegendEntry =>
    entryOf(shortenedText(measure, series.label, most), series),
  )
  const rows = inRows(entries, width)
  if (rows.length <= maxLegendRows) return rows
  const listed = rows.slice(0, maxLegendRows).flat()
  for (;;) {
    const note = entryOf(`and ${entries.length - listed.length} more`, undefined)
    const withNote = inRows([...listed, note], width)
    if (withNote.length <= maxLegendRows || listed.length === 0) return withNote
    listed.pop()
  }

  function entryOf(label: string, series: SeriesModel | undefined): LegendEntry {
    return { series, label, width: measure.measureText(label).width + MARK_AND_GAP }
  }
}

function inRows(entries: readonly LegendEntry[], width: number): LegendEntry[][] {
  const rows: LegendEntry[][] = []
  let used = Infinity
  for (const entry of entries) {
    if (used + entry.width > width) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push(entry)
    used += entry.width
  }
  return rows
}

function titleFont(
  { titlePixels: pixels, theme }: Pick<Picture, 'titlePixels' | 'theme'>,
  scale: number,
): string {
  return `600 ${pixels * scale}px ${theme.family}`
}

function legendPixels({ model }: Pick<Picture, 'model'>): number {
  return model.spec.legend?.size === 'Big' ? 14 : 12
}

function titleHeight({ title, titlePixels: pixels }: Pick<Picture, 'title' | 'titlePixels'>): number {
  return title !== '' ? Math.ceil(pixels * 1.35) + 8 : 0
}
