import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedEngine, type SeriesEngine, type SeriesQuery } from '../src/index.ts'
import { pick, price, readJson } from './spec-points.ts'

const pointCount = 700_000
const drawPoints = 400
/** Half of the points are before 1970. */
const firstMs = -pointCount * 500

let folder: string
let engine: SeriesEngine
/** Values by the second. */
const values = Float64Array.from({ length: pointCount }, (_, at) => ((at * 7919) % 10_007) - 5000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'long-drawing-'))
  engine = await openEmbeddedEngine({ folder })
  const seconds = Array.from({ length: pointCount }, (_, at) => at)
  await store(plain, 1, seconds, values)
  await store(corrected, 1, seconds, values)
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** The same points in two datasets, one of them with corrections. */
const plain = 1
const corrected = 2

async function store(dataset: number, version: number, seconds: readonly number[], values: Float64Array) {
  const batch = {
    sids: new Uint32Array(seconds.length).fill(1),
    timestamps: Float64Array.from(seconds, (at) => firstMs + at * 1000),
    values: [Float64Array.from(seconds, (at) => values[at]!)],
  }
  await engine.stage({ dataset, version, columns: [price], batches: [batch] })
  await engine.publish(dataset, version)
}

/** Returns the seconds to draw from `from` to `to`, found by a scan of all of them. */
function drawnSeconds(from: number, to: number, of = values): number[] {
  const there = (at: number) => !Number.isNaN(of[at])
  while (!there(from)) from++
  while (!there(to)) to--
  const width = Math.floor(((to - from) * 1000) / (drawPoints / 4)) + 1
  const spans = new Map<number, { first: number; last: number; low: number; high: number }>()
  for (let at = from; at <= to; at++) {
    if (!there(at)) continue
    const number = Math.floor(((at - from) * 1000) / width)
    const span = spans.get(number) ?? { first: at, last: at, low: at, high: at }
    spans.set(number, span)
    span.last = at
    if (of[at]! < of[span.low]!) span.low = at
    if (of[at]! > of[span.high]!) span.high = at
  }
  const chosen = [...spans.values()].flatMap(({ first, last, low, high }) => [first, last, low, high])
  return [...new Set(chosen)].toSorted((a, b) => a - b)
}

async function draw(from: number, to: number, more: Partial<SeriesQuery> = {}, dataset = plain) {
  const range = { kind: 'BETWEEN', from: firstMs + from * 1000, to: firstMs + to * 1000 } as const
  const { values: drawn, points } = await readJson(engine, [pick(dataset, [1], [price])], {
    format: 'UI',
    drawPoints,
    range,
    ...more,
  })
  const { timestamps, columns } = drawn[0] as { timestamps: number[]; columns: { Price: number[] } }
  return { seconds: timestamps.map((ms) => (ms - firstMs) / 1000), prices: columns.Price, points }
}

test('draws a long series by first, last, minimum and maximum of equal spans, and reports its number of points', async () => {
  const seconds = drawnSeconds(0, pointCount - 1)
  const drawn = await draw(0, pointCount - 1)
  expect(drawn.seconds).toEqual(seconds)
  expect(drawn.prices).toEqual(seconds.map((at) => values[at]))
  expect(drawn.points).toEqual({ raw: pointCount, drawn: seconds.length })
  const falling = await draw(0, pointCount - 1, { order: 'desc' })
  expect(falling.seconds).toEqual(seconds.toReversed())
  expect(falling.points).toEqual(drawn.points)

  for (const [from, to] of [
    [100, 100 + 499_998],
    [100, 100 + 499_999],
    [100, 100 + 500_000],
    [5, 5 + drawPoints],
  ] as const) {
    const part = await draw(from, to)
    expect(part.seconds).toEqual(drawnSeconds(from, to))
    expect(part.points?.raw).toBe(to - from + 1)
  }
  const few = await draw(5, 4 + drawPoints)
  expect(few.points).toEqual({ raw: drawPoints, drawn: drawPoints })
})

test('draws the current points of a long series with corrections, without those removed at its ends', async () => {
  const current = values.slice()
  current[0] = NaN
  current[pointCount - 1] = NaN
  current[1234] = 99_999
  current[600_000] = -99_999
  await store(corrected, 2, [0, 1234, 600_000, pointCount - 1], current)
  const seconds = drawnSeconds(0, pointCount - 1, current)
  expect(seconds).toEqual(expect.arrayContaining([1, 1234, 600_000, pointCount - 2]))
  const drawn = await draw(0, pointCount - 1, {}, corrected)
  expect(drawn.seconds).toEqual(seconds)
  expect(drawn.prices).toEqual(seconds.map((at) => current[at]))
  expect(drawn.points).toEqual({ raw: pointCount - 2, drawn: seconds.length })
})
