import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import type { ChartSpec, SeriesSpec } from '@headwater/charts/values'
import { expect, test } from 'vitest'
import type { ReportChart, TileReport } from '../tile-report/report-tile.ts'
import { lightColours } from './pdf-chart.ts'
import { reportPdf } from './report-pdf.ts'

type Matrix = [number, number, number, number, number, number]

/** A filled or stroked shape: vertices in PDF points (1/72 inch), with an upward y axis. */
interface Shape {
  kind: 'fill' | 'stroke'
  /** As `#rrggbb`. */
  colour: string
  /** Parts of the path; rectangles have four points. */
  parts: [x: number, y: number][][]
}

/** Reads the shapes of the pages from their drawing operators. */
function shapesOf(bytes: Buffer): Shape[] {
  const shapes: Shape[] = []
  const text = bytes.toString('latin1')
  for (const { index, 0: start } of text.matchAll(/\/FlateDecode\s*>>\s*stream\r?\n/g)) {
    const content = inflateSync(bytes.subarray(index + start.length)).toString('latin1')
    if (/^1 0 0 -1 0 [\d.]+ cm/.test(content)) readPage(content, shapes)
  }
  return shapes
}

function readPage(content: string, shapes: Shape[]): void {
  let state = { matrix: [1, 0, 0, 1, 0, 0] as Matrix, fill: '', stroke: '' }
  const saved: (typeof state)[] = []
  let parts: [number, number][][] = []
  let operands: number[] = []
  const at = (x: number, y: number): [number, number] => {
    const [a, b, c, d, e, f] = state.matrix
    return [a * x + c * y + e, b * x + d * y + f]
  }
  for (const token of content.match(/\[[^\]]*\]|\([^)]*\)|<[^>]*>|\/\S+|[^\s[\]]+/g)!) {
    const number = Number(token)
    if (!Number.isNaN(number)) {
      operands.push(number)
      continue
    }
    const [x = 0, y = 0, width = 0, height = 0, ex = 0, fy = 0] = operands
    if (token === 'q') saved.push({ ...state })
    else if (token === 'Q') state = saved.pop()!
    else if (token === 'cm') state.matrix = multiplied([x, y, width, height, ex, fy], state.matrix)
    else if (token === 'scn') state.fill = hex(operands)
    else if (token === 'SCN') state.stroke = hex(operands)
    else if (token === 'm') parts.push([at(x, y)])
    else if (token === 'l') parts.at(-1)!.push(at(x, y))
    else if (token === 'c') parts.at(-1)!.push(at(ex, fy))
    else if (token === 're')
      parts.push([at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height)])
    else if (token === 'f' || token === 'S') {
      const kind = token === 'f' ? 'fill' : 'stroke'
      shapes.push({ kind, colour: kind === 'fill' ? state.fill : state.stroke, parts })
    }
    if (['f', 'S', 'n'].includes(token)) parts = []
    operands = []
  }
}

function multiplied([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

function hex(parts: readonly number[]): string {
  return `#${parts
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

const blue = '#2b7bba'
const orange = '#d9702c'
const gridColour = '#e2e6ea'

/** Digits for `toBeCloseTo` that allow a difference below 1.6 points: {@link heightOf} interpolates between labels. */
const withinPoint = -0.5

async function draw(spec: Partial<ChartSpec>, height: ReportChart['height'] = 'half') {
  const chart = { spec: { series: [], x: { kind: 'number' }, ...spec } as ChartSpec, height }
  const tiles = [{ title: 'Tile', kind: 'Chart', note: '', chart }]
  const report: TileReport = { title: 'T', insightName: 'I', groupName: 'G', tiles, leftOut: 0 }
  const written = { title: 'T', report, madeAt: new Date('2026-01-05T07:00:00Z') }
  const bytes = await bytesOf(written)
  const shapes = shapesOf(bytes)
  const texts = await textsOfFirstPage(bytes)
  const of = (kind: Shape['kind'], colour: string) =>
    shapes.filter((shape) => shape.kind === kind && shape.colour === colour)
  return { bytes, texts, of }
}

async function bytesOf(written: Parameters<typeof reportPdf>[0]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of reportPdf(written, new AbortController().signal).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the texts of the first page with their positions. */
async function textsOfFirstPage(bytes: Uint8Array): Promise<{ text: string; x: number; y: number }[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? { text: item.str, x: item.transform[4] as number, y: item.transform[5] as number }
      : [],
  )
}

/** Distance from the baseline of a label to its grid line, in points: about half the height of a digit. */
const labelRise = 2.9

/** Returns the height on the page of a value, from the labels of the axis that are beside the grid lines. */
function heightOf(value: number, { texts, of }: Awaited<ReturnType<typeof draw>>): number {
  const lines = of('stroke', gridColour).flatMap(({ parts }) => parts.map(([start]) => start![1]))
  const ticks = texts
    .filter(({ text, x }) => x < 80 && /^[\d.,]+$/.test(text))
    .map(({ text, y }) => ({
      value: Number(text),
      y: lines.toSorted((a, b) => Math.abs(a - y - labelRise) - Math.abs(b - y - labelRise))[0]!,
    }))
  const [low, high] = [ticks.at(0)!, ticks.at(-1)!]
  expect(Math.abs(high.y - low.y)).toBeGreaterThan(50)
  return low.y + ((value - low.value) / (high.value - low.value)) * (high.y - low.y)
}

const line = (y: (number | null)[], more: Partial<SeriesSpec> = {}): SeriesSpec => ({
  label: 'A',
  kind: 'line',
  x: y.map((_, at) => at * 10),
  y,
  ...more,
})

test('each point of a line is at the height of its value, and points are equally spaced', async () => {
  const values = [3, 17.5, 8, 0, 12]
  const drawn = await draw({ series: [line(values)] })
  const [shape, ...others] = drawn.of('stroke', blue)
  expect(others).toEqual([])
  const [points] = shape!.parts
  expect(points).toHaveLength(values.length)
  for (const [at, [, y]] of points!.entries())
    expect(y).toBeCloseTo(heightOf(values[at]!, drawn), withinPoint)
  const steps = points!.slice(1).map(([x], at) => x - points![at]![0])
  for (const step of steps) expect(step).toBeCloseTo(steps[0]!, 1)
  // The line has the width of the page without margins, minus the labels of the axis.
  expect(points![0]![0]).toBeGreaterThan(42)
  expect(points!.at(-1)![0]).toBeLessThan(595 - 42)
  expect(points!.at(-1)![0] - points![0]![0]).toBeGreaterThan(440)
})

test('gaps in a line are preserved, and a value between two gaps is a dot', async () => {
  const { of } = await draw({ series: [line([1, 2, null, 4, null, 6, 7, 8])] })
  const [drawn, dot] = of('stroke', blue)
  expect(drawn!.parts.map((part) => part.length)).toEqual([2, 3])
  expect(dot!.parts).toHaveLength(1)
  const [first] = dot!.parts[0]!
  expect(first![0]).toBeGreaterThan(drawn!.parts[0]!.at(-1)![0])
  expect(first![0]).toBeLessThan(drawn!.parts[1]![0]![0])
})

test('bars have heights in proportion to their values; a second axis has its own scale', async () => {
  const values = [10, 20, 40]
  const right = line([1000, 4000, 2000], { label: 'B', axis: 'right' })
  const { of, texts } = await draw({
    series: [line(values, { kind: 'bars' }), right],
    rightAxis: { unit: 'kt' },
  })
  const bars = of('fill', blue)
    .flatMap(({ parts }) => parts)
    .slice(0, 3)
  const heights = bars.map((part) => Math.abs(part[2]![1] - part[0]![1]))
  expect(heights[1]! / heights[0]!).toBeCloseTo(2, 1)
  expect(heights[2]! / heights[0]!).toBeCloseTo(4, 1)
  const [points] = of('stroke', orange)[0]!.parts
  expect(Math.max(...points!.map(([, y]) => y))).toBe(points![1]![1])
  expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['4,000 kt', 'B, right']))
})

test('100,000 points are reduced to the columns of the drawing, and the highest point is preserved', async () => {
  const count = 100_000
  const y = Float64Array.from({ length: count }, (_, at) => (at === 70_123 ? 500 : Math.sin(at / 50) * 10))
  const x = Float64Array.from({ length: count }, (_, at) => at)
  const drawn = await draw({ series: [{ label: 'A', kind: 'line', x, y }] })
  const rectangles = drawn.of('fill', blue).flatMap(({ parts }) => parts)
  expect(rectangles.length).toBeGreaterThan(1000)
  expect(rectangles.length).toBeLessThan(1400)
  const tops = rectangles.map((part) => Math.max(...part.map(([, y]) => y)))
  const top = Math.max(...tops)
  expect(top).toBeCloseTo(heightOf(500, drawn), withinPoint)
  const xs = rectangles.map((part) => part[0]![0])
  const part = (xs[tops.indexOf(top)]! - xs[0]!) / (xs.at(-1)! - xs[0]!)
  expect(part).toBeCloseTo(0.70123, 2)
  expect(drawn.bytes.length).toBeLessThan(200_000)
})

test('30,000 dots of a scatter are round and take few bytes', async () => {
  const count = 30_000
  const x = Float64Array.from({ length: count }, (_, at) => (at * 7919) % 10_007)
  const y = Float64Array.from({ length: count }, (_, at) => (at * 104_729) % 9973)
  const { of, bytes } = await draw({ series: [{ label: 'A', kind: 'scatter', x, y }] })
  const dots = of('stroke', blue).flatMap(({ parts }) => parts)
  expect(dots.length).toBeGreaterThan(20_000)
  for (const [from, to] of dots) expect(to).toEqual(from)
  expect(bytes.length).toBeLessThan(600_000)
})

test('x runs downwards in a vertical chart', async () => {
  const { of } = await draw({ series: [line([1, 5, 2])], layout: 'vertical' })
  const [points] = of('stroke', blue)[0]!.parts
  expect(points![1]![1]).toBeLessThan(points![0]![1])
  expect(points![2]![1]).toBeLessThan(points![1]![1])
  expect(points![1]![0]).toBe(Math.max(...points!.map(([x]) => x)))
})

test('draws colours with an opacity, short colours, and invalid ones in grey', async () => {
  const colours = ['#abc', '#12345680', '--text-3', '--unknown', '#12345']
  const { of } = await draw({ series: colours.map((color) => line([1, 2], { color })) })
  for (const colour of ['#aabbcc', '#123456', '#606c77']) expect(of('stroke', colour)).toHaveLength(1)
  expect(of('stroke', '#808080')).toHaveLength(2)
})

test('a full chart begins on the next page together with its heading', async () => {
  const chart: ReportChart = { spec: { series: [line([1, 2])], x: { kind: 'number' } }, height: 'full' }
  const tiles = [1, 2].map((at) => ({ title: `Tile ${at}`, kind: 'Chart', note: '', chart }))
  const report: TileReport = { title: 'T', insightName: 'I', groupName: 'G', tiles, leftOut: 0 }
  const bytes = await bytesOf({ title: 'T', report, madeAt: new Date(0) })
  expect((await textsOfFirstPage(bytes)).map(({ text }) => text)).not.toContain('Tile 2')
  expect(shapesOf(bytes).filter(({ colour }) => colour === blue)).toHaveLength(2)
})

test('the colours of reports are those of the light scheme', () => {
  const css = readFileSync(new URL('../../../../kit/web/src/theme/tokens.css', import.meta.url), 'utf8')
  const light = Object.fromEntries(
    [...css.matchAll(/(--[\w-]+): light-dark\((#\w+),/g)].map(([, name, colour]) => [name, colour]),
  )
  for (const [name, colour] of Object.entries(lightColours))
    expect([name, light[name]]).toEqual([name, colour])
  for (let at = 1; at <= 8; at++) expect(lightColours).toHaveProperty([`--series-${at}`])
})
