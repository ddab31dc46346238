// From an NCSV file to published points, against PostgreSQL's COPY of the same rows.
import { createReadStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readNcsv } from '@headwater/ncsv'
import { openEmbeddedEngine, type PointBatch, type SeriesEngine } from '@headwater/timeseries'
import { median, type Figure } from './figure.ts'
import { writePrices } from './storage/prices.ts'
import { startPostgresPeer } from './timeseries/postgres-peer.ts'

const rounds = 7
const size = { symbolCount: 200, dayCount: 1000 }
const columns = [1, 2, 3, 4].map((id) => ({ id, type: 'double' as const }))

/** Measures the ingest of 200,000 rows of four columns, both sides in turn. Without a PostgreSQL installation there is no peer. */
export default async function storageIngest(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-ingest-'))
  await chmod(folder, 0o755)
  const ncsv = join(folder, 'prices.ncsv')
  const csv = join(folder, 'prices.csv')
  await writePrices(ncsv, size, 'Code,Date,Open,High,Low,Close')
  await writePrices(csv, size, '')
  const postgres = await startPostgres(join(folder, 'postgres'))
  if (!postgres) console.log('No PostgreSQL server programs found: measured without a peer.')
  const engine = await openEmbeddedEngine({ folder: join(folder, 'engine') })
  const ours: number[] = []
  const peers: number[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const oursMs = await timeIngest(engine, ncsv, round + 1)
      const peerMs = postgres ? await postgres.timeCopy(csv) : Number.NaN
      if (round === 0) continue
      ours.push(oursMs)
      peers.push(peerMs)
    }
  } finally {
    await engine.close()
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const value = Math.round(median(ours))
  const ratio = postgres ? median(peers) / median(ours) : null
  return [
    {
      name: 'ingest of 200,000 rows × 4 columns, NCSV file to published',
      value,
      unit: 'ms',
      peer: postgres ? `${postgres.version} COPY, primary key (symbol, ts)` : null,
      ratio,
      goal: '≥ 2 × peer',
      holds: ratio !== null && ratio >= 2,
    },
  ]
}

async function timeIngest(engine: SeriesEngine, file: string, version: number): Promise<number> {
  await engine.dropDataset(1)
  const start = performance.now()
  const { batches } = await readNcsv(createReadStream(file, { highWaterMark: 262_144 }))
  async function* points(): AsyncGenerator<PointBatch> {
    for await (const { symbols, timestamps, values } of batches) {
      yield { sids: symbols.map((symbol) => symbol + 1), timestamps, values }
    }
  }
  const { rowsStaged } = await engine.stage({ dataset: 1, version, columns, batches: points() })
  await engine.publish(1, version)
  const elapsed = performance.now() - start
  if (rowsStaged !== size.symbolCount * size.dayCount) throw new Error(`Only ${rowsStaged} rows were staged.`)
  return elapsed
}

interface Postgres {
  version: string
  timeCopy(file: string): Promise<number>
  stop(): Promise<void>
}

async function startPostgres(folder: string): Promise<Postgres | undefined> {
  const peer = await startPostgresPeer(folder)
  if (!peer) return undefined
  const client = await peer.connect()
  await client.query(`CREATE TABLE prices (symbol text, ts timestamptz, open float8, high float8, low float8, close float8,
    PRIMARY KEY (symbol, ts))`)
  return {
    version: peer.name,
    async timeCopy(file) {
      await client.query('TRUNCATE prices')
      const start = performance.now()
      await client.query(`COPY prices FROM '${file.replaceAll("'", "''")}' WITH (FORMAT csv)`)
      return performance.now() - start
    },
    async stop() {
      await client.end()
      await peer.stop()
    },
  }
}
