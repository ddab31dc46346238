import { compileExpression, x } from '@headwater/formula/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClusterEngine, type PointBatch, type SeriesEngine, type SeriesQuery } from '../src/index.ts'
import { splitBatches } from '../src/cluster-split.ts'
import { describeWithServer, startChdbServers, type ChdbServer } from './chdb-server.ts'

const columns = [{ id: 1, name: 'V', type: 'double' as const }]
const start = Date.UTC(2020, 0, 1)

function batch(rows: readonly (readonly [sid: number, day: number, value: number])[]): PointBatch {
  return {
    sids: Uint32Array.from(rows, ([sid]) => sid),
    timestamps: Float64Array.from(rows, ([, day]) => start + day * 86_400_000),
    values: [Float64Array.from(rows, ([, , value]) => value)],
  }
}

async function readValues(
  engine: SeriesEngine,
  dataset: number,
  rest: Partial<SeriesQuery> = {},
): Promise<number[]> {
  const query: SeriesQuery = {
    symbolKeys: ['Code'],
    selections: [{ dataset, columns, series: [1, 2, 3, 4].map((sid) => ({ sid, symbols: [`S${sid}`] })) }],
    ...rest,
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString().split('\n').slice(1, -1)
  return lines.map((line) => Number(line.split(',')[2]))
}

async function command(server: ChdbServer, sql: string): Promise<string> {
  const response = await fetch(server.url, { method: 'POST', body: sql })
  expect(response.status).toBe(200)
  return (await response.text()).trim()
}

describeWithServer('a cluster of two shards', () => {
  let shards: ChdbServer[] = []
  let engine: SeriesEngine
  beforeAll(async () => {
    shards = await startChdbServers(2)
    engine = await openClusterEngine({ shards, cluster: 'shards' })
  })
  afterAll(async () => {
    await engine?.close()
    for (const shard of shards) await shard.stop()
  })

  test('spreads series over both shards, each on one of them', async () => {
    const rows = [1, 2, 3, 4].map((sid) => [sid, 0, sid] as const)
    await engine.stage({ dataset: 1, version: 1, columns, batches: [batch(rows)] })
    await engine.publish(1, 1)
    const sids = await Promise.all(
      shards.map((shard) => command(shard, 'SELECT groupArray(sid) FROM series.dataset_1')),
    )
    expect(sids).toEqual(['[2,4]', '[1,3]'])
    expect(await readValues(engine, 1)).toEqual([1, 2, 3, 4])
  })

  test('combines series of both shards', async () => {
    const rows = [1, 2, 3, 4].map((sid) => [sid, 0, sid] as const)
    await engine.stage({ dataset: 6, version: 1, columns, batches: [batch(rows)] })
    await engine.publish(6, 1)
    const series = [1, 2, 3, 4].map((sid) => ({ sid, symbols: [sid < 4 ? 'A' : 'B'] }))
    const selections = [{ dataset: 6, columns, series }]
    expect(await readValues(engine, 6, { selections, aggregate: { functions: ['sum'] } })).toEqual([6, 4])
  })

  test('returns all versions from all shards in a window that begins before 1970', async () => {
    const rows = [1, 2].map((sid) => [sid, 0, sid] as const)
    await engine.stage({ dataset: 5, version: 1, columns, batches: [batch(rows)] })
    await engine.publish(5, 1)
    const window = { from: Date.UTC(1950, 0, 1) }
    expect(await readValues(engine, 5, { corrections: 'true', window })).toEqual([1, 2])
  })

  test('draws a computed series, which is on no shard, beside stored ones, even with corrections', async () => {
    const days = Array.from({ length: 20 }, (_, day) => day)
    const rows = [1, 2].flatMap((sid) => days.map((day) => [sid, day, day] as const))
    await engine.stage({ dataset: 7, version: 1, columns, batches: [batch(rows)] })
    await engine.publish(7, 1)
    const computed = [{ id: 9, name: 'C', type: 'double' as const }]
    const formula = {
      inputs: [{ dataset: 7, sid: 1, column: columns[0]! }],
      join: 'inner' as const,
      expression: compileExpression(x(0)),
    }
    const selections = [
      { dataset: 7, columns: computed, series: [{ sid: 8, symbols: ['C'] }], formula },
      { dataset: 7, columns, series: [{ sid: 2, symbols: ['S2'] }] },
    ]
    const query = { symbolKeys: ['Code'], selections, corrections: 'true', drawPoints: 8 } as const
    const chunks: Uint8Array[] = []
    for await (const chunk of (await engine.query({ ...query, format: 'UI' })).stream) chunks.push(chunk)
    const { values } = JSON.parse(Buffer.concat(chunks).toString())
    const drawn = [0, 9, 10, 19].map((day) => start + day * 86_400_000)
    expect(values).toMatchObject([
      { symbol: 0, timestamps: drawn },
      { symbol: 1, timestamps: drawn },
    ])
  })

  test('reports a repeated row by its number in the whole upload', async () => {
    const rows = [
      [2, 0, 1],
      [1, 0, 1],
      [2, 1, 1],
      [1, 0, 2],
      [2, 0, 3],
    ] as const
    const batches = [batch(rows.slice(0, 2)), batch(rows.slice(2))]
    expect(await engine.stage({ dataset: 2, version: 1, columns, batches })).toEqual({
      rowsRead: 5,
      rowsStaged: 3,
      firstRepeat: { row: 3, sid: 1, timestamp: start },
      firstTimestamp: start,
      lastTimestamp: start + 86_400_000,
    })
    await engine.discard(2, 1)
    await expect(engine.publish(2, 1)).rejects.toMatchObject({ code: 'not-staged' })
  })

  test('a partly published version is invisible, and is completed by publishing it again or removed with the next version', async () => {
    const rows = [1, 2].map((sid) => [sid, 0, 10] as const)
    // State after the owner dies between two shards: started, published on the first, staged on the second.
    const publishHalf = async (version: number, value: number) => {
      const fresh = rows.map(([sid, day]) => [sid, day, value] as const)
      await engine.stage({ dataset: 3, version, columns, batches: [batch(fresh)] })
      await command(shards[0]!, `INSERT INTO series.visible_versions VALUES (3, ${version}, 0)`)
      await command(
        shards[0]!,
        `ALTER TABLE series.staged_3_${version} MOVE PARTITION tuple() TO TABLE series.dataset_3`,
      )
    }
    await engine.stage({ dataset: 3, version: 1, columns, batches: [batch(rows)] })
    await engine.publish(3, 1)
    await publishHalf(2, 20)
    expect(await readValues(engine, 3)).toEqual([10, 10])
    expect(await engine.listVersions(3)).toEqual([{ version: 1, rows: 2 }])
    await engine.publish(3, 2)
    expect(await readValues(engine, 3)).toEqual([20, 20])
    await publishHalf(3, 30)
    await engine.stage({ dataset: 3, version: 4, columns, batches: [batch([[1, 1, 40]])] })
    await engine.publish(3, 4)
    expect(await readValues(engine, 3)).toEqual([20, 40, 20])
    expect((await engine.listVersions(3)).map(({ version }) => version)).toEqual([1, 2, 4])
  })

  test('rejects servers in another order, too few servers, or a missing cluster', async () => {
    const refused = (options: Parameters<typeof openClusterEngine>[0], text: string) =>
      expect(openClusterEngine(options)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(text),
      })
    await refused({ shards: shards.toReversed(), cluster: 'shards' }, 'same order')
    await refused({ shards: shards.slice(0, 1), cluster: 'shards' }, 'shard 1 of 2')
    await refused({ shards, cluster: 'other' }, 'no cluster')
  })

  test('a failed upload leaves nothing on any shard', async () => {
    async function* broken() {
      yield batch([1, 2].map((sid) => [sid, 0, 1] as const))
      throw new RangeError('broken file')
    }
    await expect(engine.stage({ dataset: 4, version: 1, columns, batches: broken() })).rejects.toThrow(
      'broken file',
    )
    await expect(engine.publish(4, 1)).rejects.toMatchObject({ code: 'not-staged' })
    expect(await engine.listVersions(4)).toEqual([])
  })
})

test('reads an upload no faster than its slowest shard, and to its end if a shard has disconnected', async () => {
  let taken = 0
  function* batches() {
    for (; taken < 100; taken++) yield batch([1, 2].map((sid) => [sid, taken, taken] as const))
  }
  const split = splitBatches(batches(), 2)
  const [even, odd] = split.parts.map((part) => part[Symbol.asyncIterator]())
  await Promise.all([even!.next(), odd!.next()])
  await even!.next()
  const waiting = even!.next()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(taken).toBeLessThan(4)
  await odd!.return!()
  await waiting
  let rows = 3
  for (let next = await even!.next(); !next.done; next = await even!.next()) rows++
  expect(rows).toBe(100)
})
