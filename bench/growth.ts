// The cost of a stored point as the store grows: the same work over ten thousand to a hundred million points, and a plot of it.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, type Figure } from './figure.ts'
import { plotOf, type PlotLine } from './growth/plot.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'
import { folderSize, settledSize } from './timeseries/settled-size.ts'
import { dailyColumns, dayMs, symbolName, writeSeriesFile } from './timeseries/series-data.ts'

const rowsOfSymbol = 500
const symbolsOfFile = 400
const pointsOfSymbol = rowsOfSymbol * dailyColumns.length
const sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].filter(
  (points) => points <= Number(process.env.HEADWATER_BENCH_POINTS ?? 100_000_000),
)
const queriedSymbols = 60
const rounds = 5

interface Costs {
  points: number
  /** Milliseconds until an upload is visible, per million points. */
  ingestMs: number
  bytesOfValue: number
  /** First query for the last 500 rows of one symbol, p50. */
  lastMs: number
  /** Everything as CSV, a million points. */
  streamMs: number
  /** Monthly mean of every series and column, a million points. */
  monthlyMs: number
  /** Symbols that contain a string, the first page, p50. */
  searchMs: number
}

/** Loads one group after the other, each ten times the last, and writes `growth.svg` beside this file. */
export default async function growth(): Promise<Figure[]> {
  const all = await withProduct(async (product, folder) => {
    // One-time work after the start is not part of the costs.
    await measure(product, folder, sizes[0]!, 'first')
    const costs: Costs[] = []
    for (const points of sizes) {
      costs.push(await measure(product, folder, points))
      console.log(JSON.stringify(costs.at(-1)))
    }
    return costs
  })
  await writeFile(fileURLToPath(new URL('growth.svg', import.meta.url)), plotOf(linesOf(all)))
  const first = all.find(({ points }) => points >= 1_000_000) ?? all[0]!
  const last = all.at(-1)!
  return [
    grows('upload', 'ms a million points', first.ingestMs, last.ingestMs, last.points),
    grows('a value on disk', 'bytes', first.bytesOfValue, last.bytesOfValue, last.points),
    grows('last 500 rows of one symbol', 'ms', first.lastMs, last.lastMs, last.points),
    grows('everything as CSV', 'ms a million points', first.streamMs, last.streamMs, last.points),
    grows('monthly mean of everything', 'ms a million points', first.monthlyMs, last.monthlyMs, last.points),
    grows('symbols that contain a text', 'ms', first.searchMs, last.searchMs, last.points),
  ]
}

async function measure(
  product: Product,
  folder: string,
  points: number,
  groupName = `of${points}`,
): Promise<Costs> {
  const symbolCount = points / pointsOfSymbol
  const prefix = `G${Math.log10(points)}x`
  await product.createGroup(groupName)
  const series = join(product.dataFolder, 'series')
  const before = folderSize(series)
  const path = join(folder, 'file.ncsv')
  let uploadMs = 0
  for (let first = 0; first < symbolCount; first += symbolsOfFile) {
    await writeSeriesFile(path, {
      prefix,
      firstSymbol: first,
      symbolCount: Math.min(symbolsOfFile, symbolCount - first),
      pointCount: rowsOfSymbol,
      columns: dailyColumns,
      stepMs: dayMs,
    })
    uploadMs += await product.upload(groupName, path)
  }
  await rm(path, { force: true })
  const bytesOfValue = ((await settledSize(series)) - before) / points
  const codes = Array.from({ length: Math.min(queriedSymbols, symbolCount) }, (_, at) =>
    symbolName(prefix, Math.floor((at * symbolCount) / Math.min(queriedSymbols, symbolCount))),
  )
  const lastMs: number[] = []
  for (const Code of codes) {
    const body = { keys: [{ groupName, symbols: { Code } }], range: 'LAST', lastType: 'VALUES' }
    lastMs.push(
      await elapsed(() => product.post('/ts', { ...body, lastTypeAmount: 500, formatType: 'NCSV' })),
    )
  }
  const everything = { groupName, keys: [], formatType: 'NCSV' }
  const ofMillion = (ms: number) => ms / (points / 1e6)
  return {
    points,
    ingestMs: ofMillion(uploadMs),
    bytesOfValue,
    lastMs: median(lastMs),
    streamMs: ofMillion(await middleOf(() => product.drain('/ts/stream', everything))),
    monthlyMs: ofMillion(
      await middleOf(() =>
        product.drain('/ts/stream', { ...everything, resample: { unit: 'MONTHS', functions: ['MEAN'] } }),
      ),
    ),
    searchMs: await middleOf(() =>
      product.get(
        `/ts/symbol/search?size=50&query=${encodeURIComponent(`*0${Math.min(symbolCount - 1, 42)}*&groupName.keyword=${groupName}`)}`,
      ),
    ),
  }
}

function linesOf(all: readonly Costs[]): PlotLine[] {
  const line = (title: string, unit: string, key: keyof Costs): PlotLine => ({
    title,
    unit,
    points: all.map((costs) => ({ x: costs.points, y: costs[key] })),
  })
  return [
    line('Upload until visible', 'ms a million points', 'ingestMs'),
    line('Disk, keys and times included', 'bytes a value', 'bytesOfValue'),
    line('Last 500 rows of one symbol, first time', 'ms', 'lastMs'),
    line('Everything as CSV', 'ms a million points', 'streamMs'),
    line('Monthly mean of everything', 'ms a million points', 'monthlyMs'),
    line('Symbols that contain a text', 'ms', 'searchMs'),
  ]
}

/** Returns the ratio of the cost in the largest group to the cost in the group of a million points. */
function grows(what: string, unit: string, small: number, large: number, points: number): Figure {
  return {
    name: `${what}, of ${points.toLocaleString('en')} points`,
    value: large,
    unit,
    peer: 'of 1,000,000 points',
    ratio: small / large,
    goal: 'reported, no goal',
    holds: true,
  }
}

async function middleOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await elapsed(work))
  return median(times)
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
