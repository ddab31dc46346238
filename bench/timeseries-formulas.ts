// Formulas and filled gaps of one query: 100 formulas over 10,000 points against numpy, many short formulas, and long filled series.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileExpression, parseExpression, type CompiledExpression } from '@headwater/formula'
import {
  openEmbeddedEngine,
  type Fill,
  type PointBatch,
  type Selection,
  type SeriesEngine,
  type SeriesFormula,
  type SeriesQuery,
} from '@headwater/timeseries'
import { tableFromIPC } from 'apache-arrow'
import { atMost, median, type Figure } from './figure.ts'
import { openNumpyPeer, type NumpyPeer } from './timeseries/numpy-peer.ts'
import { createPrices } from './storage/prices.ts'

const rounds = 9
const dayMs = 86_400_000
const minuteMs = 60_000
const column = { id: 1, name: 'Value', type: 'double' } as const
/** Datasets: long inputs, short ones, ones of two points, and a filled series with its offset copy. */
const [long, short, pairs, dense] = [1, 2, 3, 4] as const
const inputCount = 20
const inputPoints = 10_000
const filledPoints = 300_000

/** A series of a dataset. Every `gap`-th point is missing; different series miss different points. */
function makeSeries(sid: number, count: number, { stepMs = dayMs, offsetMs = 0, gap = Infinity } = {}) {
  const next = createPrices(sid * 7919)
  const present = Array.from({ length: count }, (_, at) => at).filter((at) => (at + sid * 7) % gap !== 0)
  return {
    sid,
    timestamps: Float64Array.from(present, (at) => Date.UTC(1990, 0, 1) + at * stepMs + offsetMs),
    values: Float64Array.from(present, () => Number(next(3))),
  }
}

type StoredSeries = ReturnType<typeof makeSeries>

/** Measures alternately with numpy; other figures have no peer. */
export default async function timeseriesFormulas(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-formulas-'))
  const engine = await openEmbeddedEngine({ folder: join(folder, 'engine') })
  const inputs = Array.from({ length: inputCount }, (_, index) =>
    makeSeries(index + 1, inputPoints, { gap: 50 }),
  )
  const numpy = await openNumpyPeer(join(folder, 'numpy'), inputs)
  try {
    const store = async (dataset: number, series: readonly StoredSeries[]) => {
      await engine.stage({ dataset, version: dataset, columns: [column], batches: series.map(batchOf) })
      await engine.publish(dataset, dataset)
    }
    await store(long, inputs)
    await store(
      short,
      Array.from({ length: 29 }, (_, index) => makeSeries(index + 1, 50)),
    )
    await store(
      pairs,
      Array.from({ length: 101 }, (_, index) => makeSeries(index + 1, 2, { offsetMs: index * minuteMs })),
    )
    await store(
      dense,
      [0, 30_000].map((offsetMs, index) =>
        makeSeries(index + 1, filledPoints, { stepMs: minuteMs, offsetMs }),
      ),
    )
    return [
      ...(await measureLong(engine, numpy)),
      ...(await measureShort(engine)),
      await measurePairs(engine),
      ...(await measureFills(engine)),
    ]
  } finally {
    numpy.stop()
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function batchOf({ sid, timestamps, values }: StoredSeries): PointBatch {
  return { sids: new Uint32Array(timestamps.length).fill(sid), timestamps, values: [values] }
}

/** 100 formulas over 20 inputs whose gaps differ; the five kinds are those of numpy-peer.py. */
async function measureLong(engine: SeriesEngine, numpy: NumpyPeer): Promise<Figure[]> {
  const selections = Array.from({ length: 100 }, (_, index) =>
    computed(
      index,
      long,
      [(index % inputCount) + 1, ((index * 7 + 3 + Math.floor(index / inputCount)) % inputCount) + 1],
      {
        expression: longExpressions[index % longExpressions.length]!,
      },
    ),
  )
  const query: SeriesQuery = { symbolKeys: ['Code'], selections, format: 'ARROW' }
  const table = tableFromIPC(await readBytes(engine, query))
  const values = table.getChild('Value')!
  let sum = 0
  for (let row = 0; row < table.numRows; row++) sum += values.get(row) as number
  const expected = await numpy.compute()
  if (table.numRows !== expected.count || Math.abs(sum - expected.sum) > Math.abs(expected.sum) * 1e-9)
    throw new Error(`Values differ: ${table.numRows}, ${sum} and ${expected.count}, ${expected.sum}`)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await elapsed(() => readBytes(engine, query)))
    theirs.push((await numpy.compute()).ms)
  }
  const name = '100 formulas × 10,000 points, from stored inputs to the last byte of Arrow'
  const ratio = median(theirs) / median(ours)
  return [
    atMost(300, { name, value: median(ours), unit: 'ms' }),
    {
      name: `${name}; the peer has its inputs in memory and keeps its arrays`,
      value: median(ours),
      unit: 'ms',
      peer: numpy.name,
      ratio,
      goal: '≤ 5 × as long',
      holds: ratio >= 1 / 5,
    },
  ]
}

const longExpressions = [
  'a - b',
  '(a - b) / b * 100',
  'mean(a - b, 20)',
  'if(a > b, a - lag(a), b)',
  'sqrt(a * a + b * b)',
].map((text) => compileExpression(parseExpression(text, ['a', 'b']).tree!))

async function measureShort(engine: SeriesEngine): Promise<Figure[]> {
  const query = (fill?: Fill): SeriesQuery => ({
    symbolKeys: ['Code'],
    selections: Array.from({ length: 28 }, (_, index) =>
      computed(index, short, [index + 1, index + 2], { expression: longExpressions[index % 2]!, fill }),
    ),
  })
  const name = '28 formulas over 50 points'
  return [
    atMost(50, { name, value: await timeOf(engine, query()), unit: 'ms' }),
    atMost(50, {
      name: `${name}, gaps filled LINEAR`,
      value: await timeOf(engine, query({ kind: 'linear' })),
      unit: 'ms',
    }),
  ]
}

async function measurePairs(engine: SeriesEngine): Promise<Figure> {
  const sum = compileExpression(parseExpression('a + b', ['a', 'b']).tree!)
  const selections = Array.from({ length: 100 }, (_, index) =>
    computed(index, pairs, [index + 1, index + 2], { expression: sum, join: 'previous' }),
  )
  return atMost(300, {
    name: '100 formulas of 2 points with PREVIOUS',
    value: await timeOf(engine, { symbolKeys: ['Code'], selections }),
    unit: 'ms',
  })
}

async function measureFills(engine: SeriesEngine): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const fill of [{ kind: 'linear' }, { kind: 'average', points: 5 }] as const) {
    const selections = [1, 2].map((sid): Selection => ({
      dataset: dense,
      columns: [column],
      series: [{ sid, symbols: [`S${sid}`] }],
      fill,
    }))
    figures.push(
      atMost(700, {
        name: `${filledPoints.toLocaleString('en')} points beside an offset copy, gaps filled ${fill.kind.toUpperCase()}`,
        value: await timeOf(engine, { symbolKeys: ['Code'], selections }, 5),
        unit: 'ms',
      }),
    )
  }
  return figures
}

function computed(
  index: number,
  dataset: number,
  sids: readonly number[],
  {
    expression,
    join = 'inner',
    fill,
  }: { expression: CompiledExpression; join?: SeriesFormula['join']; fill?: Fill | undefined },
): Selection {
  return {
    dataset,
    columns: [column],
    series: [{ sid: 1000 + index, symbols: [`F${index}`] }],
    formula: { join, expression, inputs: sids.map((sid) => ({ dataset, sid, column })) },
    ...(fill === undefined ? {} : { fill }),
  }
}

async function timeOf(engine: SeriesEngine, query: SeriesQuery, count = rounds): Promise<number> {
  await readBytes(engine, query)
  const times: number[] = []
  for (let round = 0; round < count; round++) times.push(await elapsed(() => readBytes(engine, query)))
  return median(times)
}

async function readBytes(engine: SeriesEngine, query: SeriesQuery): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
