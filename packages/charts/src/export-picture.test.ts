import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ChartSpec } from './chart-spec.ts'
import { paintSvg } from './export-picture.ts'
import type { Picture } from './picture.ts'
import { layOut, toParts } from './layout.ts'
import { axisScale, toModel } from './model.ts'
import { paintAxes, paintSeries } from './painter.ts'
import { SvgPen } from './svg-pen.ts'
import type { Theme } from './theme-colors.ts'

/** Replaces the text measurement of the browser with a fixed width of 6 pixels per character. */
const measure = { font: '', measureText: (text: string) => ({ width: text.length * 6 }) }
const measuringPen = measure as unknown as CanvasRenderingContext2D

beforeEach(() => {
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => measuringPen }) })
  return () => vi.unstubAllGlobals()
})

const theme = {
  surface: 'white',
  text: 'black',
  muted: 'dimgray',
  label: 'gray',
  grid: 'silver',
  family: 'Test Sans',
  color: (name: string) => name.toUpperCase(),
} as unknown as Theme

function prepare(
  spec: ChartSpec,
  { width = 160, height = 90, view = {}, ratio = 2, title = '' } = {},
): Picture {
  const model = toModel(spec, new WeakMap())
  const window = { ...model.full, ...view }
  const scales = {
    left: axisScale(model, 'left', window, 4),
    right: axisScale(model, 'right', window, 4),
  }
  const ticksOf = (scale: typeof scales.left) =>
    scale && { at: toParts(scale), labels: scale.ticks.map((tick) => String(tick)) }
  const layout = layOut(measuringPen, {
    width,
    height,
    ratio,
    family: theme.family,
    vertical: spec.layout === 'vertical',
    view: window,
    scales,
    ticks: { left: ticksOf(scales.left), right: ticksOf(scales.right) },
    xTicks: () => ({ at: [0, 0.5, 1], labels: ['start', 'middle', 'too long to fit'] }),
  })
  return { model, theme, layout, width, height, title, titlePixels: 15 }
}

/** Draws the exported picture. */
function draw(...given: Parameters<typeof prepare>): string {
  return inLines(paintSvg(prepare(...given)))
}

/** Draws the screen at two device pixels per CSS pixel, and returns the number of points. */
function drawOnScreen(...given: Parameters<typeof prepare>): { svg: string; points: number } {
  const { model, layout, width, height } = prepare(...given)
  const pen = new SvgPen(2 * width, 2 * height)
  paintAxes(pen, layout, theme)
  const points = paintSeries(pen, layout.plot, model, theme)
  return { svg: inLines(pen.toString()), points }
}

function storedPicture(name: string): string {
  return fileURLToPath(new URL(`../test/pictures/${name}.svg`, import.meta.url))
}

function inLines(svg: string): string {
  return svg.replaceAll('><', '>\n<')
}

const x = [0, 10, 20, 30, 40, 50]
const number = { kind: 'number' } as const
const wave = Array.from({ length: 400 }, (_, i) => (i % 97 === 50 ? null : Math.round(40 * Math.sin(i / 7))))
const many = { x: wave.map((_, i) => i), y: wave }
const rules = [
  { from: 3, color: 'red' },
  { from: 5, to: 6, color: 'blue' },
]

const pictures: Record<string, () => string> = {
  'lines-on-two-axes': () =>
    draw(
      {
        x: number,
        series: [
          {
            label: 'Price',
            kind: 'line',
            x,
            y: [1, 4, null, 2, null, 3],
            color: 'teal',
            referenceLine: true,
          },
          {
            label: 'Volume',
            kind: 'line',
            x,
            y: [10, 30, 20, 20, 50, 40],
            axis: 'right',
            lineStyle: 'DASHED',
            thickness: 3,
            opacity: 0.5,
            color: 'navy',
          },
          { label: 'Hidden', kind: 'line', x, y: [1, 1, 1, 1, 1, 1], hidden: true, color: 'pink' },
        ],
      },
      { title: 'Price & volume' },
    ),
  'areas-with-rules': () =>
    draw({
      x: number,
      legend: { size: 'Big' },
      series: [
        {
          label: 'Area',
          kind: 'area',
          x,
          y: [-2, 4, 6, null, 1, 3],
          color: 'teal',
          colorRules: rules,
          interpolation: 'monotone',
        },
        {
          label: 'Far',
          kind: 'area',
          x,
          y: [2, 2, 9, 9, 1, 1],
          color: 'olive',
          interpolation: 'step',
          referenceLine: 5,
        },
      ],
    }),
  'band-with-its-mean': () =>
    draw({
      x: number,
      series: [
        {
          label: 'Range',
          kind: 'area',
          x,
          y: [5, 6, 7, null, 6, 5],
          low: [3, 4, 2, null, 3, 4],
          color: 'gray',
          interpolation: 'stepAfter',
        },
        { label: 'Mean', kind: 'line', x, y: [4, 5, 5, null, 4, 4.5], color: 'black', lineStyle: 'DASHED' },
      ],
    }),
  'bars-side-by-side': () =>
    draw(
      {
        x: number,
        series: [
          { label: 'A', kind: 'bars', x, y: [1, -4, 6, null, 5, 3], color: 'teal', colorRules: rules },
          { label: 'B', kind: 'bars', x, y: [2, 3, -1, 4, 0, 6], color: 'olive' },
          {
            label: 'C',
            kind: 'bars',
            x,
            y: [6, 6, 6, 6, 6, 6],
            color: 'silver',
            isHistogram: true,
            opacity: 0.3,
          },
        ],
      },
      { view: { from: 5, to: 45 } },
    ),
  dots: () =>
    draw({
      x: number,
      rightAxis: { domain: 'Zero to 100' },
      series: [
        {
          label: 'Dots',
          kind: 'scatter',
          x: [0, 0.001, ...x.slice(1)],
          y: [4, 4, 1, 3, 5.5, null, 7],
          color: 'teal',
          colorRules: rules,
          dotSize: 9,
        },
        { label: 'Cut off', kind: 'scatter', x, y: [-5, 0, 50, 100, 120, 99], axis: 'right', color: 'olive' },
      ],
    }),
  'x-from-top-to-bottom': () =>
    draw({
      x: number,
      layout: 'vertical',
      series: [
        { label: 'Line', kind: 'line', x, y: [1, 4, 2, 2, 5, 3], color: 'teal', interpolation: 'bump' },
        {
          label: 'Bars',
          kind: 'bars',
          x,
          y: [20, 40, 10, 30, 60, 50],
          axis: 'right',
          color: 'olive',
          referenceLine: 25,
        },
      ],
    }),
  'more-points-than-pixels': () =>
    draw(
      {
        x: number,
        series: [{ label: 'Line', kind: 'line', ...many, color: 'teal', opacity: 0.5, thickness: 3 }],
      },
      { width: 60, ratio: 1 },
    ),
  'dashes-of-many-points': () =>
    draw(
      {
        x: number,
        series: [{ label: 'Line', kind: 'line', ...many, color: 'teal', lineStyle: 'DASHED', thickness: 2 }],
      },
      { width: 60, ratio: 1 },
    ),
  'area-of-many-points': () =>
    draw(
      {
        x: number,
        series: [
          {
            label: 'Area',
            kind: 'area',
            x: [...many.x, 900, 901],
            y: [...wave, 5, 9],
            color: 'teal',
            colorRules: [{ to: -20, color: 'red' }],
          },
        ],
      },
      { width: 60, ratio: 1 },
    ),
  'band-of-many-points': () =>
    draw(
      {
        x: number,
        series: [
          {
            label: 'Range',
            kind: 'area',
            x: [...many.x, 900, 901],
            y: [...wave, 5, 9],
            low: [...wave.map((value) => (value === null ? null : value - 10)), 0, 1],
            color: 'gray',
          },
        ],
      },
      { width: 60, ratio: 1 },
    ),
  'bars-of-many-points': () =>
    draw(
      { x: number, series: [{ label: 'Bars', kind: 'bars', ...many, color: 'teal' }] },
      { width: 60, ratio: 1 },
    ),
  'legend-in-rows': () =>
    draw({
      x: number,
      legend: { sorting: 'DESC' },
      series: ['Series 2', 'Series 10', 'Series 1', 'Series 3'].map((label, i) => ({
        label,
        kind: 'line',
        x: [0, 1],
        y: [i, 1 + i],
      })),
    }),
}

test.each(Object.keys(pictures))('the picture of %s equals the stored one', async (name) => {
  await expect(pictures[name]!()).toMatchFileSnapshot(storedPicture(name))
})

test.each([
  { name: 'screen-horizontal', layout: 'horizontal' },
  { name: 'screen-vertical', layout: 'vertical' },
] as const)('the picture of $name equals the stored one and counts its points', async ({ name, layout }) => {
  const { svg, points } = drawOnScreen({
    x: number,
    layout,
    series: [
      { label: 'Line', kind: 'line', x, y: [1, 4, null, 2, null, 3], color: 'teal', referenceLine: true },
      { label: 'Bars', kind: 'bars', x, y: [20, 40, 10, null, 60, 50], axis: 'right', color: 'olive' },
      { label: 'Dots', kind: 'scatter', x, y: [3, 3, 3, 3, 3, null], color: 'navy', lineStyle: 'DASHED' },
    ],
  })
  expect(points).toBe(4 + 5 + 5)
  await expect(svg).toMatchFileSnapshot(storedPicture(name))
})

test('counts the points within the window', () => {
  const count = (kind: 'line' | 'bars' | 'scatter', view: { from: number; to: number }) =>
    drawOnScreen({ x: number, series: [{ label: 'A', kind, x, y: [1, 2, null, 4, 5, 6] }] }, { view }).points
  for (const kind of ['line', 'bars', 'scatter'] as const) {
    expect(count(kind, { from: 0, to: 50 })).toBe(5)
    expect(count(kind, { from: 10, to: 40 })).toBe(3)
    expect(count(kind, { from: 11, to: 39 })).toBe(1)
  }
})
