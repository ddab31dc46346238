import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ResultCache, type SmallQuery } from '../src/result-cache.ts'
import { openEmbeddedEngine, type SeriesEngine, type SeriesQuery } from '../src/index.ts'
import { pick, price, settled, status, storePoints } from './spec-points.ts'

// Statements return more rows than the engine's own cache would hold.
let folder: string
let engine: SeriesEngine
/** Signals of the statements that the cache has started. */
let requested: AbortSignal[] = []
/** Condition that a statement waits for before it starts. */
let gate: Promise<void> = Promise.resolve()
let cache: ResultCache
let lastVersion = 0

const dataset = 1
const store = (sid: number, value: number) =>
  storePoints(engine, dataset, ++lastVersion, [price], [[sid, '2024-01-01', value]])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'series-answers-'))
  engine = await openEmbeddedEngine({ folder })
  await storePoints(
    engine,
    dataset,
    ++lastVersion,
    [price],
    [1, 2, 3].map((sid) => [sid, '2024-01-01', sid]),
  )
})
afterAll(async () => {
  await engine?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  requested = []
  gate = Promise.resolve()
  const read = async (query: SeriesQuery, signal: AbortSignal) => {
    requested.push(signal)
    await gate
    return engine.query({ ...query, limit: 100_000 }, { signal })
  }
  cache = new ResultCache(read, { isEnabled: true })
})

const smallQuery = (sids: readonly number[]): SeriesQuery => ({
  symbolKeys: ['Code'],
  selections: [pick(dataset, sids, [price])],
  limit: 10,
})

/** Returns the lines of the result without the header. */
async function read(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
  if (!cache.accepts(query)) throw new Error('The cache does not accept the query.')
  const chunks: Uint8Array[] = []
  for await (const chunk of (await cache.run(query, signal)).stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString().split('\n').slice(1, -1)
}

test('reads a result once and caches it until points of its series change', async () => {
  for (const _ of [1, 2, 3]) expect(await read(smallQuery([1]))).toEqual(['S1,2024-01-01T00:00:00,1'])
  expect(await read(smallQuery([2]))).toEqual(['S2,2024-01-01T00:00:00,2'])
  expect(requested).toHaveLength(2)

  await cache.change(dataset, { firstSid: 2, lastSid: 3 }, () => store(2, 20))
  expect(await read(smallQuery([2]))).toEqual(['S2,2024-01-01T00:00:00,20'])
  expect(await read(smallQuery([1]))).toEqual(['S1,2024-01-01T00:00:00,1'])
  expect(requested).toHaveLength(3)

  await cache.change(dataset + 1, 'all', () => Promise.resolve())
  await read(smallQuery([2]))
  expect(requested).toHaveLength(3)
  await cache.change(dataset, 'all', () => Promise.resolve())
  await read(smallQuery([2]))
  expect(requested).toHaveLength(4)
})

test('returns a result read during a change, but does not cache it, even if the change fails', async () => {
  for (const change of [() => store(3, 30), () => Promise.reject(new Error('disk full'))]) {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const before = requested.length
    const early = read(smallQuery([3]))
    const changed = cache.change(dataset, { firstSid: 3, lastSid: 3 }, change).catch(() => undefined)
    await changed
    const late = read(smallQuery([3]))
    expect(requested).toHaveLength(before + 2)
    opened.resolve()
    expect(await early).toHaveLength(1)
    expect(await late).toEqual(['S3,2024-01-01T00:00:00,30'])
    await read(smallQuery([3]))
    expect(requested).toHaveLength(before + 2)
    await cache.change(dataset, 'all', () => Promise.resolve())
  }
})

test('one statement serves all concurrent queries; it continues while one of them waits and stops when the last one leaves', async () => {
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  const leavers = [new AbortController(), new AbortController()]
  const left = leavers.map(({ signal }) => read(smallQuery([1]), signal))
  const stays = read(smallQuery([1]))
  expect(requested).toHaveLength(1)
  for (const [index, leaver] of leavers.entries()) {
    leaver.abort(new Error('gone'))
    await expect(left[index]).rejects.toThrow('gone')
  }
  expect(requested[0]!.aborted).toBe(false)
  opened.resolve()
  expect(await stays).toHaveLength(1)

  gate = new Promise(() => undefined)
  const alone = new AbortController()
  const reading = read(smallQuery([2]), alone.signal)
  alone.abort(new Error('gone'))
  await expect(reading).rejects.toThrow('gone')
  expect(requested[1]!.aborted).toBe(true)
  gate = Promise.resolve()
  expect(await read(smallQuery([2]))).toHaveLength(1)
  expect(requested).toHaveLength(3)
})

test('a failed statement rejects all waiting queries, and the next query runs a new one', async () => {
  const failed = Promise.withResolvers<void>()
  gate = failed.promise
  const both = [read(smallQuery([1])), read(smallQuery([1]))]
  failed.reject(new Error('the engine was killed'))
  for (const each of both) await expect(each).rejects.toThrow('the engine was killed')
  gate = Promise.resolve()
  expect(await read(smallQuery([1]))).toHaveLength(1)
  expect(requested).toHaveLength(2)
})

const named = (symbol: string) => ({ series: [{ sid: 1, symbols: [symbol] }] })
const manySids = Array.from({ length: 101 }, (_, index) => index + 1)
const refused: Record<string, Partial<SeriesQuery>> = {
  'texts, of any length': { selections: [pick(dataset, [1], [status])] },
  'long symbols': { selections: [pick(dataset, [1], [price], named('x'.repeat(201)))] },
  'long metadata': {
    selections: [
      pick(dataset, [1], [price], {
        series: [{ sid: 1, symbols: ['S1'], metadata: ['x'.repeat(101), 'x'.repeat(100)] }],
      }),
    ],
  },
  'long names of columns': { selections: [pick(dataset, [1], [{ ...price, name: 'x'.repeat(201) }])] },
  'many series': { selections: [pick(dataset, manySids, [price])] },
  'many rows': { limit: 60_001 },
  'no end of rows': { limit: undefined },
  'a row of many columns': {
    layout: 'columns',
    limit: 1_000,
    selections: [pick(dataset, manySids.slice(0, 61), [price])],
  },
  'later pages': { offset: 10 },
  'a range from the current time on': { range: { kind: 'NEXT', amount: 5, unit: 'VALUES', anchor: 0 } },
  'days of a calendar': { calendar: { workingDays: [1, 2], holidays: [] } as never },
  'what changed since': { delta: true as never },
}
test.each(Object.entries(refused))('does not cache results for %s', (_name, part) => {
  expect(cache.accepts({ ...smallQuery([1]), ...part })).toBe(false)
})

test.each([
  ['rows', { limit: 60_000 }],
  ['drawn points', { limit: undefined, drawPoints: 60_000 }],
  ['dates', { selections: [pick(dataset, [1], [settled])] }],
  ['symbols', { selections: [pick(dataset, [1], [price], named('x'.repeat(200)))] }],
] as [string, Partial<SmallQuery>][])('caches a result of the maximum number of %s', (_name, part) => {
  expect(cache.accepts({ ...smallQuery([1]), ...part })).toBe(true)
})

test('caches nothing if other servers can write', () => {
  const cache = new ResultCache((query, signal) => engine.query(query, { signal }), { isEnabled: false })
  expect(cache.accepts(smallQuery([1]))).toBe(false)
})
