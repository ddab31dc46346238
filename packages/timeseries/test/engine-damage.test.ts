import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  openEmbeddedEngine,
  openServerEngine,
  type EmbeddedEngine,
  type PointBatch,
  type SeriesEngine,
  type SeriesQuery,
} from '../src/index.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'

const isLong = inject('campaign') === 'long'
const manySeries = 10_000
/** The engine writes each format with its own statement; the smoke test covers one text format and the binary one. */
const formats = isLong
  ? (['NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW'] as const)
  : (['STANDARD', 'ARROW'] as const)
const columns = [{ id: 1, name: 'V', type: 'double' as const }]
const start = Date.UTC(2000, 0, 1)
const megabyte = 1024 * 1024

async function storeLongSeries(engine: SeriesEngine, count: number): Promise<void> {
  await engine.stage({ dataset: 1, version: 1, columns, batches: longSeries(count) })
  await engine.publish(1, 1)
}

async function storeManySeries(engine: SeriesEngine): Promise<void> {
  const batch: PointBatch = {
    sids: Uint32Array.from({ length: manySeries * 2 }, (_, row) => 1 + Math.floor(row / 2)),
    timestamps: Float64Array.from({ length: manySeries * 2 }, (_, row) => start + (row % 2)),
    values: [Float64Array.from({ length: manySeries * 2 }, (_, row) => row)],
  }
  await engine.stage({ dataset: 2, version: 1, columns, batches: [batch] })
  await engine.publish(2, 1)
}

function* longSeries(count: number): Generator<PointBatch> {
  const size = 200_000
  for (let at = 0; at < count; at += size) {
    yield {
      sids: new Uint32Array(size).fill(1),
      timestamps: Float64Array.from({ length: size }, (_, row) => start + (at + row) * 1000),
      values: [Float64Array.from({ length: size }, (_, row) => (at + row) / 7)],
    }
  }
}

/** Queries the long series this many times. */
function long(times: number, rest: Partial<SeriesQuery> = {}): SeriesQuery {
  return {
    symbolKeys: ['Code'],
    selections: Array.from({ length: times }, (_, number) => ({
      dataset: 1,
      series: [{ sid: 1, symbols: [`S${number}`] }],
      columns,
    })),
    ...rest,
  }
}

async function readAll(engine: SeriesEngine, query: SeriesQuery): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function drain(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream) continue
}

/** Reads until the given event has happened to the engine, and then to the end. */
async function readWhile(engine: SeriesEngine, query: SeriesQuery, happen: () => void): Promise<number> {
  const { stream } = await engine.query(query)
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < megabyte && bytes + chunk.length >= megabyte) happen()
    bytes += chunk.length
  }
  return bytes
}

/** Returns memory and CPU time of a process as counted by Linux. */
async function measure(processId: number): Promise<{ megabytes: number; ticks: number }> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8')
  const [, times = ''] = (await readFile(`/proc/${processId}/stat`, 'utf8')).split(') ')
  const fields = times.split(' ')
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    ticks: Number(fields[11]) + Number(fields[12]),
  }
}

/** Waits until a process is idle. */
async function untilIdle(processId: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const before = await measure(processId)
        await sleep(500)
        return (await measure(processId)).ticks - before.ticks
      },
      { interval: 0 },
    )
    .toBeLessThan(10)
}

function describeDamage(
  name: string,
  open: () => Promise<{ engine: SeriesEngine; processId(): number; kill(): void; close(): Promise<void> }>,
): void {
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      opened = await open()
      await storeLongSeries(opened.engine, isLong ? 10_000_000 : 2_000_000)
      await storeManySeries(opened.engine)
    })
    afterAll(() => opened?.close())

    test.each(formats)(
      'returns all of ten thousand series as %s',
      async (format) => {
        const series = Array.from({ length: manySeries }, (_, index) => ({
          sid: index + 1,
          symbols: [`Name of series ${index + 1}`],
        }))
        const selections = [{ dataset: 2, series, columns }]
        const range = { kind: 'LAST', amount: 1, unit: 'VALUES' } as const
        const result = await readAll(opened.engine, { symbolKeys: ['Code'], selections, range, format })
        expect(result.match(/Name of series \d+/g)).toBeTruthy()
        expect(new Set(result.match(/Name of series \d+/g)).size).toBe(manySeries)
      },
      60_000,
    )

    test('stops an endless response that nobody reads, in constant memory', async () => {
      const before = await measure(opened.processId())
      const own = process.memoryUsage.rss()
      const aborting = new AbortController()
      const { stream } = await opened.engine.query(long(isLong ? 100 : 500), { signal: aborting.signal })
      let grown = Infinity
      let engineGrown = Infinity
      const reading = (async () => {
        let bytes = 0
        for await (const chunk of stream) {
          bytes += chunk.length
          if (bytes > 64 * megabyte) {
            // Without a reader, the engine must not buffer results without limit.
            await sleep(1000)
            grown = (process.memoryUsage.rss() - own) / megabyte
            engineGrown = (await measure(opened.processId())).megabytes - before.megabytes
            aborting.abort()
          }
        }
      })()
      await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
      expect(grown).toBeLessThan(256)
      expect(engineGrown).toBeLessThan(700)
      await untilIdle(opened.processId())
      expect((await readAll(opened.engine, long(1, { limit: 3 }))).split('\n')).toHaveLength(5)
    })

    test('a query aborted before its first bytes leaves the engine idle', async () => {
      for (let round = 0; round < (isLong ? 5 : 2); round++) {
        const aborting = new AbortController()
        const requested = opened.engine.query(long(2, { sortBy: 'time', format: 'STANDARD' }), {
          signal: aborting.signal,
        })
        setTimeout(() => aborting.abort(), round * 40)
        await requested.then(
          ({ stream }) => expect(drain(stream)).rejects.toMatchObject({ name: 'AbortError' }),
          (error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }),
        )
      }
      await untilIdle(opened.processId())
    })

    test.each(formats)(
      'a result as %s is never mistaken for complete if its engine is killed midway',
      async (format) => {
        const dying = await open()
        try {
          await storeLongSeries(dying.engine, 800_000)
          await expect(
            readWhile(dying.engine, long(2, { format }), () => dying.kill()),
          ).rejects.toMatchObject({ code: 'unavailable' })
        } finally {
          await dying.close()
        }
      },
      60_000,
    )
  })
}

async function openEmbedded() {
  const folder = await mkdtemp(join(tmpdir(), 'series-damage-'))
  const engine: EmbeddedEngine = await openEmbeddedEngine({ folder })
  return {
    engine,
    processId: () => engine.processId!,
    kill: () => void process.kill(engine.processId!, 'SIGKILL'),
    async close() {
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describeDamage('embedded engine', openEmbedded)

describeWithServer('a ClickHouse server', () => {
  describeDamage('ClickHouse server', async () => {
    const server = await startChdbServer()
    const engine = await openServerEngine({ url: server.url })
    return {
      engine,
      processId: () => server.processId,
      kill: () => void process.kill(server.processId, 'SIGKILL'),
      async close() {
        await engine.close()
        await server.stop()
      },
    }
  })
})
