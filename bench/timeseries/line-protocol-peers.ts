import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Number of lines per request that the documentation of InfluxDB recommends. */
const linesAtOnce = 10_000

/** A time-series database that accepts InfluxDB's line protocol. */
export interface LineProtocolPeer {
  /** For example `InfluxDB 1.6.7`. */
  name: string
  /** Writes lines of the measurement `daily`, acknowledged batch by batch. */
  write(lines: readonly string[]): Promise<void>
  /** Reads the newest points of all four columns of a symbol and returns their number. */
  lastPoints(symbol: string, amount: number): Promise<number>
  /** Folder of its data. */
  dataFolder: string
  stop(): Promise<void>
}

/** Returns the rows of an NCSV file of the benchmark as lines with timestamps in seconds. */
export async function readAsLines(path: string): Promise<string[]> {
  const [header = '', ...rows] = (await readFile(path, 'utf8')).trim().split('\n')
  const names = header.split(',').slice(2)
  return rows.map((row) => {
    const [code, time, ...values] = row.split(',')
    const fields = names.map((name, index) => `${name.toLowerCase()}=${values[index]}`).join(',')
    return `daily,symbol=${code} ${fields} ${Date.parse(time!) / 1000}`
  })
}

/** Starts InfluxDB; undefined when it is not installed. Its write-ahead log is synced before a write is acknowledged. */
export async function startInfluxPeer(folder: string): Promise<LineProtocolPeer | undefined> {
  const [port, backupPort] = [await freePort(), await freePort()]
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'influxdb.conf')
  await writeFile(
    config,
    `reporting-disabled = true
bind-address = "127.0.0.1:${backupPort}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
[logging]
  level = "error"
`,
  )
  const server = await startServer('influxd', ['-config', config], port, '/ping')
  if (!server) return undefined
  await server.send('POST', `/query?q=${encodeURIComponent('CREATE DATABASE bench')}`)
  return {
    name: `InfluxDB ${server.version ?? '1'}`,
    dataFolder: folder,
    write: (lines) => inBatches(lines, (body) => server.send('POST', '/write?db=bench&precision=s', body)),
    async lastPoints(symbol, amount) {
      const query = `SELECT * FROM daily WHERE symbol = '${symbol}' ORDER BY time DESC LIMIT ${amount}`
      const text = await server.send('GET', `/query?db=bench&epoch=s&q=${encodeURIComponent(query)}`)
      const { results } = JSON.parse(text) as { results: { series?: { values: unknown[][] }[] }[] }
      return results[0]?.series?.[0]?.values.length ?? 0
    },
    stop: () => server.stop(),
  }
}

/** Starts VictoriaMetrics; undefined when it is not installed. It acknowledges before anything is synced to disk. */
export async function startVictoriaPeer(folder: string): Promise<LineProtocolPeer | undefined> {
  const port = await freePort()
  const options = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
    '-search.latencyOffset=0s',
    '-loggerLevel=ERROR',
  ]
  const server = await startServer('victoria-metrics', options, port, '/health')
  if (!server) return undefined
  return {
    name: 'VictoriaMetrics 1.79',
    dataFolder: folder,
    write: (lines) => inBatches(lines, (body) => server.send('POST', '/write?precision=s', body)),
    async lastPoints(symbol, amount) {
      // Points become searchable when a buffer is flushed.
      const selector = encodeURIComponent(`{symbol="${symbol}"}`)
      const text = await server.send('GET', `/api/v1/export?match[]=${selector}&start=0&end=4102444800`)
      const series = text
        .trim()
        .split('\n')
        .filter((line) => line !== '')
      const counts = series.map((line) => (JSON.parse(line) as { values: number[] }).values.length)
      return Math.min(amount, ...(counts.length === 0 ? [0] : counts))
    },
    stop: () => server.stop(),
  }
}

async function inBatches(lines: readonly string[], send: (body: string) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < lines.length; from += linesAtOnce)
    await send(lines.slice(from, from + linesAtOnce).join('\n'))
}

interface Server {
  version: string | undefined
  send(method: string, path: string, body?: string): Promise<string>
  stop(): Promise<void>
}

async function startServer(
  program: string,
  options: readonly string[],
  port: number,
  readyPath: string,
): Promise<Server | undefined> {
  const child = spawn(program, options, { stdio: 'ignore' })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const agent = new Agent({ keepAlive: true })
  let version: string | undefined
  const send = (method: string, path: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, method, path, agent }, (response) => {
        version ??= response.headers['x-influxdb-version'] as string | undefined
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode! < 300) resolve(text)
          else
            reject(
              new Error(`${program} responded to ${path} with ${response.statusCode}: ${text.slice(0, 300)}`),
            )
        })
      })
      call.once('error', reject)
      call.end(body)
    })
  for (let tries = 0; tries < 200 && child.exitCode === null && child.pid !== undefined; tries++) {
    const isReady = await send('GET', readyPath).then(
      () => true,
      () => false,
    )
    if (isReady)
      return {
        version,
        send,
        async stop() {
          agent.destroy()
          child.kill('SIGTERM')
          await gone
        },
      }
    await sleep(100)
  }
  child.kill('SIGKILL')
  return undefined
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
