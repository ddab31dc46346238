import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServerEngine, type SeriesEngine, type SeriesQuery } from '../src/index.ts'
import { describeWithServer, startChdbServer, type ChdbServer } from './chdb-server.ts'
import { pick, price, readLines, status, storePoints, volume, type SpecPoint } from './spec-points.ts'

const day = 86_400_000
const days = { unit: 'DAYS', amount: 1, functions: ['max', 'count'] } as const

describeWithServer('roll-ups', () => {
  let server: ChdbServer
  let engine: SeriesEngine
  beforeAll(async () => {
    server = await startChdbServer()
    engine = await openServerEngine({ url: server.url })
  })
  afterAll(async () => {
    await engine?.close()
    await server?.stop()
  })

  async function command(sql: string): Promise<string> {
    const response = await fetch(server.url, { method: 'POST', body: sql })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return text.trim()
  }

  async function tablesOf(dataset: number): Promise<string[]> {
    const names = await command(
      `SELECT name FROM system.tables WHERE database = 'series' AND startsWith(name, 'rollup_${dataset}_') AND comment != ''`,
    )
    return names === '' ? [] : names.split('\n')
  }

  /** Sets all maxima of a roll-up to -1, which no point has, so that results reveal their source. */
  async function mark(dataset: number): Promise<void> {
    const [table] = await tablesOf(dataset)
    await command(`ALTER TABLE series.${table} UPDATE max_c1 = -1 WHERE 1 SETTINGS mutations_sync = 2`)
  }

  async function run(dataset: number, rest: Partial<SeriesQuery> = {}): Promise<string[]> {
    const lines = await readLines(engine, [pick(dataset, [1, 2], [price])], { resample: days, ...rest })
    return lines.slice(1).map((line) => line.replaceAll('T00:00:00', ''))
  }

  async function storeDays(dataset: number, by = engine): Promise<void> {
    const points = ['2024-01-30', '2024-01-31', '2024-02-01', '2024-02-02'].flatMap((date, index) =>
      [1, 2].flatMap((sid): SpecPoint[] => [
        [sid, `${date}T00:00`, sid * 10 + index],
        [sid, `${date}T23:59:59.999`, sid],
      ]),
    )
    await storePoints(by, dataset, 1, [price], points)
  }

  test('reads days from the roll-up, and newer versions and incomplete days from the points', async () => {
    await storeDays(1)
    await engine.rollUp(1)
    await mark(1)
    const whole = ['S1', 'S2'].flatMap((code) =>
      ['01-30', '01-31', '02-01', '02-02'].map((date) => `${code},2024-${date},-1,2`),
    )
    expect(await run(1)).toEqual(whole)
    const months = { ...days, unit: 'MONTHS' } as const
    expect(await run(1, { resample: months })).toEqual([
      'S1,2024-01-01,-1,4',
      'S1,2024-02-01,-1,4',
      'S2,2024-01-01,-1,4',
      'S2,2024-02-01,-1,4',
    ])
    const from = Date.UTC(2024, 0, 30)
    expect(
      (await run(1, { range: { kind: 'BETWEEN', from: from + 1, to: from + 3 * day } })).slice(0, 4),
    ).toEqual(['S1,2024-01-30,1,1', 'S1,2024-01-31,-1,2', 'S1,2024-02-01,-1,2', 'S1,2024-02-02,13,1'])
    await storePoints(
      engine,
      1,
      2,
      [price],
      [
        [1, '2024-01-31T12:00', 50],
        [2, '2024-02-02T00:00', null],
        [2, '2024-02-03T00:00', 60],
      ],
    )
    expect(await run(1)).toEqual([
      'S1,2024-01-30,-1,2',
      'S1,2024-01-31,50,3',
      'S1,2024-02-01,-1,2',
      'S1,2024-02-02,-1,2',
      'S2,2024-01-30,-1,2',
      'S2,2024-01-31,-1,2',
      'S2,2024-02-01,-1,2',
      'S2,2024-02-02,2,1',
      'S2,2024-02-03,60,1',
    ])
    expect(await run(1, { asOf: 1 })).toEqual(whole)
    await engine.rollUp(1)
    expect((await run(1)).slice(0, 2)).toEqual(['S1,2024-01-30,-1,2', 'S1,2024-01-31,50,3'])
  })

  test('a missing dataset, missing series and missing points return no days', async () => {
    expect(await run(20)).toEqual([])
    await engine.rollUp(20)
    await storePoints(engine, 20, 1, [price], [[3, '2024-01-30', 1]])
    await engine.rollUp(20)
    expect(await run(20)).toEqual([])
    expect(await readLines(engine, [pick(20, [], [price])], { resample: days })).toHaveLength(1)
  })

  test('reads points for queries that daily roll-ups cannot serve', async () => {
    await storeDays(2)
    await storePoints(engine, 2, 2, [price], [[1, '2024-02-01T00:00', 70]])
    await engine.rollUp(2)
    await mark(2)
    const first = async (rest: Partial<SeriesQuery>) => (await run(2, rest))[0]
    expect(await first({})).toBe('S1,2024-01-30,-1,2')
    for (const rest of [
      { timeZone: 'Europe/Berlin' },
      { resample: { ...days, unit: 'HOURS', amount: 12 } },
      { asOf: 1 },
      { filters: [{ column: 'Price', operator: 'isNotEmpty' }] },
      { range: { kind: 'LAST', unit: 'VALUES', amount: 100 } },
      { range: { kind: 'BETWEEN', from: 0, to: 3_000_000 }, delta: true },
    ] as const)
      expect(await first(rest), JSON.stringify(rest)).toMatch(/^S1,2024-01-30,10,[12]$/)
    const moved = pick(2, [1], [price], { shift: { amount: 1, unit: 'DAYS' } })
    expect((await readLines(engine, [moved], { resample: days }))[1]).toBe('S1,2024-01-31T00:00:00,10,2')
  })

  test('a roll-up has columns of all types, including those added later', async () => {
    const functions = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count'] as const
    const columns = [price, volume, status]
    await storePoints(
      engine,
      3,
      1,
      [price, status],
      [
        [1, '1900-01-01', 1.5, 'a,b'],
        [1, '1969-12-31T23:59:59.999', 0.1, null],
        [1, '2299-12-31T23:59:59.999', null, 'z'],
      ],
    )
    await engine.rollUp(3)
    await storePoints(engine, 3, 2, [volume], [[1, '2024-01-01', 9_007_199_254_740_991]])
    const query = { resample: { ...days, functions } }
    const lines = await readLines(engine, [pick(3, [1], columns)], query)
    expect(lines.slice(1)).toEqual([
      'S1,1900-01-01T00:00:00,1.5,1.5,1.5,1.5,1.5,1.5,1,,,,,,,0,"a,b","a,b",1',
      'S1,1969-12-31T00:00:00,0.1,0.1,0.1,0.1,0.1,0.1,1,,,,,,,0,,,0',
      'S1,2024-01-01T00:00:00,,,,,,,0,9007199254740991,9007199254740991,9007199254740991,9007199254740991,9007199254740991,9007199254740991,1,,,0',
      'S1,2299-12-31T00:00:00,,,,,,,0,,,,,,,0,z,z,1',
    ])
    await engine.rollUp(3)
    expect(await readLines(engine, [pick(3, [1], columns)], query)).toEqual(lines)
  })

  test('a roll-up becomes invalid when points are removed, even by another server, and is rebuilt', async () => {
    const other = await openServerEngine({ url: server.url })
    try {
      await storeDays(4)
      await storePoints(engine, 4, 2, [price], [[1, '2024-01-30T12:00', 80]])
      await engine.rollUp(4)
      await mark(4)
      await other.remove(4, 2)
      expect((await run(4))[0]).toBe('S1,2024-01-30,10,2')
      await engine.rollUp(4)
      await mark(4)
      expect((await run(4))[0]).toBe('S1,2024-01-30,-1,2')
      await other.removeSeries(4, [1])
      expect((await run(4))[0]).toBe('S2,2024-01-30,20,2')
      expect(await tablesOf(4)).toHaveLength(1)
      await engine.rollUp(4)
      await mark(4)
      await engine.dropDataset(4)
      expect(await tablesOf(4)).toEqual([])
      await storeDays(4)
      expect((await run(4))[0]).toBe('S1,2024-01-30,10,2')
    } finally {
      await other.close()
    }
  })

  test('a dataset does not use the roll-up of a dropped predecessor', async () => {
    await storeDays(5)
    await engine.rollUp(5)
    await mark(5)
    // State after a server dies between dropping the dataset and dropping its concurrently built roll-up.
    await command('DROP TABLE series.dataset_5 SYNC')
    const other = await openServerEngine({ url: server.url })
    await storeDays(5, other)
    await other.close()
    expect((await run(5))[0]).toBe('S1,2024-01-30,10,2')
  })

  test('builds no roll-up while points are being removed', async () => {
    await storeDays(6)
    await command('SYSTEM STOP MERGES series.dataset_6')
    await command('DELETE FROM series.dataset_6 WHERE sid = 1 SETTINGS lightweight_deletes_sync = 0')
    await engine.rollUp(6)
    expect(await tablesOf(6)).toEqual([])
    await command('SYSTEM START MERGES series.dataset_6')
    await expect
      .poll(async () => {
        await engine.rollUp(6)
        return tablesOf(6)
      })
      .toHaveLength(1)
    expect((await run(6))[0]).toBe('S2,2024-01-30,20,2')
  })

  test('does not use an incomplete roll-up', async () => {
    await storeDays(7)
    await command(
      'CREATE TABLE series.rollup_7_half (sid UInt32, day Date32, max_c1 Nullable(Float64), count_c1 UInt64) ENGINE = MergeTree ORDER BY (sid, day)',
    )
    await command(`INSERT INTO series.rollup_7_half VALUES (1, '2024-01-30', -1, 2)`)
    expect((await run(7))[0]).toBe('S1,2024-01-30,10,2')
    await engine.rollUp(7)
    expect((await run(7))[0]).toBe('S1,2024-01-30,10,2')
  })

  test('a result continues from points when a newer roll-up replaces its own, and has the data of the query time', async () => {
    await storeDays(8)
    await engine.rollUp(8)
    await mark(8)
    const selections = [1, 2].map((sid) => pick(8, [sid], [price]))
    const { stream } = await engine.query({ symbolKeys: ['Code'], selections, resample: days })
    await storePoints(engine, 8, 2, [price], [[2, '2024-01-30T12:00', 90]])
    await engine.rollUp(8)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString().split('\n')
    expect([lines[1], lines[5]]).toEqual(['S1,2024-01-30T00:00:00,-1,2', 'S2,2024-01-30T00:00:00,20,2'])
    expect(await tablesOf(8)).toHaveLength(1)
    expect((await run(8))[4]).toBe('S2,2024-01-30,90,3')
  })

  test('a dataset with many points per day gets a roll-up automatically, one with few does not', async () => {
    const hasty = await openServerEngine({ url: server.url, rollUpAfterMs: 1 })
    const store = async (dataset: number, version: number, count: number, step: number) => {
      await hasty.stage({
        dataset,
        version,
        columns: [price],
        batches: [
          {
            sids: Uint32Array.from({ length: count }, (_, row) => 1 + Math.floor(row / 30_000)),
            timestamps: Float64Array.from(
              { length: count },
              (_, row) => version * day + (row % 30_000) * step,
            ),
            values: [Float64Array.from({ length: count }, (_, row) => row)],
          },
        ],
      })
      await hasty.publish(dataset, version)
    }
    try {
      await store(9, 1, 300_000, day)
      await store(10, 1, 300_000, 1000)
      await expect.poll(() => tablesOf(10)).toHaveLength(1)
      const [first] = await tablesOf(10)
      await store(10, 100, 100_000, 1000)
      await expect.poll(async () => (await tablesOf(10)).includes(first!)).toBe(false)
      expect(await tablesOf(9)).toEqual([])
    } finally {
      await hasty.close()
    }
  })
})
