// Goals of the whole product: a quick start, little memory, a light first page, uploads with constant memory.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { atMost, median, type Figure } from './figure.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const administrator = { email: 'bench@example.com', password: 'a password for measuring' }
const startRounds = 5
const settleMs = 10_000
const uploadBytes = 1_000_000_000
const megabyte = 1_000_000

/** Measures the goals of the foundation on a new data folder. Memory is measured on Linux only. */
export default async function foundation(): Promise<Figure[]> {
  const data = await mkdtemp(join(tmpdir(), 'headwater-bench-'))
  try {
    const first = await startProduct(data)
    console.log(`first start: ${first.readyMs.toFixed(0)} ms, demo workspace included`)
    await first.stop()

    const secondStartsMs: number[] = []
    for (let round = 1; round < startRounds; round++) {
      const next = await startProduct(data)
      secondStartsMs.push(next.readyMs)
      await next.stop()
    }
    const last = await startProduct(data)
    secondStartsMs.push(last.readyMs)
    try {
      return [
        atMost(3000, {
          name: 'second start, from npm start to ready',
          value: median(secondStartsMs),
          unit: 'ms',
        }),
        atMost(200, {
          name: 'JavaScript of the first page, compressed',
          value: initialJavaScriptKilobytes(),
          unit: 'kB',
        }),
        ...(process.platform === 'linux' ? await memoryFigures(last) : []),
      ]
    } finally {
      await last.stop()
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

interface Product {
  url: string
  process: ChildProcess
  readyMs: number
  stop(): Promise<void>
}

/** Starts the product like a user. */
async function startProduct(data: string): Promise<Product> {
  const startedMs = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HEADWATER_PORT: String(await freePort()),
      HEADWATER_DATA: data,
      HEADWATER_ADMIN_EMAIL: administrator.email,
      HEADWATER_ADMIN_PASSWORD: administrator.password,
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const ready = /ready at (http:\S+)/.exec(output)?.[1]
      if (ready) resolve(ready)
    })
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)))
  })
  return {
    url,
    process: child,
    readyMs: performance.now() - startedMs,
    async stop() {
      // Sends the signal to the whole process group, like Ctrl+C in a terminal.
      process.kill(-child.pid!, 'SIGINT')
      await ended
    },
  }
}

async function memoryFigures(product: Product): Promise<Figure[]> {
  const token = await signIn(product.url)
  await fetch(product.url, { headers: { accept: 'text/html' } })
  await sleep(settleMs)
  const idle = memoryBytes(product.process.pid!)
  const largest = await largestDuring(product, () => upload(product.url, token))
  return [
    atMost(500, { name: 'memory when idle, all processes', value: idle / megabyte, unit: 'MB' }),
    atMost(150, {
      name: 'growth of memory during an upload of 1 GB',
      value: (largest - idle) / megabyte,
      unit: 'MB',
    }),
  ]
}

async function signIn(url: string): Promise<string> {
  const credentials = Buffer.from(`${administrator.email}:${administrator.password}`).toString('base64')
  const response = await demandOk(
    fetch(`${url}/auth/login`, { headers: { Authorization: `Basic ${credentials}` } }),
  )
  return ((await response.json()) as { token: string }).token
}

async function upload(url: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const groupName = 'measured'
  await demandOk(
    fetch(`${url}/file/group`, { method: 'POST', headers, body: JSON.stringify({ name: groupName }) }),
  )
  const file = { groupName, fileName: 'large.bin', fileType: 'SOURCE', fields: [] }
  const created = await demandOk(
    fetch(`${url}/file`, { method: 'POST', headers, body: JSON.stringify(file) }),
  )
  const { location } = (await created.json()) as { location: string }
  await demandOk(
    fetch(location, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: bytes(uploadBytes),
      duplex: 'half',
    } as RequestInit),
  )
}

function bytes(total: number): ReadableStream<Uint8Array> {
  const block = new Uint8Array(megabyte).map((_, index) => index % 251)
  let leftBytes = total
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(block.subarray(0, Math.min(block.length, leftBytes)))
      leftBytes -= block.length
      if (leftBytes <= 0) controller.close()
    },
  })
}

async function demandOk(request: Promise<Response>): Promise<Response> {
  const response = await request
  if (response.ok) return response
  throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`)
}

async function largestDuring({ process: product }: Product, work: () => Promise<void>): Promise<number> {
  let largest = 0
  let working = true
  const watching = (async () => {
    while (working) {
      largest = Math.max(largest, memoryBytes(product.pid!))
      await sleep(100)
    }
  })()
  try {
    await work()
  } finally {
    working = false
    await watching
  }
  return largest
}

/** Returns the memory of a process and its descendants. Shared pages count once, by proportional set size. */
function memoryBytes(pid: number): number {
  return family(pid).reduce((sum, member) => sum + proportionalBytes(member), 0)
}

function family(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(Number(entry))
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)])
  }
  const all: number[] = []
  for (const waiting = [pid]; waiting.length > 0;) {
    const next = waiting.pop()!
    all.push(next)
    waiting.push(...(parents.get(next) ?? []))
  }
  return all
}

function parentOf(pid: number): number | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])
}

function proportionalBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0
  return Number(kilobytes) * 1024
}

/** A process can end while its files are being read. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

interface ManifestChunk {
  file: string
  isEntry?: boolean
  imports?: string[]
}

/** Returns the files that the browser must load before it can render: the entry and its static imports. */
function initialJavaScriptKilobytes(): number {
  const dist = join(root, 'apps', 'web', 'dist')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    ManifestChunk
  >
  const wanted = new Set(Object.keys(manifest).filter((key) => manifest[key]!.isEntry))
  for (const key of wanted) for (const imported of manifest[key]!.imports ?? []) wanted.add(imported)
  const files = new Set([...wanted].map((key) => manifest[key]!.file).filter((file) => file.endsWith('.js')))
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
