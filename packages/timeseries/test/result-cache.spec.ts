import { expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import { pick, price, readBytes, readLines, storePoints, type SpecPoint } from './spec-points.ts'

const columns = [price]

/** Tests results of small queries, which are cached and shared. */
export function describeResultCache(getEngine: () => SeriesEngine): void {
  let lastDataset = 800
  let lastVersion = 1_000
  const store = (dataset: number, points: readonly SpecPoint[]) =>
    storePoints(getEngine(), dataset, ++lastVersion, columns, points)
  const few = { order: 'desc', limit: 4 } as const

  /** Returns the same rows via a query that is too large for the cache. */
  async function expectTrue(dataset: number, sids: readonly number[]): Promise<string[]> {
    const selections = [pick(dataset, sids, columns)]
    const all = await readLines(getEngine(), selections, { ...few, limit: 20_000 })
    for (const time of ['first', 'again'])
      expect(await readLines(getEngine(), selections, few), time).toEqual(all.slice(0, 5))
    return all
  }

  test('repeated queries return the data of the store: after uploads, corrections and removals, of these series and of others', async () => {
    const dataset = ++lastDataset
    await store(
      dataset,
      [1, 2].flatMap((sid) => [1, 2, 3].map((day): SpecPoint => [sid, `2024-01-0${day}`, sid + day / 10])),
    )
    expect(await expectTrue(dataset, [1, 2])).toHaveLength(7)
    await expectTrue(dataset, [2])
    await store(dataset, [[1, '2024-01-04', 9]])
    expect((await expectTrue(dataset, [1, 2]))[1]).toBe('S1,2024-01-04T00:00:00,9')
    await store(dataset, [[2, '2024-01-03', 7]])
    expect((await expectTrue(dataset, [2]))[1]).toBe('S2,2024-01-03T00:00:00,7')
    await getEngine().remove(dataset, lastVersion)
    expect((await expectTrue(dataset, [2]))[1]).toBe('S2,2024-01-03T00:00:00,2.3')
    await getEngine().removeSeries(dataset, [2])
    expect(await expectTrue(dataset, [2])).toHaveLength(1)
    await getEngine().dropDataset(dataset)
    expect(await expectTrue(dataset, [1, 2])).toHaveLength(1)
  })

  test('if one of several equal concurrent queries is aborted, the others finish; each response has its own names', async () => {
    const dataset = ++lastDataset
    await store(dataset, [[1, '2024-01-01', 5]])
    const query = { symbolKeys: ['Code'], selections: [pick(dataset, [1], columns)], ...few }
    const leaves = new AbortController()
    const left = getEngine().query(query, { signal: leaves.signal })
    const stays = readBytes(getEngine(), query)
    leaves.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect((await stays).toString()).toContain('S1,2024-01-01T00:00:00,5')
    const renamed = {
      ...query,
      selections: [{ ...query.selections[0]!, series: [{ sid: 1, symbols: ['New'] }] }],
    }
    expect((await readBytes(getEngine(), renamed)).toString()).toContain('New,2024-01-01T00:00:00,5')
  })
}
