// From an NCSV file to published points, against PostgreSQL's COPY of the same rows.
import { execFile, spawn } from 'node:child_process'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readNcsv } from '@headwater/ncsv'
import { openEmbeddedEngine, type PointBatch, type SeriesEngine } from '@headwater/timeseries'
import pg from 'pg'
import { median, type Figure } from './figure.ts'
import { writePrices } from './storage/prices.ts'

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
      peer: postgres ? `PostgreSQL ${postgres.version} COPY, primary key (symbol, ts)` : null,
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

/** A private server with its defaults (fsync on) on a unix socket. As root it runs as the user `nobody`. */
async function startPostgres(folder: string): Promise<Postgres | undefined> {
  const programs = findPrograms()
  if (!programs) return undefined
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  const identity = isRoot ? { uid: nobody, gid: nobody } : {}
  await mkdir(folder, { mode: 0o700 })
  if (isRoot) await chown(folder, nobody, nobody)
  const data = join(folder, 'data')
  const run = promisify(execFile)
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    identity,
  )
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...identity,
    stdio: 'ignore',
  })
  const client = await connect(folder)
  await client.query(`CREATE TABLE prices (symbol text, ts timestamptz, open float8, high float8, low float8, close float8,
    PRIMARY KEY (symbol, ts))`)
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  return {
    version: rows[0]!.server_version.split(' ')[0]!,
    async timeCopy(file) {
      await client.query('TRUNCATE prices')
      const start = performance.now()
      await client.query(`COPY prices FROM '${file.replaceAll("'", "''")}' WITH (FORMAT csv)`)
      return performance.now() - start
    },
    async stop() {
      await client.end()
      const exited = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await exited
    },
  }
}

async function connect(socketFolder: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ host: socketFolder, user: 'bench', database: 'postgres' })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(100)
    }
  }
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}
