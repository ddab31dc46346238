import { drawChart, lightTheme, type ChartDrawing } from '@headwater/charts/drawing'
import type { ReportChart } from '../tile-report/report-tile.ts'
import { page, type Fonts } from './pdf-layout.ts'
import { PdfPen, textMeasure } from './pdf-pen.ts'

/** Points of the page per pixel of the screen. */
const pointsPerPixel = 0.75
/** Units of the drawing per pixel, as on a screen with twice as many pixels. */
const scale = 2
/** Heights of charts without title and legend, in pixels. A page has space for three charts of half height. */
const plotHeights = { full: 560, half: 236, quarter: 150 } as const
const maxLegendRows = 8
/** Maximum width of a label of the legend, as on screen. */
const maxLabelPixels = 240

/** Colours of the light scheme that charts can name. A test compares them with the theme. */
export const lightColours: Readonly<Record<string, string>> = {
  '--surface': '#ffffff',
  '--line': '#e2e6ea',
  '--text': '#18212a',
  '--text-2': '#55616d',
  '--text-3': '#606c77',
  '--accent': '#0b6e6a',
  '--accent-strong': '#085652',
  '--running': '#1f6fb2',
  '--paused': '#7a5ab8',
  '--completed': '#22794c',
  '--error': '#b3323f',
  '--warn': '#94620a',
  '--info': '#3c6382',
  '--pending': '#606c78',
  '--series-1': '#2b7bba',
  '--series-2': '#d9702c',
  '--series-3': '#2f8f6b',
  '--series-4': '#b8456a',
  '--series-5': '#6d5bb8',
  '--series-6': '#a67c17',
  '--series-7': '#2f95a8',
  '--series-8': '#7c6352',
}

/** A chart that is laid out for the width of a page. */
export interface PdfChart {
  /** Height in points. */
  height: number
  /** Draws it at a position in points, series by series. */
  draw: (document: PDFKit.PDFDocument, x: number, y: number) => Generator<unknown>
}

/** Lays out a chart with the same marks, colours and reduction of points as on screen. */
export function pdfChart({ spec, height }: ReportChart, fonts: Fonts): PdfChart {
  const drawing: ChartDrawing = drawChart(spec, {
    measure: textMeasure(fonts),
    theme: lightTheme('report', lightColours),
    width: (page.width - 2 * page.margin) / pointsPerPixel,
    plotHeight: plotHeights[height],
    scale,
    maxLegendRows,
    maxLabelPixels,
  })
  // The padding at the sides lies in the margin of the page, so that the chart is as wide as texts.
  const padding = drawing.padding * pointsPerPixel
  return {
    height: drawing.height * pointsPerPixel - padding,
    *draw(document, x, y) {
      document.save()
      document.translate(x - padding, y).scale(pointsPerPixel / scale)
      const pen = new PdfPen(document, fonts)
      yield* drawing.paint(pen)
      pen.finish()
      document.restore()
    },
  }
}
