// Goals of the series store: through the HTTP API of the whole product, on the same data as its peers, in one run.
import { mkdtempSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, median, type Figure } from './figure.ts'
import { openDuckdbPeer, type DuckdbPeer } from './timeseries/duckdb-peer.ts'
import { startPostgresPeer, type PostgresPeer } from './timeseries/postgres-peer.ts'
import { startProduct, type Product } from './timeseries/product.ts'
import { settledSize } from './timeseries/settled-size.ts'
import {
  dailyColumns,
  dayMs,
  minuteMs,
  minutelyColumns,
  symbolName,
  writeSeriesFile,
  type SeriesFile,
} from './timeseries/series-data.ts'

/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const scaled = (count: number, least: number) => Math.max(least, Math.round(count * scale))

const daily = { symbolCount: scaled(20_000, 400), perFile: 400, pointCount: 500 }
const minutely = { symbolCount: scaled(200, 10), pointCount: 100_000 }
const correctionFiles = 5
const correctedSymbols = 200
const wildcardSymbols = scaled(1_000_000, 10_000)
const versionCount = scaled(5000, 50)
const longSeriesPoints = scaled(5_000_000, 100_000)
const clientCount = 32
const concurrentMs = 8000
const rounds = 15

/** Measures our store and its peers alternately. */
export default async function timeseries(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-series-'))
  await chmod(folder, 0o755)
  const product = await startProduct(folder)
  const postgres = await startPostgresPeer(join(folder, 'postgres'))
  if (!postgres) throw new Error('There is no PostgreSQL to compare with. Install one (Debian: postgresql).')
  const duckdb = await openDuckdbPeer(join(folder, 'prices.duckdb'))
  const stage: Stage = { folder, product, postgres, duckdb }
  try {
    return [
      ...(await measureIngest(stage)),
      ...(await measureCorrections(stage)),
      await measureSize(stage),
      ...(await measureLastValues(stage)),
      ...(await measureClients(stage)),
      await measureManySymbols(stage),
      ...(await measureStream(stage)),
      ...(await measureDailySpans(stage)),
      ...(await measureWildcards(stage)),
      await measureOneVersion(stage),
      await measureDrawing(stage),
    ]
  } finally {
    duckdb.close()
    await postgres.stop()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Stage {
  folder: string
  product: Product
  postgres: PostgresPeer
  duckdb: DuckdbPeer
}

/** Creates a figure relative to a peer; `ratio` is how many times better we are. */
function against(
  peer: string,
  least: number,
  figure: { name: string; value: number; unit: string; ratio: number },
): Figure {
  return { ...figure, peer, goal: `≥ ${least} × peer`, holds: figure.ratio >= least }
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Returns random numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

async function measureIngest({ folder, product, postgres, duckdb }: Stage): Promise<Figure[]> {
  const client = await postgres.connect()
  await client.query(`CREATE TABLE daily (symbol text, ts timestamptz, open float8, high float8, low float8, close float8, PRIMARY KEY (symbol, ts));
    CREATE TABLE minutely (symbol text, ts timestamptz, price float8, volume float8, PRIMARY KEY (symbol, ts))`)
  await duckdb.connection.run(
    'CREATE TABLE daily (symbol VARCHAR, ts TIMESTAMP, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE)',
  )
  await product.createGroup('daily')
  await product.createGroup('minutely')
  const ours: number[] = []
  const copies: number[] = []
  const duck: number[] = []
  const path = join(folder, 'file.ncsv')
  for (let first = 0; first < daily.symbolCount; first += daily.perFile) {
    await writeSeriesFile(path, dailyFile(first, daily.perFile))
    ours.push(await product.upload('daily', path))
    copies.push(await elapsed(() => client.query(`COPY daily FROM '${path}' WITH (FORMAT csv, HEADER)`)))
    duck.push(
      await elapsed(() => duckdb.connection.run(`INSERT INTO daily SELECT * FROM ${duckdbFile(path)}`)),
    )
  }
  say(
    `daily: ours ${median(ours).toFixed(0)} ms, PostgreSQL ${median(copies).toFixed(0)} ms, DuckDB ${median(duck).toFixed(0)} ms a file`,
  )
  const minutelyMs: number[] = []
  for (let symbol = 0; symbol < minutely.symbolCount; symbol++) {
    await writeSeriesFile(path, minutelyFile(symbol))
    minutelyMs.push(await product.upload('minutely', path))
    await client.query(`COPY minutely FROM '${path}' WITH (FORMAT csv, HEADER)`)
  }
  say(`minutely: ours ${median(minutelyMs).toFixed(0)} ms a file of ${minutely.pointCount} rows`)
  await client.query('VACUUM (ANALYZE)')
  await client.end()
  const value = Math.round((daily.perFile * daily.pointCount) / (median(ours) / 1000))
  const name = 'NCSV ingest of 200,000 rows × 4 columns a file, acknowledged and durable'
  const peers = [
    [`${postgres.name} COPY, primary key (symbol, ts)`, 3, copies],
    [`${duckdb.name} read_csv`, 1.2, duck],
  ] as const
  return peers.map(([peer, least, times]) =>
    against(peer, least, { name, value, unit: 'rows/s', ratio: median(times) / median(ours) }),
  )
}

function dailyFile(firstSymbol: number, symbolCount: number, shift = 0): SeriesFile {
  return {
    prefix: 'D',
    firstSymbol,
    symbolCount,
    pointCount: daily.pointCount,
    columns: dailyColumns,
    stepMs: dayMs,
    shift,
  }
}

function minutelyFile(symbol: number): SeriesFile {
  return {
    prefix: 'M',
    firstSymbol: symbol,
    symbolCount: 1,
    pointCount: minutely.pointCount,
    columns: minutelyColumns,
    stepMs: minuteMs,
  }
}

function duckdbFile(path: string): string {
  const columns =
    "{'symbol': 'VARCHAR', 'ts': 'TIMESTAMP', 'open': 'DOUBLE', 'high': 'DOUBLE', 'low': 'DOUBLE', 'close': 'DOUBLE'}"
  return `read_csv('${path}', header = true, columns = ${columns}, timestampformat = '%Y-%m-%dT%H:%M:%SZ')`
}

/** We store corrected values too; the peer replaces them with the statements that its documentation recommends for many rows. */
async function measureCorrections({ folder, product, duckdb }: Stage): Promise<Figure[]> {
  const path = join(folder, 'corrections.ncsv')
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 1; round <= correctionFiles; round++) {
    await writeSeriesFile(path, dailyFile(0, correctedSymbols, round))
    ours.push(await product.upload('daily', path))
    theirs.push(
      await elapsed(async () => {
        await duckdb.connection.run('BEGIN')
        await duckdb.connection.run(`CREATE OR REPLACE TEMP TABLE fresh AS SELECT * FROM ${duckdbFile(path)}`)
        await duckdb.connection.run(
          'DELETE FROM daily USING fresh WHERE daily.symbol = fresh.symbol AND daily.ts = fresh.ts',
        )
        await duckdb.connection.run('INSERT INTO daily SELECT * FROM fresh')
        await duckdb.connection.run('COMMIT')
      }),
    )
  }
  return [
    against(`${duckdb.name} delete and insert`, 3, {
      name: 'a correction file of 100,000 rows, acknowledged and durable',
      value: median(ours),
      unit: 'ms',
      ratio: median(theirs) / median(ours),
    }),
  ]
}

async function measureSize({ product }: Stage): Promise<Figure> {
  const bytes = await settledSize(join(product.dataFolder, 'series'))
  const values =
    daily.symbolCount * daily.pointCount * dailyColumns.length +
    correctionFiles * correctedSymbols * daily.pointCount * dailyColumns.length +
    minutely.symbolCount * minutely.pointCount * minutelyColumns.length
  return atMost(2.5, {
    name: 'bytes a value on disk, corrections, keys and times included',
    value: bytes / values,
    unit: 'bytes',
  })
}

function lastValues(groupName: string, codes: readonly string[], columns: readonly string[] = []): object {
  return {
    keys: codes.map((Code) => ({ groupName, symbols: { Code }, columns })),
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    formatType: 'NCSV',
  }
}

async function measureLastValues({ folder, product }: Stage): Promise<Figure[]> {
  const floor = await measureFloor(join(folder, 'floor'))
  const random = createRandom(7)
  const cold: number[] = []
  for (let round = 0; round < 200; round++) {
    const body = lastValues('daily', [symbolName('D', random(daily.symbolCount))])
    cold.push(await elapsed(() => product.post('/ts', body)))
  }
  const hotBody = lastValues('daily', [symbolName('D', 3)])
  const hot: number[] = []
  for (let round = 0; round < 200; round++) hot.push(await elapsed(() => product.post('/ts', hotBody)))
  const coldMs = median(cold)
  say(`floor ${floor.toFixed(2)} ms, cold ${coldMs.toFixed(2)} ms, hot ${median(hot).toFixed(2)} ms`)
  return [
    {
      name: 'last 500 values of one symbol, read for the first time, p50',
      value: coldMs,
      unit: 'ms',
      peer: 'the engine answering "select 1" in process',
      ratio: floor / coldMs,
      goal: '≤ 2.5 × as long as peer',
      holds: coldMs <= 2.5 * floor,
    },
    atMost(1, {
      name: 'last 500 values of one symbol, read again, p50',
      value: median(hot),
      unit: 'ms',
    }),
  ]
}

interface Session {
  query(sql: string): string
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

function openLibrary(folder: string): Session {
  const require = createRequire(new URL('../packages/timeseries/package.json', import.meta.url))
  const { Session: Library } = require('chdb') as { Session: new (path: string) => Session }
  return new Library(folder)
}

async function measureFloor(folder: string): Promise<number> {
  const session = openLibrary(folder)
  const times: number[] = []
  try {
    for (let round = 0; round < 200; round++) times.push(await elapsed(async () => session.query('SELECT 1')))
  } finally {
    session.close()
  }
  return median(times)
}

/** Both sides ingest a file of 100,000 rows every second while the clients query. */
async function measureClients(stage: Stage): Promise<Figure[]> {
  const { folder, product, postgres } = stage
  const path = join(folder, 'meanwhile.ncsv')
  const writer = await postgres.connect()
  await writer.query(
    'CREATE TABLE meanwhile (symbol text, ts timestamptz, open float8, high float8, low float8, close float8)',
  )
  await product.createGroup('meanwhile')
  await writeSeriesFile(path, dailyFile(0, 200))
  const clients = await Promise.all(Array.from({ length: clientCount }, () => postgres.connect()))
  try {
    const ours: Load[] = []
    const theirs: Load[] = []
    for (let round = 0; round < 2; round++) {
      ours.push(
        await loadOf(
          async (_, code) => product.post('/ts', lastValues('daily', [code])),
          () => product.upload('meanwhile', path),
        ),
      )
      theirs.push(
        await loadOf(
          async (client, code) =>
            clients[client]!.query('SELECT * FROM daily WHERE symbol = $1 ORDER BY ts DESC LIMIT 500', [
              code,
            ]),
          () => writer.query(`COPY meanwhile FROM '${path}' WITH (FORMAT csv, HEADER)`),
        ),
      )
    }
    const rate = (loads: readonly Load[]) => median(loads.map((load) => load.perSecond))
    const slowest = (loads: readonly Load[]) => median(loads.map((load) => load.p99Ms))
    const name = `${clientCount} clients asking for the last 500 values of random symbols during an ingest`
    return [
      against(postgres.name, 1, {
        name: `${name}, answers`,
        value: rate(ours),
        unit: '1/s',
        ratio: rate(ours) / rate(theirs),
      }),
      against(postgres.name, 1, {
        name: `${name}, p99`,
        value: slowest(ours),
        unit: 'ms',
        ratio: slowest(theirs) / slowest(ours),
      }),
    ]
  } finally {
    await Promise.all(clients.map((client) => client.end()))
    await writer.end()
  }
}

interface Load {
  perSecond: number
  p99Ms: number
}

async function loadOf(
  send: (client: number, code: string) => Promise<unknown>,
  ingest: () => Promise<unknown>,
): Promise<Load> {
  const random = createRandom(11)
  const times: number[] = []
  const endMs = performance.now() + concurrentMs
  const writing = (async () => {
    while (performance.now() < endMs) {
      const startMs = performance.now()
      await ingest()
      await sleep(Math.max(0, 1000 - (performance.now() - startMs)))
    }
  })()
  await Promise.all(
    Array.from({ length: clientCount }, async (_, client) => {
      while (performance.now() < endMs)
        times.push(await elapsed(() => send(client, symbolName('D', random(daily.symbolCount)))))
    }),
  )
  await writing
  return { perSecond: times.length / (concurrentMs / 1000), p99Ms: quantile(times, 0.99) }
}

async function measureManySymbols({ product, postgres }: Stage): Promise<Figure> {
  const client = await postgres.connect()
  const random = createRandom(13)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const codes = Array.from({ length: 30 }, () => symbolName('D', random(daily.symbolCount)))
    ours.push(await elapsed(() => product.post('/ts', lastValues('daily', codes, ['Close', 'Open']))))
    theirs.push(
      await elapsed(() =>
        client.query(
          `SELECT requested.symbol, points.* FROM unnest($1::text[]) AS requested (symbol),
            LATERAL (SELECT ts, open, close FROM daily WHERE daily.symbol = requested.symbol ORDER BY ts DESC LIMIT 500) AS points`,
          [codes],
        ),
      ),
    )
  }
  await client.end()
  return against(postgres.name, 1, {
    name: 'last 500 values × 30 symbols × 2 columns',
    value: median(ours),
    unit: 'ms',
    ratio: median(theirs) / median(ours),
  })
}

async function measureStream({ folder, product, postgres }: Stage): Promise<Figure[]> {
  const codes = Array.from({ length: 10 }, (_, index) => symbolName('M', index))
  const body = {
    keys: codes.map((Code) => ({ groupName: 'minutely', symbols: { Code }, columns: [] })),
    formatType: 'NCSV',
  }
  const rowCount = codes.length * minutely.pointCount
  const library = openLibrary(join(folder, 'library'))
  const path = join(folder, 'ten.csv')
  await writeSeriesFile(path, { ...minutelyFile(0), symbolCount: 10 })
  library.query('CREATE DATABASE peer')
  library.query(
    "CREATE TABLE peer.points (sid UInt32, ts DateTime64(3, 'UTC'), c1 Float64, c2 Float64) ENGINE = MergeTree ORDER BY (sid, ts)",
  )
  library.query(
    `INSERT INTO peer.points SELECT toUInt32(substring(Code, 2)), parseDateTimeBestEffort(Date, 'UTC'), Price, Volume
     FROM file('${path}', 'CSVWithNames', 'Code String, Date String, Price Float64, Volume Float64')`,
  )
  const ours: number[] = []
  const copies: number[] = []
  const raw: number[] = []
  for (let round = 0; round < 7; round++) {
    ours.push(await elapsed(() => product.drain('/ts/stream', body)))
    copies.push(
      await elapsed(() =>
        postgres.drainCopy(
          `SELECT * FROM minutely WHERE symbol IN (${codes.map((code) => `'${code}'`).join(',')}) ORDER BY symbol, ts`,
        ),
      ),
    )
    raw.push(
      await elapsed(async () => {
        for await (const chunk of library.queryStream('SELECT * FROM peer.points ORDER BY sid, ts', {
          format: 'CSV',
        }))
          chunk.raw()
      }),
    )
  }
  library.close()
  const name = `${rowCount.toLocaleString('en')} rows of 10 symbols as CSV`
  const value = Math.round(rowCount / (median(ours) / 1000))
  return [
    against('chdb 3.4.0 FORMAT CSV, in process', 0.8, {
      name,
      value,
      unit: 'rows/s',
      ratio: median(raw) / median(ours),
    }),
    against(`${postgres.name} COPY`, 3, {
      name,
      value,
      unit: 'rows/s',
      ratio: median(copies) / median(ours),
    }),
  ]
}

/** From points, because the engine does not know that the zone equals UTC; and from roll-ups, once they exist. */
async function measureDailySpans({ product, postgres }: Stage): Promise<Figure[]> {
  const client = await postgres.connect()
  const body = (timeZone: string) => ({
    groupName: 'minutely',
    keys: [],
    formatType: 'NCSV',
    timeZone,
    resample: { unit: 'DAYS', amount: 1, functions: ['MIN', 'MAX', 'MEAN'] },
  })
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 3; round++) {
    ours.push(await elapsed(() => product.drain('/ts/stream', body('Etc/UTC'))))
    theirs.push(
      await elapsed(() =>
        client.query(`SELECT symbol, date_trunc('day', ts) AS day, min(price), max(price), avg(price), min(volume), max(volume), avg(volume)
          FROM minutely GROUP BY symbol, day ORDER BY symbol, day`),
      ),
    )
  }
  await client.end()
  // Roll-ups are created some seconds after the last upload.
  await sleep(20_000)
  const rolledUp: number[] = []
  for (let round = 0; round < rounds; round++)
    rolledUp.push(await elapsed(() => product.drain('/ts/stream', body('UTC'))))
  const name = `daily minimum, maximum and mean of ${(minutely.symbolCount * minutely.pointCount).toLocaleString('en')} rows × 2 columns`
  return [
    against(postgres.name, 1 / 0.3, {
      name: `${name}, by points`,
      value: median(ours),
      unit: 'ms',
      ratio: median(theirs) / median(ours),
    }),
    atMost(50, { name: `${name}, by roll-ups`, value: median(rolledUp), unit: 'ms' }),
  ]
}

async function measureWildcards({ folder, product }: Stage): Promise<Figure[]> {
  await product.createGroup('many')
  const path = join(folder, 'many.ncsv')
  await writeSeriesFile(path, {
    prefix: 'W',
    firstSymbol: 0,
    symbolCount: wildcardSymbols,
    pointCount: 1,
    columns: ['Price'],
    stepMs: dayMs,
  })
  const tookMs = await product.upload('many', path)
  say(`${wildcardSymbols.toLocaleString('en')} symbols arrived in ${(tookMs / 1000).toFixed(1)} s`)
  const random = createRandom(17)
  const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('')
  const time = async (text: () => string) => {
    const times: number[] = []
    for (let round = 0; round < 60; round++) {
      const query = encodeURIComponent(`*${text()}*&groupName.keyword=many`)
      times.push(await elapsed(() => product.get(`/ts/symbol/search?size=50&query=${query}`)))
    }
    return median(times)
  }
  const name = `wildcard anywhere over ${wildcardSymbols.toLocaleString('en')} symbols, p50`
  return [
    atMost(20, { name: `${name}, four characters`, value: await time(() => digits(4)), unit: 'ms' }),
    atMost(20, { name: `${name}, two characters`, value: await time(() => digits(2)), unit: 'ms' }),
  ]
}

async function measureOneVersion({ folder, product }: Stage): Promise<Figure> {
  await product.createGroup('versions')
  const path = join(folder, 'version.ncsv')
  const instants: string[] = []
  for (let version = 0; version < versionCount; version++) {
    await writeSeriesFile(path, {
      prefix: 'V',
      firstSymbol: 0,
      symbolCount: 1,
      pointCount: 100,
      columns: ['Price'],
      stepMs: dayMs,
      shift: version,
    })
    await product.upload('versions', path)
    instants.push(new Date().toISOString().slice(0, 23))
  }
  const random = createRandom(19)
  const times: number[] = []
  for (let round = 0; round < 60; round++) {
    const body = {
      keys: [{ groupName: 'versions', symbols: { Code: symbolName('V', 0) } }],
      onDateTime: instants[random(instants.length)],
    }
    times.push(await elapsed(() => product.post('/ts', body)))
  }
  return atMost(50, {
    name: `one version of ${versionCount.toLocaleString('en')} of a series of 100 points, p50`,
    value: median(times),
    unit: 'ms',
  })
}

async function measureDrawing({ folder, product }: Stage): Promise<Figure> {
  await product.createGroup('long')
  const path = join(folder, 'long.ncsv')
  await writeSeriesFile(path, {
    prefix: 'L',
    firstSymbol: 0,
    symbolCount: 1,
    pointCount: longSeriesPoints,
    columns: ['Price'],
    stepMs: 1000,
  })
  await product.upload('long', path)
  // The cache serves repeated queries without the engine, so every round requests another number of points.
  const body = (round: number) => ({
    keys: [{ groupName: 'long', symbols: { Code: symbolName('L', 0) } }],
    formatType: 'UI',
    drawPoints: 8000 + 4 * round,
  })
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    times.push(await elapsed(() => product.post('/ts', body(round))))
  return atMost(150, {
    name: `a series of ${longSeriesPoints.toLocaleString('en')} points for 2,000 pixels`,
    value: median(times),
    unit: 'ms',
  })
}
