// The series store beside databases made for series: the same files, acknowledged, and the newest points of one symbol.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, type Figure } from './figure.ts'
import {
  readAsLines,
  startInfluxPeer,
  startVictoriaPeer,
  type LineProtocolPeer,
} from './timeseries/line-protocol-peers.ts'
import { startProduct, type Product } from './timeseries/product.ts'
import { dailyColumns, dayMs, symbolName, writeSeriesFile } from './timeseries/series-data.ts'

/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const fileCount = Math.max(5, Math.round(50 * scale))
const perFile = { symbols: 400, points: 500 }
const queryCount = 100

interface Stage {
  folder: string
  product: Product
  peers: readonly LineProtocolPeer[]
}

/** Measures our store and its peers alternately. */
export default async function databases(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-databases-'))
  await chmod(folder, 0o755)
  const product = await startProduct(folder)
  const started = [
    await startInfluxPeer(join(folder, 'influx')),
    await startVictoriaPeer(join(folder, 'victoria')),
  ]
  const peers = started.filter((peer) => peer !== undefined)
  try {
    if (peers.length === 0)
      throw new Error(
        'There is no time-series database to compare with. Install one (Debian: influxdb, victoria-metrics).',
      )
    const stage = { folder, product, peers }
    return [
      ...(await measureIngest(stage)),
      ...(await measureLastPoints(stage)),
      ...(await measureSize(stage)),
    ]
  } finally {
    for (const peer of peers) await peer.stop()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

async function measureIngest({ folder, product, peers }: Stage): Promise<Figure[]> {
  const path = join(folder, 'file.ncsv')
  await product.createGroup('daily')
  const ours: number[] = []
  const theirs = peers.map((): number[] => [])
  for (let file = 0; file < fileCount; file++) {
    await writeSeriesFile(path, {
      prefix: 'D',
      firstSymbol: file * perFile.symbols,
      symbolCount: perFile.symbols,
      pointCount: perFile.points,
      columns: dailyColumns,
      stepMs: dayMs,
    })
    ours.push(await product.upload('daily', path))
    const lines = await readAsLines(path)
    for (const [index, peer] of peers.entries()) theirs[index]!.push(await elapsed(() => peer.write(lines)))
  }
  const value = (perFile.symbols * perFile.points) / (median(ours) / 1000)
  return peers.map(({ name }, index) =>
    compared(
      name,
      { name: 'ingest of 200,000 rows × 4 columns a file, acknowledged', value, unit: 'rows/s' },
      median(theirs[index]!) / median(ours),
    ),
  )
}

async function measureLastPoints({ product, peers }: Stage): Promise<Figure[]> {
  // Points of the peers become searchable within a second.
  await sleep(2000)
  const ours: number[] = []
  const theirs = peers.map((): number[] => [])
  for (let round = 0; round < queryCount; round++) {
    const code = symbolName('D', (round * 7919) % (fileCount * perFile.symbols))
    const body = {
      keys: [{ groupName: 'daily', symbols: { Code: code } }],
      range: 'LAST',
      lastType: 'VALUES',
      lastTypeAmount: perFile.points,
    }
    ours.push(await elapsed(() => product.post('/ts', body)))
    for (const [index, peer] of peers.entries()) {
      let count = 0
      theirs[index]!.push(await elapsed(async () => (count = await peer.lastPoints(code, perFile.points))))
      if (count !== perFile.points) throw new Error(`${peer.name} returned ${count} points of ${code}.`)
    }
  }
  return peers.map(({ name }, index) =>
    compared(
      name,
      {
        name: 'last 500 values of one symbol, read for the first time, p50',
        value: median(ours),
        unit: 'ms',
      },
      median(theirs[index]!) / median(ours),
    ),
  )
}

async function measureSize({ product, peers }: Stage): Promise<Figure[]> {
  // Merges of the new data are part of the cost of a stored value.
  await sleep(30_000 * Math.min(1, scale * 4))
  const values = fileCount * perFile.symbols * perFile.points * dailyColumns.length
  const ours = bytesOf(join(product.dataFolder, 'series')) / values
  return peers.map(({ name, dataFolder }) =>
    compared(
      name,
      { name: 'bytes a value on disk, keys and times included', value: ours, unit: 'bytes' },
      bytesOf(dataFolder) / values / ours,
    ),
  )
}

function bytesOf(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
}

/** Creates a figure without a goal. */
function compared(
  peer: string,
  figure: { name: string; value: number; unit: string },
  ratio: number,
): Figure {
  return { ...figure, peer, ratio, goal: '≥ 1 × peer', holds: ratio >= 1 }
}
