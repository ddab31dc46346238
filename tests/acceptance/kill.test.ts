import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

const rowsPerFile = 3000
const group = 'Killed'

/** Acknowledged objects must exist; started ones must exist completely or not at all. */
const acknowledged = {
  series: new Set<string>(),
  files: new Map<string, string>(),
  groups: new Set<string>(),
}
const begun = new Set<string>()

let dataFolder: string
/** Temporary folder of the servers. */
let temporary: string
let server: ServerProcess

const start = () => startServerProcess(dataFolder, { TMPDIR: temporary })

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-kill-'))
  temporary = await mkdtemp(join(tmpdir(), 'headwater-kill-tmp-'))
  server = await start()
  await administratorOf(server.url).post('/file/group', { name: group })
})
afterAll(async () => {
  await server.stop()
  for (const folder of [dataFolder, temporary]) await rm(folder, { recursive: true, force: true })
})

let next = 0

/** Uploads and saves concurrently until it is stopped. Failures during the kills are expected. */
async function work(signal: AbortSignal): Promise<void> {
  const api = administratorOf(server.url)
  while (!signal.aborted) {
    const name = `n${next++}`
    begun.add(name)
    try {
      const kind = next % 3
      if (kind === 0) {
        await api.post('/file/group', { name })
        acknowledged.groups.add(name)
      } else if (kind === 1) {
        const content = `${name} `.repeat(20_000)
        const { fileId, receipt } = await api.upload({
          groupName: group,
          fileName: `${name}.txt`,
          fileType: 'SOURCE',
          content,
        })
        if (receipt.status === 'READY')
          acknowledged.files.set(fileId, createHash('sha256').update(content).digest('hex'))
      } else {
        const { receipt } = await api.upload({
          groupName: group,
          fileName: `${name}.csv`,
          fileType: 'NCSV',
          content: seriesOf(name),
        })
        if (receipt.status === 'READY') acknowledged.series.add(name)
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function untilAcknowledged(more: number): Promise<void> {
  const count = () => acknowledged.series.size + acknowledged.files.size + acknowledged.groups.size
  const goal = count() + more
  while (count() < goal) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function endedTooEarly(ended: ServerProcess): Promise<never> {
  throw new Error(`The server ended unexpectedly with ${await ended.gone}: ${ended.output()}`)
}

function seriesOf(symbol: string): string {
  const start = Date.UTC(2000, 0, 1)
  const rows = Array.from(
    { length: rowsPerFile },
    (_, i) => `${symbol},${new Date(start + i * 86_400_000).toISOString().slice(0, 10)},${i}`,
  )
  return ['Symbol,Date,Price', ...rows].join('\n')
}

async function rowsOf(symbol: string): Promise<number> {
  const response = await administratorOf(server.url).request('/ts/stream', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      keys: [{ symbols: { Symbol: symbol }, groupName: group, columns: ['Price'] }],
      range: 'ALL',
      formatType: 'NCSV',
    }),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return Math.max(0, text.trim().split('\n').length - 1)
}

const isLong = inject('campaign') === 'long'
const rounds = 2
const victims = isLong
  ? Array.from({ length: rounds }, () => [
      'server',
      'database',
      'series engine',
      'server and database',
      'everything',
    ]).flat()
  : ['series engine', 'everything']

/** Milliseconds from the announcement of an upload to its receipt; uploads that fail because of the kill are repeated. */
async function nextUploadMs(): Promise<number> {
  for (;;) {
    const startedAt = performance.now()
    try {
      await store(`next${next++}`)
      return performance.now() - startedAt
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Waits until the database and the series engine respond again: a query needs both. */
async function untilBothStoresRespond(): Promise<void> {
  const [symbol = ''] = acknowledged.series
  const hasResponse = () =>
    rowsOf(symbol)
      .then((rows) => rows > 0)
      .catch(() => false)
  await expect.poll(hasResponse).toBe(true)
}

/**
 * Maximum additional time of the next upload into the same group after the stores are back, in milliseconds.
 * A group that waits for the lease of an interrupted ingest exceeds it several times over.
 */
const longestStallMs = 2000

test.each(victims)(
  'after a kill of %s all acknowledged data exists, nothing exists in part, and the temporary folder is empty',
  async (victim) => {
    const stopWork = new AbortController()
    const workers = Array.from({ length: 4 }, () => work(stopWork.signal))
    await Promise.race([untilAcknowledged(12), endedTooEarly(server)])

    const usualMs = await nextUploadMs()
    const [postgres, series] = [await server.postgresPid(), await server.seriesPid()]
    const killed = {
      server: [server.pid],
      database: [postgres],
      'series engine': [series],
      'server and database': [server.pid, postgres],
      everything: [server.pid, postgres, series],
    }[victim]!
    for (const pid of killed) server.kill(pid)
    const isServerGone = killed.includes(server.pid)
    if (isServerGone) await server.gone
    let stallMs = 0
    if (!isServerGone) {
      await untilBothStoresRespond()
      stallMs = (await nextUploadMs()) - usualMs
      // The server must recover under load without help.
      await new Promise((resolve) => setTimeout(resolve, isLong ? 3000 : 1000))
    }
    stopWork.abort()
    await Promise.all(workers)
    expect(server.isRunning(), server.output()).toBe(!isServerGone)
    if (isServerGone) {
      expect(await readdir(temporary)).toEqual([])
      server = await start()
    }
    await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200)
    if (isServerGone) stallMs = (await nextUploadMs()) - usualMs
    if (isLong) expect(stallMs, `the stall after a kill of ${victim}`).toBeLessThan(longestStallMs)

    const api = administratorOf(server.url)
    for (const name of acknowledged.groups)
      expect((await api.request(`/file/group/${name}`)).status).toBe(200)
    for (const [fileId, hash] of acknowledged.files) {
      const response = await api.request(`/file/${fileId}/download`)
      expect(response.status).toBe(200)
      expect(
        createHash('sha256')
          .update(await response.text())
          .digest('hex'),
      ).toBe(hash)
    }
    for (const name of acknowledged.series) expect(await rowsOf(name), name).toBe(rowsPerFile)
    for (const name of begun)
      if (!acknowledged.series.has(name)) expect([0, rowsPerFile], name).toContain(await rowsOf(name))
  },
  240_000,
)

test('after the kills the server accepts new files and shuts down cleanly', async () => {
  await store('after')
  expect(await rowsOf('after')).toBe(rowsPerFile)
})

/** Stores a series and waits until it is acknowledged. */
async function store(code: string): Promise<void> {
  const { receipt } = await administratorOf(server.url).upload({
    groupName: group,
    fileName: `${code}.csv`,
    fileType: 'NCSV',
    content: seriesOf(code),
  })
  expect(receipt.status).toBe('READY')
}

test('a stop reports what it is waiting for; a second stop ends server and database immediately without data loss', async () => {
  await store('kept')
  const ticket = await administratorOf(server.url).post('/file', {
    groupName: group,
    fileName: 'endless.txt',
    fileType: 'SOURCE',
    fields: [],
  })
  const upload = request(String(ticket.location), { method: 'PUT', headers: { Expect: '100-continue' } })
  upload.on('error', () => {})
  upload.flushHeaders()
  await once(upload, 'continue')
  // npm sends a copy of the signal within 0.5 s. Linux would merge two pending signals of the same kind.
  for (const signal of ['SIGINT', 'SIGTERM']) process.kill(server.pid, signal)
  await expect.poll(() => server.output()).toContain('Headwater is shutting down')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(server.isRunning()).toBe(true)
  process.kill(server.pid, 'SIGINT')
  expect(await server.gone).toBe(1)
  expect(existsSync(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
  server = await start()
  expect(await rowsOf('kept')).toBe(rowsPerFile)
})
