import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { QueryLimits } from '../src/query-budget.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import { pick, price } from './spec-points.ts'

/** Tests the limits and the cancellation of queries. `open` returns an engine on an empty database. */
export function describeBudget(open: (limits: QueryLimits) => Promise<SeriesEngine>): void {
  async function storeMany(engine: SeriesEngine): Promise<SeriesQuery> {
    const count = 400_000
    await engine.stage({
      dataset: 1,
      version: 1,
      columns: [price],
      batches: [
        {
          sids: Uint32Array.from({ length: count }, (_, row) => 1 + Math.floor(row / 1000)),
          timestamps: Float64Array.from(
            { length: count },
            (_, row) => (row % 1000) * 1000 + Math.floor(row / 1000),
          ),
          values: [new Float64Array(count).fill(1.5)],
        },
      ],
    })
    await engine.publish(1, 1)
    const sids = Array.from({ length: 190 }, (_, index) => index + 1)
    return { symbolKeys: ['Code'], selections: [pick(1, sids, [price], { fill: { kind: 'previous' } })] }
  }

  test('cancels a query without a reader and serves later ones', async () => {
    const engine = await open({ stallLimitMs: 2000 })
    const query = await storeMany(engine)
    const plain = { ...query, selections: [pick(1, [1, 2, 3], [price])] }
    const sids = Array.from({ length: 400 }, (_, index) => index + 1)
    const { stream } = await engine.query({ ...query, selections: [pick(1, sids, [price])] })
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await sleep(3000)
    await expect(
      (async () => {
        for (;;) if ((await reader.next()).done) return
      })(),
    ).rejects.toMatchObject({ code: 'too-large', message: expect.stringContaining('moved') })
    let size = 0
    for await (const chunk of (await engine.query(plain)).stream) size += chunk.length
    expect(size).toBeGreaterThan(3000)
  })

  test('an aborted query reads no more series', async () => {
    const engine = await open({})
    const query = await storeMany(engine)
    const controller = new AbortController()
    let count = 0
    function* endless() {
      for (let sid = 1; ; sid++) {
        if (++count === 1000) controller.abort()
        yield { sid, symbols: [`S${sid}`] }
      }
    }
    const selections = [{ dataset: 1, series: endless(), columns: [price] }]
    await expect(engine.query({ ...query, selections }, { signal: controller.signal })).rejects.toMatchObject(
      { name: 'AbortError' },
    )
    expect(count).toBe(1000)
  })

  test('rejects a query that would fill too many gaps to start in time', async () => {
    const engine = await open({})
    const long = await storeMany(engine)
    const more = Array.from({ length: 220 }, (_, index) => index + 1)
    const tooMany = [pick(1, more, [price], { fill: { kind: 'previous' } })]
    await expect(engine.query({ ...long, selections: tooMany })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('more than 40,000,000 rows'),
    })
  })

  // 190 series at 190,000 timestamps are 36 million rows, which take many times the limits below on any machine.
  test('a query that takes too long is cancelled while the engine is still working on it', async () => {
    const engine = await open({ queryLimitMs: 100 })
    const long = await storeMany(engine)
    await expect(engine.query(long)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('longer than 0.1 s.'),
    })
  })

  test('an aborted query is cancelled while the engine is still working on it, and later ones are served', async () => {
    const engine = await open({})
    const long = await storeMany(engine)
    const controller = new AbortController()
    const requested = engine.query(long, { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    await expect(requested).rejects.toMatchObject({ name: 'AbortError' })
    const short = { ...long, selections: [pick(1, [1], [price])] }
    let size = 0
    for await (const chunk of (await engine.query(short)).stream) size += chunk.length
    expect(size).toBeGreaterThan(1000)
  })
}
