import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { StageMode } from '../src/series-upload.ts'
import { Random } from './random-world.ts'
import {
  pick,
  price,
  readLines,
  settled,
  status,
  storePoints,
  volume,
  type NamedColumn,
  type SpecPoint,
} from './spec-points.ts'

const columns = [price, volume, settled]
const last = { range: { kind: 'LAST', unit: 'VALUES', amount: 3 } } as const
const dayMs = 86_400_000
/** Options that change nothing, but exclude a query from the cache of newest points. */
const always = { asOf: Date.UTC(2200, 0, 1) * 1000, calendar: { weekend: [6, 7], holidays: [] } }
const unkept = { ...last, ...always }

/** Tests the newest points, which are cached and read for many queries together. */
export function describeNewestPoints(getEngine: () => SeriesEngine): void {
  let lastDataset = 700
  let lastVersion = 1_000
  const store = (dataset: number, points: readonly SpecPoint[]) =>
    storePoints(getEngine(), dataset, ++lastVersion, columns, points)

  async function expectTrue(dataset: number, sids: readonly number[]): Promise<string[]> {
    const selections = [pick(dataset, sids, columns)]
    const lines = await readLines(getEngine(), selections, last)
    expect(lines).toEqual(await readLines(getEngine(), selections, unkept))
    for (const limit of [1, 3, 5000]) {
      const limited = { sortBy: 'time', order: 'desc', limit } as const
      expect(await readLines(getEngine(), selections, { ...last, ...limited })).toEqual(
        await readLines(getEngine(), selections, { ...unkept, ...limited }),
      )
    }
    return lines
  }

  test('returns the newest points of the store: repeatedly, after uploads, corrections and removals', async () => {
    const dataset = ++lastDataset
    const points = [1, 2, 3].flatMap((sid) =>
      [1, 2, 3, 4, 5].map((day): SpecPoint => [sid, `2024-01-0${day}`, sid + day / 10, null, null]),
    )
    await store(dataset, points)
    expect(await expectTrue(dataset, [2])).toEqual([
      'Code,Date(UTC),Price,Volume(I),Settled(D)',
      'S2,2024-01-03T00:00:00,2.3,,',
      'S2,2024-01-04T00:00:00,2.4,,',
      'S2,2024-01-05T00:00:00,2.5,,',
    ])
    await expectTrue(dataset, [3, 1, 2, 2])
    await store(dataset, [[2, '2024-01-06', 9, 7, null]])
    expect((await expectTrue(dataset, [1, 2])).at(-1)).toBe('S2,2024-01-06T00:00:00,9,7,')
    await store(dataset, [[2, '2024-01-06', null, null, null]])
    expect((await expectTrue(dataset, [2])).at(-1)).toBe('S2,2024-01-05T00:00:00,2.5,,')
    await getEngine().remove(dataset, lastVersion)
    expect((await expectTrue(dataset, [2])).at(-1)).toBe('S2,2024-01-06T00:00:00,9,7,')
    await getEngine().removeSeries(dataset, [2])
    expect(await expectTrue(dataset, [2])).toHaveLength(1)
    expect(await expectTrue(dataset, [1, 2, 3])).toHaveLength(7)
    await getEngine().dropDataset(dataset)
    expect(await expectTrue(dataset, [1])).toHaveLength(1)
  })

  test('returns current symbols and metadata with the newest points, quoted where needed', async () => {
    const dataset = ++lastDataset
    await store(dataset, [
      [1, '2024-01-01', 1, 2, null],
      [1, '2024-01-02', 3, 4, null],
    ])
    const run = (symbol: string, note: string) =>
      readLines(
        getEngine(),
        [{ dataset, columns: [price], series: [{ sid: 1, symbols: [symbol, ''], metadata: [note] }] }],
        { ...last, symbolKeys: ['Co,de', 'Venue'], metadataColumns: [{ name: 'Note', type: 'string' }] },
      )
    expect(await run('a', 'x')).toEqual([
      '"Co,de",Venue,Date(UTC),Price,Note(MD-S)',
      'a,,2024-01-01T00:00:00,1,x',
      'a,,2024-01-02T00:00:00,3,x',
    ])
    expect(await run('$& "b"', '$1,')).toEqual([
      '"Co,de",Venue,Date(UTC),Price,Note(MD-S)',
      '"$& ""b""",,2024-01-01T00:00:00,1,"$1,"',
      '"$& ""b""",,2024-01-02T00:00:00,3,"$1,"',
    ])
  })

  test('supports names with line breaks, and a series without a value in the requested column', async () => {
    const dataset = ++lastDataset
    await store(dataset, [[1, '2024-01-01', 1, null, null]])
    const run = async (column: typeof volume) => {
      const lines = await readLines(getEngine(), [pick(dataset, [1], [column])], last)
      return lines.join('\n')
    }
    expect(await run({ ...volume, name: 'a\nb' })).toBe('Code,Date(UTC),"a\nb(I)"')
    expect(await run({ ...price, name: 'a\nb' })).toBe('Code,Date(UTC),"a\nb"\nS1,2024-01-01T00:00:00,1')
    expect(await run(volume)).toBe('Code,Date(UTC),Volume(I)')
  })

  test('concurrent queries during an upload never return less than was acknowledged before them', async () => {
    const dataset = ++lastDataset
    const sids = Array.from({ length: 40 }, (_, index) => index + 1)
    const upload = (price: number) =>
      store(
        dataset,
        sids.map((sid): SpecPoint => [sid, '2024-01-01', price, null, null]),
      )
    await upload(0)
    let acknowledged = 0
    let isWriting = true
    const writing = (async () => {
      for (let round = 1; round <= 8; round++) {
        await upload(round)
        acknowledged = round
      }
      isWriting = false
    })()
    const readers = sids.map(async (sid) => {
      while (isWriting) {
        // Cached results resolve immediately, but the upload needs the event loop.
        await nextTurn()
        const least = acknowledged
        const [, line] = await readLines(getEngine(), [pick(dataset, [sid], columns)], last)
        expect(Number(line!.split(',')[2])).toBeGreaterThanOrEqual(least)
      }
      expect((await readLines(getEngine(), [pick(dataset, [sid], columns)], last))[1]).toContain(',8,')
    })
    await Promise.all([writing, ...readers])
  })

  test('returns the newest points of the store after any changes between queries', async () => {
    const random = new Random(23)
    const dataset = ++lastDataset
    const engine = getEngine()
    let columnCount = 3
    const allColumns = (): NamedColumn[] => [
      price,
      volume,
      settled,
      status,
      ...Array.from({ length: columnCount - 3 }, (_, index): NamedColumn => ({
        id: 10 + index,
        name: `Extra ${index}`,
        type: 'double',
      })),
    ]
    const upload = async (mode?: StageMode) => {
      if (random.chance(0.1)) columnCount++
      const given = random.some(allColumns(), 0.7)
      const points = createPoints(random, given)
      if (random.chance(0.1)) points.reverse()
      await storePoints(engine, dataset, ++lastVersion, given, points, mode)
    }
    await upload()
    for (let step = 0; step < 40; step++) {
      const kind = random.below(20)
      if (kind === 0) await engine.remove(dataset, lastVersion - random.below(3))
      else if (kind === 1) await engine.removeSeries(dataset, [1 + random.below(6)])
      else if (kind === 2) await upload('partial')
      else if (kind === 3) await upload(random.pick(['changes', 'partialChanges'] as const))
      else if (kind < 12) await upload()
      const requested = random.some(
        allColumns().filter(({ type }) => type !== 'string'),
        0.4,
      )
      const sids = random.some([1, 2, 3, 4, 5, 6, 7], 0.4)
      const query = {
        range: { kind: 'LAST', unit: 'VALUES', amount: random.pick([1, 3, 400, 999, 1000]) },
        order: random.pick(['asc', 'desc'] as const),
      } as const
      const selections = [pick(dataset, sids, requested)]
      expect(await readLines(engine, selections, query), `step ${step}`).toEqual(
        await readLines(engine, selections, { ...query, ...always }),
      )
    }
  })
}

/** Creates sorted rows of some series: a few, or more than a tail can contain. */
function createPoints(random: Random, columns: readonly NamedColumn[]): SpecPoint[] {
  return random.some([1, 2, 3, 4, 5, 6], 0.4).flatMap((sid) => {
    const from = Date.UTC(2020, 0, 1) + random.below(40) * dayMs
    const count = random.pick([1, 2, 30, 1100])
    const step = random.pick([dayMs, 3 * dayMs, 60_000])
    return Array.from({ length: count }, (_, index): SpecPoint => {
      const values = columns.map(({ type }) => {
        if (random.chance(0.3)) return null
        if (type === 'string') return 'open'
        if (type === 'date') return from
        return type === 'integer'
          ? random.below(1000) - 500
          : random.below(100_000) / random.pick([1, 100, 7])
      })
      return [sid, new Date(from + index * step).toISOString(), ...values]
    })
  })
}
