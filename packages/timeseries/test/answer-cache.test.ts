import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AnswerCache, type SmallQuery } from '../src/answer-cache.ts'
import { openEmbeddedEngine, type SeriesEngine, type SeriesQuery } from '../src/index.ts'
import { pick, price, settled, status, storePoints } from './spec-points.ts'

// Statements ask for more rows than the engine's own cache would hold an answer of.
let folder: string
let engine: SeriesEngine
/** Signals of the statements that the cache has asked for. */
let asked: AbortSignal[] = []
/** What a statement waits for before it begins. */
let gate: Promise<void> = Promise.resolve()
let cache: AnswerCache
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
}, 60_000)
afterAll(async () => {
  await engine?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  gate = Promise.resolve()
  const read = async (query: SeriesQuery, signal: AbortSignal) => {
    asked.push(signal)
    await gate
    return engine.query({ ...query, limit: 100_000 }, { signal })
  }
  cache = new AnswerCache(read, { keeps: true })
})

const question = (sids: readonly number[]): SeriesQuery => ({
  symbolKeys: ['Code'],
  selections: [pick(dataset, sids, [price])],
  limit: 10,
})

/** The lines of the answer without the header. */
async function answer(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
  if (!cache.accepts(query)) throw new Error('The cache does not accept the question.')
  const chunks: Uint8Array[] = []
  for await (const chunk of (await cache.answer(query, signal)).stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString().split('\n').slice(1, -1)
}

test('an answer is read once and kept, until points of its series change', async () => {
  for (const _ of [1, 2, 3]) expect(await answer(question([1]))).toEqual(['S1,2024-01-01T00:00:00,1'])
  expect(await answer(question([2]))).toEqual(['S2,2024-01-01T00:00:00,2'])
  expect(asked).toHaveLength(2)

  await cache.change(dataset, { firstSid: 2, lastSid: 3 }, () => store(2, 20))
  expect(await answer(question([2]))).toEqual(['S2,2024-01-01T00:00:00,20'])
  expect(await answer(question([1]))).toEqual(['S1,2024-01-01T00:00:00,1'])
  expect(asked).toHaveLength(3)

  await cache.change(dataset + 1, 'all', () => Promise.resolve())
  await answer(question([2]))
  expect(asked).toHaveLength(3)
  await cache.change(dataset, 'all', () => Promise.resolve())
  await answer(question([2]))
  expect(asked).toHaveLength(4)
})

test('an answer that was read across a change is given to who waits for it and not kept, also when the change fails', async () => {
  for (const change of [() => store(3, 30), () => Promise.reject(new Error('disk full'))]) {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const before = asked.length
    const early = answer(question([3]))
    const changed = cache.change(dataset, { firstSid: 3, lastSid: 3 }, change).catch(() => undefined)
    await changed
    const late = answer(question([3]))
    expect(asked).toHaveLength(before + 2)
    opened.resolve()
    expect(await early).toHaveLength(1)
    expect(await late).toEqual(['S3,2024-01-01T00:00:00,30'])
    await answer(question([3]))
    expect(asked).toHaveLength(before + 2)
    await cache.change(dataset, 'all', () => Promise.resolve())
  }
})

test('one statement answers all who ask at once; it goes on while one of them waits and stops when the last has left', async () => {
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  const leavers = [new AbortController(), new AbortController()]
  const left = leavers.map(({ signal }) => answer(question([1]), signal))
  const stays = answer(question([1]))
  expect(asked).toHaveLength(1)
  for (const [index, leaver] of leavers.entries()) {
    leaver.abort(new Error('gone'))
    await expect(left[index]).rejects.toThrow('gone')
  }
  expect(asked[0]!.aborted).toBe(false)
  opened.resolve()
  expect(await stays).toHaveLength(1)

  gate = new Promise(() => undefined)
  const alone = new AbortController()
  const answered = answer(question([2]), alone.signal)
  alone.abort(new Error('gone'))
  await expect(answered).rejects.toThrow('gone')
  expect(asked[1]!.aborted).toBe(true)
  gate = Promise.resolve()
  expect(await answer(question([2]))).toHaveLength(1)
  expect(asked).toHaveLength(3)
})

test('a statement that fails tells all who wait, and the next one asks anew', async () => {
  const failed = Promise.withResolvers<void>()
  gate = failed.promise
  const both = [answer(question([1])), answer(question([1]))]
  failed.reject(new Error('the engine was killed'))
  for (const each of both) await expect(each).rejects.toThrow('the engine was killed')
  gate = Promise.resolve()
  expect(await answer(question([1]))).toHaveLength(1)
  expect(asked).toHaveLength(2)
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
  'a range from this moment on': { range: { kind: 'NEXT', amount: 5, unit: 'VALUES', anchor: 0 } },
  'days of a calendar': { calendar: { workingDays: [1, 2], holidays: [] } as never },
  'what changed since': { delta: true as never },
}
test.each(Object.entries(refused))('no answer is held for %s', (_name, part) => {
  expect(cache.accepts({ ...question([1]), ...part })).toBe(false)
})

test.each([
  ['rows', { limit: 60_000 }],
  ['drawn points', { limit: undefined, drawPoints: 60_000 }],
  ['dates', { selections: [pick(dataset, [1], [settled])] }],
  ['symbols', { selections: [pick(dataset, [1], [price], named('x'.repeat(200)))] }],
] as [string, Partial<SmallQuery>][])('an answer of as many %s as may be is held', (_name, part) => {
  expect(cache.accepts({ ...question([1]), ...part })).toBe(true)
})

test('nothing is kept where others may write as well', () => {
  const cache = new AnswerCache((query, signal) => engine.query(query, { signal }), { keeps: false })
  expect(cache.accepts(question([1]))).toBe(false)
})
