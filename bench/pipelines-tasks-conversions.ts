// Conversions of files: CSV to Parquet against DuckDB, and XLSX to CSV against ExcelJS. Each runs in a
// separate process, as in tasks.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { convertTable, type ByteSource, type TableConversion } from '@headwater/tables'
import { atMost, median, type Figure } from './figure.ts'
import { installPeers, peerVersion } from './peers.ts'
import { withFolder } from './with-folder.ts'

const execute = promisify(execFile)
const folder = fileURLToPath(new URL('./pipelines', import.meta.url))
/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 3)
const csvBytes = Math.round(1e9 * scale)
const sheetRows = Math.round(100_000 * scale)

/** A conversion that was done once. */
interface Converted {
  ms: number
  /** Peak resident memory of the process of the conversion, in megabytes. */
  memory: number
}

/** Converts the same files in turns with the peers, and compares the results. */
export default function conversions(): Promise<Figure[]> {
  installPeers(folder, 'exceljs')
  installPeers(folder, '@duckdb/node-api')
  return withFolder(async (temporary) => [...(await toParquet(temporary)), ...(await fromXlsx(temporary))])
}

async function toParquet(temporary: string): Promise<Figure[]> {
  const csv = join(temporary, 'prices.csv')
  const [ours, peer] = [join(temporary, 'ours.parquet'), join(temporary, 'peer.parquet')]
  const size = await writePrices(csv)
  const measured = await alternately(
    () => convert(csv, ours, { formats: 'CSV to Parquet' }),
    () => runPeer(duckdbScript, [csv, peer]),
  )
  const [{ stdout }, other] = await Promise.all([
    execute(process.execPath, ['--input-type=module', '-e', duckdbRead, ours], { cwd: folder }),
    execute(process.execPath, ['--input-type=module', '-e', duckdbRead, peer], { cwd: folder }),
  ])
  if (stdout !== other.stdout) throw new Error(`The contents differ: ${stdout} and ${other.stdout}`)
  return [
    ratioFigure(`CSV of ${(size / 1e9).toFixed(2)} GB to Parquet`, measured, {
      peer: `DuckDB ${peerVersion(folder, '@duckdb/node-api').split('-')[0]}`,
      goal: 0.8,
    }),
    memoryFigure('memory of this conversion', measured.ours),
  ]
}

async function fromXlsx(temporary: string): Promise<Figure[]> {
  const [csv, xlsx] = [join(temporary, 'rows.csv'), join(temporary, 'rows.xlsx')]
  const [ours, peer] = [join(temporary, 'ours.csv'), join(temporary, 'peer.csv')]
  await writePrices(csv, sheetRows)
  await convert(csv, xlsx, { formats: 'CSV to XLSX' })
  const measured = await alternately(
    () => convert(xlsx, ours, { formats: 'XLSX to CSV' }),
    () => runPeer(excelScript, [xlsx, peer]),
  )
  if ((await hashOf(ours)) !== (await hashOf(peer))) throw new Error('The CSV files differ.')
  return [
    ratioFigure(`XLSX of ${sheetRows.toLocaleString('en')} rows to CSV`, measured, {
      peer: `ExcelJS ${peerVersion(folder, 'exceljs')}, streamed`,
      goal: 2,
    }),
    memoryFigure('memory of this conversion', measured.ours),
  ]
}

/** Writes prices in seven columns until the file has its size, or the number of rows. Returns the size in bytes. */
async function writePrices(path: string, rows = Number.POSITIVE_INFINITY): Promise<number> {
  const file = await open(path, 'w')
  try {
    let lines = ['contract,day,time,open,close,volume,note\n']
    let bytes = 0
    for (let row = 0; row < rows && bytes < csvBytes; row++) {
      const day = new Date(Date.UTC(2000, 0, 1 + (row % 9000))).toISOString().slice(0, 10)
      const price = ((row * 104_729) % 99_991) / 100 + 0.125
      lines.push(
        `C${row % 500},${day},${day} 07:30:00,${price},${price + 0.25},${(row * 7919) % 10_007},"late, row ${row % 1000}"\n`,
      )
      if (lines.length < 20_000) continue
      bytes += (await file.write(lines.join(''))).bytesWritten
      lines = []
    }
    bytes += (await file.write(lines.join(''))).bytesWritten
    return bytes
  } finally {
    await file.close()
  }
}

async function convert(from: string, to: string, conversion: TableConversion): Promise<Converted> {
  const [source, target] = [await open(from), await open(to, 'w')]
  const content: ByteSource = {
    sizeBytes: (await stat(from)).size,
    async read(start, end) {
      const bytes = Buffer.allocUnsafe(end - start)
      await source.read(bytes, 0, bytes.length, start)
      return bytes
    },
  }
  const watch = watchMemory('conversion-process')
  try {
    const start = performance.now()
    for await (const part of convertTable(content, conversion, new AbortController().signal))
      await target.write(part)
    return { ms: performance.now() - start, memory: await watch.stop() }
  } finally {
    await watch.stop()
    await source.close()
    await target.close()
  }
}

/** Runs a script of a peer in a separate process, and measures the work without the start of the process. */
async function runPeer(script: string, paths: readonly string[]): Promise<Converted> {
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script, ...paths], {
    cwd: folder,
  })
  return { ms: Number(stdout), memory: 0 }
}

const duckdbScript = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const start = performance.now()
  await connection.run("copy (select * from read_csv('" + process.argv[1] + "')) to '" + process.argv[2] + "' (format parquet)")
  console.log(performance.now() - start)`

/** Prints a summary of a Parquet file, which is the same for equal contents. */
const duckdbRead = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const reader = await connection.runAndReadAll("select count(*), count(distinct contract), min(day)::date, max(day)::date, sum(open::decimal(18, 3)), sum(close::decimal(18, 3)), sum(volume), count(distinct note) from '" + process.argv[1] + "'")
  console.log(JSON.stringify(reader.getRowsJson()))`

const excelScript = `
  import ExcelJS from 'exceljs'
  import { createWriteStream } from 'node:fs'
  const start = performance.now()
  const target = createWriteStream(process.argv[2])
  const cellOf = (value) => {
    const text = value instanceof Date ? value.toISOString().replace(/(T00:00:00)?\\.000Z$/, '') : String(value ?? '')
    return /[",\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text
  }
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(process.argv[1], { sharedStrings: 'cache', styles: 'cache', worksheets: 'emit' }))
    for await (const row of sheet)
      if (!target.write(row.values.slice(1).map(cellOf).join(',') + '\\n')) await new Promise((resolve) => target.once('drain', resolve))
  await new Promise((resolve) => target.end(resolve))
  console.log(performance.now() - start)`

/** Runs both in turns; the first round fills caches. */
async function alternately(
  ours: () => Promise<Converted>,
  peer: () => Promise<Converted>,
): Promise<{ ours: Converted[]; peer: Converted[] }> {
  const measured = { ours: [] as Converted[], peer: [] as Converted[] }
  for (let round = 0; round <= rounds; round++) {
    const [mine, other] = [await ours(), await peer()]
    console.log({ oursMs: mine.ms, peerMs: other.ms, memory: mine.memory })
    if (round === 0) continue
    measured.ours.push(mine)
    measured.peer.push(other)
  }
  return measured
}

function ratioFigure(
  name: string,
  { ours, peer: others }: { ours: Converted[]; peer: Converted[] },
  { peer, goal }: { peer: string; goal: number },
): Figure {
  const value = median(ours.map(({ ms }) => ms))
  const ratio = median(others.map(({ ms }) => ms)) / value
  return { name, value, unit: 'ms', peer, ratio, goal: `≥ ${goal} × peer`, holds: ratio >= goal }
}

function memoryFigure(name: string, converted: readonly Converted[]): Figure {
  return atMost(500, { name, value: Math.max(...converted.map(({ memory }) => memory)), unit: 'MB' })
}

/** Watches the peak memory of the child process whose program has a name. */
function watchMemory(program: string): { stop: () => Promise<number> } {
  let peak = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      for (const pid of childrenOf(process.pid)) {
        const status = textOf(`/proc/${pid}/status`)
        if (!textOf(`/proc/${pid}/cmdline`).includes(program)) continue
        peak = Math.max(peak, Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000)
      }
      await sleep(50)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return peak
    },
  }
}

function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
}

/** A process can end at any time. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
