// Two million rows as NCSV text through the engine's process, against the CSV stream of the same library inside one process.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openEmbeddedEngine,
  type PointBatch,
  type SeriesEngine,
  type SeriesQuery,
} from '@headwater/timeseries'
import { median, type Figure } from './figure.ts'
import { createPrices } from './storage/prices.ts'

const rounds = 7
const seriesCount = 200
const pointCount = 10_000
const columns = [1, 2, 3, 4].map((id) => ({ id, type: 'double' as const, name: `Column ${id}` }))

/** Measures both streams in turn, over the same rows in the same order, each read to the end and discarded. */
export default async function storageStream(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-stream-'))
  const engine = await openEmbeddedEngine({ folder: join(folder, 'engine') })
  const ours: number[] = []
  const peers: number[] = []
  try {
    await engine.stage({ dataset: 1, version: 1, columns, batches: makeBatches() })
    await engine.publish(1, 1)
    const library = await openLibrary(join(folder, 'library'), join(folder, 'rows.csv'))
    try {
      for (let round = 0; round <= rounds; round++) {
        const oursMs = await timeEngine(engine)
        const peerMs = await library.timeCsv()
        if (round === 0) continue
        ours.push(oursMs)
        peers.push(peerMs)
      }
    } finally {
      library.close()
    }
  } finally {
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  }
  const ratio = median(peers) / median(ours)
  return [
    {
      name: 'stream of 2,000,000 rows × 4 columns as NCSV text',
      value: Math.round((seriesCount * pointCount) / (median(ours) / 1000)),
      unit: 'rows/s',
      peer: 'chdb 3.4.0 FORMAT CSV, in process',
      ratio,
      goal: '≥ 0.7 × peer',
      holds: ratio >= 0.7,
    },
  ]
}

async function timeEngine(engine: SeriesEngine): Promise<number> {
  const query: SeriesQuery = {
    symbolKeys: ['Code', 'Venue'],
    selections: [
      {
        dataset: 1,
        columns,
        series: Array.from({ length: seriesCount }, (_, index) => ({
          sid: index + 1,
          symbols: [`SYM${index}`, 'NYSE'],
        })),
      },
    ],
  }
  const start = performance.now()
  const { stream } = await engine.query(query)
  await countBytes(stream)
  return performance.now() - start
}

async function countBytes(stream: AsyncIterable<Uint8Array>): Promise<void> {
  let size = 0
  for await (const chunk of stream) size += chunk.length
  if (size < seriesCount * pointCount * 40) throw new Error(`Only ${size} bytes arrived.`)
}

function* makeBatches(): Generator<PointBatch> {
  const next = createPrices()
  for (let series = 1; series <= seriesCount; series++) {
    yield {
      sids: new Uint32Array(pointCount).fill(series),
      timestamps: Float64Array.from(
        { length: pointCount },
        (_, day) => Date.UTC(2000, 0, 1) + day * 86_400_000,
      ),
      values: [2, 2, 4, 3].map((decimals) =>
        Float64Array.from({ length: pointCount }, () => Number(next(decimals))),
      ),
    }
  }
}

function* csvRows(): Generator<string> {
  for (const { sids, timestamps, values } of makeBatches()) {
    yield Array.from(
      sids,
      (sid, row) => `${sid},${timestamps[row]},${values.map((column) => column[row]).join(',')}\n`,
    ).join('')
  }
}

interface Session {
  query(sql: string): string
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

/** The library without our code, with the same rows in a table of the same order. */
async function openLibrary(folder: string, csvFile: string) {
  const require = createRequire(new URL('../packages/timeseries/package.json', import.meta.url))
  const { Session } = require('chdb') as { Session: new (path: string) => Session }
  const session = new Session(folder)
  await writeFile(csvFile, csvRows())
  session.query('CREATE DATABASE peer')
  session.query(`CREATE TABLE peer.prices (sid UInt32, ts DateTime64(3, 'UTC'), c1 Float64, c2 Float64, c3 Float64, c4 Float64)
    ENGINE = MergeTree ORDER BY (sid, ts)`)
  const structure = 'sid UInt32, ts Int64, c1 Float64, c2 Float64, c3 Float64, c4 Float64'
  session.query(
    `INSERT INTO peer.prices SELECT sid, fromUnixTimestamp64Milli(ts, 'UTC'), c1, c2, c3, c4 FROM file('${csvFile}', 'CSV', '${structure}')`,
  )
  return {
    async timeCsv() {
      const start = performance.now()
      const stream = session.queryStream('SELECT * FROM peer.prices ORDER BY sid, ts', { format: 'CSV' })
      await countBytes(chunksOf(stream))
      return performance.now() - start
    },
    close: () => session.close(),
  }
}

async function* chunksOf(stream: AsyncIterable<{ raw(): Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk.raw()
}
