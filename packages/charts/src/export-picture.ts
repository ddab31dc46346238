import type { Pen } from './pen.ts'
import { PICTURE_PAD as PAD } from './frame.ts'
import { ImageError } from './image-error.ts'
import type { Layout } from './frame.ts'
import { legendOrder } from './legend.ts'
import type { Model, SeriesModel } from './model.ts'
import { paintAxes, paintSeries, write } from './painter.ts'
import { SvgPen } from './svg-pen.ts'
import type { Theme } from './theme.ts'

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
}

const LEGEND_ROW = 20

/** Widths of legend entries, measured during the layout of rows. */
const widths = new WeakMap<SeriesModel, number>()

/** Paints the chart as PNG at this number of device pixels per CSS pixel. Throws an {@link ImageError}. */
export function paintPng(picture: Picture, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')!
  const rows = legendRows(pen, picture)
  const { width, height } = outerSize(picture, rows)
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  paint(pen, picture, rows, scale)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new ImageError())))
  })
}

/** Paints the chart as an SVG document. */
export function paintSvg(picture: Picture): string {
  const measure = document.createElement('canvas').getContext('2d')!
  const rows = legendRows(measure, picture)
  const { width, height } = outerSize(picture, rows)
  const pen = new SvgPen(width, height)
  paint(pen, picture, rows, 1)
  return pen.toString()
}

function outerSize(picture: Picture, rows: readonly SeriesModel[][]): { width: number; height: number } {
  return {
    width: picture.width + 2 * PAD,
    height:
      picture.height + 2 * PAD + titleHeight(picture) + (rows.length ? rows.length * LEGEND_ROW + 4 : 0),
  }
}

function paint(pen: Pen, picture: Picture, rows: readonly SeriesModel[][], scale: number): void {
  const { theme, model, title, titlePixels } = picture
  const { width, height } = outerSize(picture, rows)
  pen.fillStyle = theme.surface
  pen.beginPath()
  pen.rect(0, 0, width * scale, height * scale)
  pen.fill()
  if (title !== '') {
    write(pen, title, PAD * scale, (PAD + titlePixels / 2) * scale, {
      font: `600 ${titlePixels * scale}px ${theme.family}`,
      color: theme.text,
      align: 'left',
    })
  }
  const layout = layoutOn(picture, scale)
  paintAxes(pen, layout, theme)
  paintSeries(pen, layout.plot, model, theme)
  rows.forEach((row, i) => {
    const top = PAD + titleHeight(picture) + picture.height + 4 + i * LEGEND_ROW
    paintLegendRow(pen, picture, row, width, top + LEGEND_ROW / 2, scale)
  })
}

/** Moves and scales the screen layout to the position of the plot in the picture. */
function layoutOn(picture: Picture, scale: number): Layout {
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
  picture: Picture,
  row: readonly SeriesModel[],
  width: number,
  middle: number,
  scale: number,
): void {
  const { theme } = picture
  const font = `${legendPixels(picture) * scale}px ${theme.family}`
  let x = (width - row.reduce((sum, one) => sum + widths.get(one)!, 0)) / 2
  for (const one of row) {
    pen.fillStyle = theme.color(one.color)
    pen.beginPath()
    const height = one.low ? 8 : 3
    pen.rect((x + 8) * scale, (middle - height / 2) * scale, 8 * scale, height * scale)
    pen.globalAlpha = one.opacity * (one.low ? 0.4 : 1)
    pen.fill()
    pen.globalAlpha = 1
    write(pen, one.label, (x + 22) * scale, middle * scale, { font, color: theme.muted, align: 'left' })
    x += widths.get(one)!
  }
}

/** Arranges the visible series of the legend in rows that fit the width. */
function legendRows(measure: CanvasRenderingContext2D, picture: Picture): SeriesModel[][] {
  measure.font = `${legendPixels(picture)}px ${picture.theme.family}`
  const rows: SeriesModel[][] = []
  let used = Infinity
  for (const one of legendOrder(picture.model)) {
    if (one.hidden) continue
    const width = measure.measureText(one.label).width + 30
    widths.set(one, width)
    if (used + width > picture.width) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push(one)
    used += width
  }
  return rows
}

function legendPixels({ model }: Picture): number {
  return model.spec.legend?.size === 'Big' ? 14 : 12
}

function titleHeight({ title, titlePixels }: Picture): number {
  return title !== '' ? Math.ceil(titlePixels * 1.35) + 8 : 0
}
