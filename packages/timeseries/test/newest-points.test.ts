import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmbeddedConnection } from '../src/embedded-connection.ts'
import { openEmbeddedEngine } from '../src/index.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import { makeTail, type SeriesTail } from '../src/series-tail.ts'
import { TailQueries } from '../src/tail-queries.ts'
import { TailStore } from '../src/tail-store.ts'
import { pick, price, readLines, storePoints } from './spec-points.ts'

const last = { range: { kind: 'LAST', unit: 'VALUES', amount: 10 } } as const

test('returns the same newest points after a restart, even without facts about a dataset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'newest-points-'))
  try {
    const before = await openEmbeddedEngine({ folder })
    await storePoints(
      before,
      1,
      11,
      [price],
      [
        [1, '2024-01-01', 1],
        [50, '2024-01-01', 2],
      ],
    )
    await before.close()
    const connection = await openEmbeddedConnection({ folder })
    await connection.run(`ALTER TABLE series.dataset_1 MODIFY COMMENT ''`)
    await connection.close()

    const engine = await openEmbeddedEngine({ folder })
    await storePoints(engine, 1, 12, [price], [[5, '2024-01-02', 3]])
    await storePoints(engine, 1, 13, [price], [[50, '2024-01-03', 4]])
    expect(await readLines(engine, [pick(1, [50], [price])], last)).toEqual([
      'Code,Date(UTC),Price',
      'S50,2024-01-01T00:00:00,2',
      'S50,2024-01-03T00:00:00,4',
    ])
    await engine.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('never mixes a cached and a newly read series of different versions', async () => {
  const store = new TailStore(1_000_000)
  const tailOf = (value: number): SeriesTail =>
    makeTail([price], { timestamps: Float64Array.of(0), values: [Float64Array.of(value)] }, true)
  let stored = 1
  const reader = {
    read: async (_: number, sids: readonly number[]) => ({
      tails: new Map(sids.map((sid) => [sid, tailOf(stored)])),
      hasAllColumns: true,
    }),
  }
  const results = new TailQueries(reader, store, { isCaching: true })
  const run = async (sids: readonly number[]) => {
    const query: SeriesQuery = { symbolKeys: [], selections: [pick(1, sids, [price])], ...last }
    if (!results.accepts(query)) throw new Error('The query does not request the newest points.')
    return (await results.run(query))?.bytes?.toString().split('\n').slice(1, -1)
  }
  const at = (value: number) => `1970-01-01T00:00:00,${value}`
  expect(await run([1])).toEqual([at(1)])
  const upload = {
    tails: new Map([1, 2].map((sid) => [sid, tailOf(2)])),
    before: { version: 1, lastSid: 2 },
  }
  await store.publish({ dataset: 1, version: 2, span: { firstSid: 1, lastSid: 2 } }, upload, async () => {
    stored = 2
    expect(await run([1])).toEqual([at(1)])
    expect(await run([1, 2])).toBeUndefined()
  })
  expect(await run([1, 2])).toEqual([at(2), at(2)])
})

test('a request during an upload is not served by a statement that started during an earlier one', async () => {
  const store = new TailStore(1_000_000)
  const begun: (() => void)[] = []
  let stored = 1
  const reader = {
    read: async (_: number, sids: readonly number[]) => {
      const values = Float64Array.of(stored)
      await new Promise<void>((resolve) => begun.push(resolve))
      const tail = makeTail([price], { timestamps: Float64Array.of(0), values: [values] }, true)
      return { tails: new Map(sids.map((sid) => [sid, tail])), hasAllColumns: true }
    },
  }
  const results = new TailQueries(reader, store, { isCaching: true })
  const run = async () => {
    const query: SeriesQuery = { symbolKeys: [], selections: [pick(1, [1], [price])], ...last }
    if (!results.accepts(query)) throw new Error('The query does not request the newest points.')
    return (await results.run(query))?.bytes?.toString().split('\n').slice(1, -1)
  }
  const publish = (version: number, work: () => Promise<void>) =>
    store.publish({ dataset: 1, version, span: { firstSid: 1, lastSid: 1 } }, undefined, work)
  let early: ReturnType<typeof run> | undefined
  await publish(2, async () => {
    early = run()
    stored = 2
  })
  await publish(3, async () => {
    const late = run()
    await expect.poll(() => begun.length).toBe(2)
    for (const resolve of begun) resolve()
    expect(await late).toEqual(['1970-01-01T00:00:00,2'])
    expect(await early).toEqual(['1970-01-01T00:00:00,1'])
  })
})
