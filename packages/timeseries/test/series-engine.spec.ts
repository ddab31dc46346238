import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesQuery, Selection } from '../src/series-query.ts'
import type { ColumnSpec, PointBatch, StageMode } from '../src/series-upload.ts'
import type { PlainValue } from './plain-table.ts'
import { ms, pick, readJson, readLines, settled, storePoints } from './spec-points.ts'

const second = 1_000_000
const day = 86_400_000
const start = Date.UTC(2023, 0, 1)

/** Park and Miller's generator, so that every run tests the same inputs. */
function createRandom(seed: number) {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  return { next, below, pick }
}

const columns: (ColumnSpec & { name: string })[] = [
  { id: 1, name: 'Close', type: 'double' },
  { id: 2, name: 'Volume', type: 'integer' },
  { id: 3, name: 'Status', type: 'string' },
  { id: 4, name: 'Settled', type: 'date' },
]

type Row = [sid: number, ts: number, ...values: PlainValue[]]

/** Returns rows as a batch with the given columns. */
export function toBatch(given: readonly ColumnSpec[], rows: readonly Row[]): PointBatch {
  return {
    sids: Uint32Array.from(rows, ([sid]) => sid),
    timestamps: Float64Array.from(rows, ([, ts]) => ts),
    values: given.map(({ type }, index) => {
      const values = rows.map((row) => (row[index + 2] ?? null) as PlainValue)
      return type === 'string'
        ? (values as (string | null)[])
        : Float64Array.from(values, (value) => (value === null ? Number.NaN : (value as number)))
    }),
  }
}

/** Formats a number from 0 on, with at most four decimals, rounded half up to two of them by integer arithmetic. */
function roundedText(value: number): string {
  const [whole, decimals = ''] = String(value).split('.')
  const units = BigInt(whole + decimals.padEnd(4, '0'))
  const hundredths = (units + 50n) / 100n
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

/** Returns the text of a result. */
export async function readText(engine: SeriesEngine, query: SeriesQuery): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function store(
  engine: SeriesEngine,
  dataset: number,
  version: number,
  given: readonly ColumnSpec[],
  rows: readonly Row[],
  mode?: StageMode,
) {
  const result = await engine.stage({
    dataset,
    version,
    columns: given,
    batches: [toBatch(given, rows)],
    mode,
  })
  await engine.publish(dataset, version)
  return result
}

function select(
  dataset: number,
  sids: readonly number[],
  requested: Selection['columns'] = columns,
): Selection {
  return { dataset, series: sids.map((sid) => ({ sid, symbols: [`S${sid}`] })), columns: requested }
}

function run(dataset: number, sids: readonly number[], rest: Partial<SeriesQuery> = {}): SeriesQuery {
  return { symbolKeys: ['Code'], selections: [select(dataset, sids)], ...rest }
}

/** Tests the contract of every adapter. `open` returns an engine on an empty database. */
export function describeSeriesEngine(name: string, open: () => Promise<SeriesEngine>): void {
  describe(name, () => {
    let engine: SeriesEngine
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine?.close())

    test('NCSV text: header, local timestamps, milliseconds only if there are any, empty cells, quotes where needed', async () => {
      await store(engine, 1, 1 * second, columns, [
        [7, Date.UTC(2022, 0, 1, 15), 1.5, 10, 'plain', Date.UTC(2022, 0, 3)],
        [7, Date.UTC(2022, 6, 1, 15, 0, 0, 7), 0.1 + 0.2, null, 'a,"b"\nc', null],
        [7, Date.UTC(2022, 6, 2), 1e-7, 9007199254740991, ' padded', null],
        [9, Date.UTC(1960, 0, 1), -1e22, -5, null, Date.UTC(1950, 0, 1)],
      ])
      const text = await readText(engine, {
        symbolKeys: ['Code', 'Ven,ue'],
        metadataColumns: [{ name: 'Unit', type: 'string' }],
        timeZone: 'America/New_York',
        selections: [
          {
            dataset: 1,
            columns,
            series: [
              { sid: 7, symbols: ['GOOG', 'NYSE'], metadata: ['USD'] },
              { sid: 9, symbols: ['A "quoted", name', ''], metadata: [''] },
            ],
          },
        ],
      })
      expect(text).toBe(
        [
          'Code,"Ven,ue",Date(America/New_York),Close,Volume(I),Status(S),Settled(D),Unit(MD-S)',
          'GOOG,NYSE,2022-01-01T10:00:00,1.5,10,plain,2022-01-02T19:00:00,USD',
          'GOOG,NYSE,2022-07-01T11:00:00.007,0.30000000000000004,,"a,""b""\nc",,USD',
          'GOOG,NYSE,2022-07-01T20:00:00,1e-7,9007199254740991," padded",,USD',
          '"A ""quoted"", name",,1959-12-31T19:00:00,-1e22,-5,,1949-12-31T19:00:00,',
          '',
        ].join('\n'),
      )
    })

    test('omits a dataset, a series or a column that does not exist', async () => {
      const requested = [columns[0]!, { id: 77, name: 'Ghost', type: 'double' as const }]
      expect(await readText(engine, run(999, [1]))).toBe(
        'Code,Date(UTC),Close,Volume(I),Status(S),Settled(D)\n',
      )
      expect(await readText(engine, run(1, []))).toBe('Code,Date(UTC),Close,Volume(I),Status(S),Settled(D)\n')
      await store(engine, 71, 1 * second, [columns[0]!], [[9, Date.UTC(1960, 0, 1), -1e22]])
      const query = run(71, [], { selections: [select(71, [9, 12345], requested)] })
      expect(await readText(engine, query)).toBe(
        'Code,Date(UTC),Close,Ghost\nS9,1960-01-01T00:00:00,-1e22,\n',
      )
      expect(await engine.statistics(999, 'all')).toEqual([])
      expect(await engine.listVersions(999)).toEqual([])
    })

    test('a newer version hides the older one, a row of empty values deletes, removing a version restores the older one', async () => {
      const close = [columns[0]!]
      await store(engine, 2, 1 * second, close, [
        [1, start, 1],
        [1, start + day, 2],
      ])
      await store(engine, 2, 2 * second, close, [
        [1, start, 10],
        [1, start + day, null],
      ])
      const read = async (rest: Partial<SeriesQuery> = {}) =>
        (await readText(engine, run(2, [1], { selections: [select(2, [1], close)], ...rest })))
          .split('\n')
          .slice(1, -1)
      expect(await read()).toEqual(['S1,2023-01-01T00:00:00,10'])
      expect(await read({ asOf: 1.5 * second })).toEqual([
        'S1,2023-01-01T00:00:00,1',
        'S1,2023-01-02T00:00:00,2',
      ])
      expect(await read({ corrections: 'history' })).toEqual([
        'S1,2023-01-01T00:00:00,1,1970-01-01T00:00:01',
        'S1,2023-01-01T00:00:00,10,1970-01-01T00:00:02',
        'S1,2023-01-02T00:00:00,2,1970-01-01T00:00:01',
      ])
      expect(await engine.listVersions(2)).toEqual([
        { version: second, rows: 2 },
        { version: 2 * second, rows: 2 },
      ])
      await engine.remove(2, 2 * second)
      expect(await read()).toEqual(['S1,2023-01-01T00:00:00,1', 'S1,2023-01-02T00:00:00,2'])
      expect(await engine.listVersions(2)).toEqual([{ version: second, rows: 2 }])
    })

    test('versions are per column: a version has only the values that its upload changed', async () => {
      const dataset = 24
      const [close, volume] = [columns[0]!, columns[1]!]
      const both = [close, volume]
      await store(engine, dataset, 1 * second, both, [
        [1, start, 1, 10],
        [1, start + day, 2, 20],
      ])
      await store(engine, dataset, 2 * second, [close], [[1, start, 3]], 'partial')
      await store(engine, dataset, 3 * second, [volume], [[1, start, 11]], 'partial')
      const read = async (requested: Selection['columns'], rest: Partial<SeriesQuery>) =>
        (
          await readText(
            engine,
            run(dataset, [1], { selections: [select(dataset, [1], requested)], ...rest }),
          )
        )
          .split('\n')
          .slice(1, -1)
          .map((line) => line.replace('S1,2023-01-0', '').replace('T00:00:00', ''))
      expect(await read(both, {})).toEqual(['1,3,11', '2,2,20'])
      expect(await read(both, { asOf: 2 * second })).toEqual(['1,3,10', '2,2,20'])
      expect(await read(both, { corrections: 'true' })).toEqual(['1,1,10', '1,3,', '1,,11', '2,2,20'])
      expect(await read([volume], { corrections: 'true' })).toEqual(['1,10', '1,11', '2,20'])
      expect(await read([close], { corrections: 'only' })).toEqual(['1,1', '1,3'])
      const since = { delta: true, range: { kind: 'BETWEEN', from: 3000 } } as const
      expect(await read(both, since)).toEqual(['1,,11'])
      expect(await read([close], since)).toEqual([])
      expect(await read([close], { ...since, range: { kind: 'BETWEEN', from: 2000 } })).toEqual(['1,3'])
      const last = { kind: 'LAST', unit: 'VALUES', amount: 1 } as const
      expect(await read([volume], { range: last, corrections: 'true' })).toEqual(['2,20'])
      expect(await read([volume], { range: last })).toEqual(['2,20'])

      // Values that later versions inherited from a removed one remain, and belong to them.
      await engine.remove(dataset, 1 * second)
      expect(await read(both, {})).toEqual(['1,3,11'])
      expect(await read(both, { corrections: 'true' })).toEqual(['1,3,10', '1,,11'])
    })

    test('uploads of changes store only changed values, also partial ones', async () => {
      const dataset = 25
      const both = [columns[0]!, columns[1]!]
      await store(engine, dataset, 1, both, [
        [1, start, 1, 10],
        [1, start + day, 2, 20],
      ])
      const given: Row[] = [
        [1, start, 1, 11],
        [1, start + day, 2, null],
      ]
      const staged = await store(engine, dataset, 2, both, given, 'partialChanges')
      expect(staged).toMatchObject({ rowsRead: 2, rowsStaged: 1 })
      expect(await store(engine, dataset, 3, both, given, 'partialChanges')).toMatchObject({ rowsStaged: 0 })
      const read = async () =>
        (
          await readText(
            engine,
            run(dataset, [1], { selections: [select(dataset, [1], both)], corrections: 'true' }),
          )
        )
          .split('\n')
          .slice(1, -1)
      expect(await read()).toEqual([
        'S1,2023-01-01T00:00:00,1,10',
        'S1,2023-01-01T00:00:00,,11',
        'S1,2023-01-02T00:00:00,2,20',
      ])
      expect(await store(engine, dataset, 4, both, given, 'changes')).toMatchObject({ rowsStaged: 1 })
      expect(await store(engine, dataset, 5, both, [[1, start, 5, 11]], 'changes')).toMatchObject({
        rowsStaged: 1,
      })
      expect(await read()).toEqual([
        'S1,2023-01-01T00:00:00,1,10',
        'S1,2023-01-01T00:00:00,,11',
        'S1,2023-01-01T00:00:00,5,',
        'S1,2023-01-02T00:00:00,2,20',
      ])
    })

    test('removed series disappear from every version and can start again; other series remain', async () => {
      const close = [columns[0]!]
      const rows = (version: number): Row[] => [
        [1, start, version],
        [2, start, version],
        [3, start + version * day, version],
      ]
      for (const version of [1, 2]) await store(engine, 23, version, close, rows(version))
      await engine.removeSeries(23, [1, 3, 99])
      await engine.removeSeries(23, [1, 3])
      expect(await engine.listVersions(23)).toEqual([
        { version: 1, rows: 1 },
        { version: 2, rows: 1 },
      ])
      expect((await engine.statistics(23, 'all')).map(({ sid, count }) => [sid, count])).toEqual([[2, 1]])
      await engine.remove(23, 2)
      await store(engine, 23, 3, close, [[1, start + day, 7]])
      const text = await readText(engine, run(23, [1, 2, 3], { selections: [select(23, [1, 2, 3], close)] }))
      expect(text.split('\n').slice(1, -1)).toEqual(['S1,2023-01-02T00:00:00,7', 'S2,2023-01-01T00:00:00,1'])
      await engine.removeSeries(4711, [1])
      await expect(engine.removeSeries(23, [0])).rejects.toMatchObject({ code: 'invalid' })
    })

    test('returns each point once after separate versions, a version with milliseconds and a revision, whatever the facts', async () => {
      const close = [columns[0]!]
      const read = async (rest: Partial<SeriesQuery> = {}) =>
        (await readText(engine, run(20, [1, 2, 3], { selections: [select(20, [1, 2, 3], close)], ...rest })))
          .split('\n')
          .slice(1, -1)
      const first = ['S1,2023-01-01T00:00:00,1', 'S2,2023-01-01T00:00:00,2']
      await store(engine, 20, 1 * second, close, [
        [1, start, 1],
        [2, start, 2],
      ])
      expect(await read()).toEqual(first)
      await store(engine, 20, 2 * second, close, [
        [1, start + day, 3],
        [2, start + day, null],
      ])
      await store(engine, 20, 3 * second, close, [[3, start, 4]])
      const apart = [first[0], 'S1,2023-01-02T00:00:00,3', first[1], 'S3,2023-01-01T00:00:00,4']
      expect(await read()).toEqual(apart)
      expect(await read({ asOf: second })).toEqual(first)
      expect(await read({ limit: 2, offset: 1 })).toEqual(apart.slice(1, 3))
      await store(engine, 20, 4 * second, close, [[2, start + 2 * day + 5, 5]])
      const withMilliseconds = apart.toSpliced(3, 0, 'S2,2023-01-03T00:00:00.005,5')
      expect(await read()).toEqual(withMilliseconds)
      await store(engine, 20, 5 * second, close, [[1, start, 6]])
      expect(await read()).toEqual(withMilliseconds.with(0, 'S1,2023-01-01T00:00:00,6'))
      expect(await read({ asOf: 4 * second })).toEqual(withMilliseconds)
      await engine.remove(20, 5 * second)
      expect(await read()).toEqual(withMilliseconds)
    })

    test('a staged version is invisible before it is published, and never visible if discarded', async () => {
      const close = [columns[0]!]
      const batches = [toBatch(close, [[1, start, 5]])]
      expect(await engine.stage({ dataset: 3, version: 1, columns: close, batches })).toEqual({
        rowsRead: 1,
        rowsStaged: 1,
        firstTimestamp: start,
        lastTimestamp: start,
      })
      expect(await engine.listVersions(3)).toEqual([])
      await engine.discard(3, 1)
      await expect(engine.publish(3, 1)).rejects.toMatchObject({ code: 'not-staged' })
      await engine.stage({ dataset: 3, version: 2, columns: close, batches })
      await engine.publish(3, 2)
      await engine.publish(3, 2)
      expect(await engine.listVersions(3)).toEqual([{ version: 2, rows: 1 }])
      await engine.dropDataset(3)
      expect(await engine.listVersions(3)).toEqual([])
      await store(engine, 3, 3, close, [[1, start, 6]])
      expect(await engine.listVersions(3)).toEqual([{ version: 3, rows: 1 }])
    })

    test('accepts a column that was added to the dataset between staging and publishing', async () => {
      await engine.stage({
        dataset: 4,
        version: 1,
        columns: [columns[0]!],
        batches: [toBatch(columns, [[1, start, 5]])].map((batch) => ({
          ...batch,
          values: batch.values.slice(0, 1),
        })),
      })
      await store(engine, 4, 2, [columns[2]!], [[2, start, 'x']])
      await engine.publish(4, 1)
      expect((await readText(engine, run(4, [1, 2]))).split('\n').slice(1, -1)).toEqual([
        'S1,2023-01-01T00:00:00,5,,,',
        'S2,2023-01-01T00:00:00,,,x,',
      ])
    })

    test('stages and publishes an upload without rows', async () => {
      expect(await engine.stage({ dataset: 5, version: 1, columns, batches: [] })).toEqual({
        rowsRead: 0,
        rowsStaged: 0,
      })
      await engine.publish(5, 1)
      expect(await engine.listVersions(5)).toEqual([])
    })

    test('rejects invalid uploads and queries', async () => {
      const wrong = (values: PointBatch['values'], sids = [1], ts = start) =>
        engine.stage({
          dataset: 6,
          version: 1,
          columns: [columns[1]!],
          batches: [{ sids: Uint32Array.from(sids), timestamps: Float64Array.of(ts), values }],
        })
      for (const action of [
        () => wrong([Float64Array.of(1.5)]),
        () => wrong([['text']]),
        () => wrong([Float64Array.of(1, 2)]),
        () => wrong([Float64Array.of(1)], [0]),
        () => wrong([Float64Array.of(1)], [1], Date.UTC(1676, 0, 1)),
        () => engine.stage({ dataset: 0, version: 1, columns, batches: [] }),
        () => engine.stage({ dataset: 6, version: 1.5, columns, batches: [] }),
        () => engine.query(run(1, [7], { timeZone: "UTC'; DROP TABLE x" })),
        () => engine.query(run(1, [7], { limit: -1 })),
        () => engine.query(run(1, [7], { decimalPrecision: 99 })),
        () => engine.query(run(1, [-7])),
        () => engine.query(run(1, [7], { range: { kind: 'LAST', amount: 0, unit: 'DAYS' } })),
        () => engine.query(run(1, [7], { range: { kind: 'BETWEEN', from: Number.NaN } })),
      ]) {
        await expect(action()).rejects.toMatchObject({ name: 'SeriesEngineError', code: 'invalid' })
      }
      await store(engine, 6, 2, [columns[0]!], [[1, start, 1]])
      await expect(store(engine, 6, 3, [{ id: 1, type: 'string' }], [[1, start, 'x']])).rejects.toMatchObject(
        { code: 'invalid' },
      )
    })

    test('hostile names, labels, values and patterns are treated as text', async () => {
      const hostile = `'"\\}{x:String}--;/*\t\r\n\u0000%s$1`.replace('\u0000', '\u0001')
      const named = [{ id: 3, name: hostile, type: 'string' as const }]
      await store(engine, 7, 1, [columns[2]!], [[1, start, hostile]])
      const query: SeriesQuery = {
        symbolKeys: [hostile],
        metadataColumns: [{ name: hostile, type: 'string' }],
        selections: [
          { dataset: 7, series: [{ sid: 1, symbols: [hostile], metadata: [hostile] }], columns: named },
        ],
      }
      const quoted = `"${hostile.replaceAll('"', '""')}"`
      const suffixed = (suffix: string) => `"${hostile.replaceAll('"', '""')}${suffix}"`
      expect(await readText(engine, query)).toBe(
        `${quoted},Date(UTC),${suffixed('(S)')},${suffixed('(MD-S)')}\n${quoted},2023-01-01T00:00:00,${quoted},${quoted}\n`,
      )
      const standard = JSON.parse(await readText(engine, { ...query, format: 'STANDARD' }))
      expect(standard.values).toEqual([
        { symbol: 0, [hostile]: hostile, Date: '2023-01-01T00:00:00', [`${hostile}_2`]: hostile },
      ])
      expect(standard.metadataMap).toEqual({ 0: { [hostile]: hostile } })
      const pandas = JSON.parse(await readText(engine, { ...query, format: 'PANDAS' }))
      expect(pandas).toEqual({ data: { '2023-01-01T00:00:00': { [`${hostile}_${hostile}`]: hostile } } })
      const ui = JSON.parse(await readText(engine, { ...query, format: 'UI' }))
      expect(ui.values).toEqual([{ symbol: 0, timestamps: [start], columns: { [hostile]: [hostile] } }])
      expect(await readText(engine, { ...query, dateFormat: "yyyy'''x'" })).toContain("2023'x")
    })

    test('returns results in the JSON formats', async () => {
      await store(engine, 8, 1, columns, [
        [1, start, 1.5, 3, 'x', start],
        [1, start + 1, null, null, 'y', null],
        [2, start, 2.5, null, null, null],
      ])
      const query: SeriesQuery = {
        symbolKeys: ['Code', 'Venue'],
        metadataColumns: [{ name: 'Unit', type: 'string' }],
        statistics: true,
        selections: [
          {
            dataset: 8,
            columns,
            series: [
              { sid: 1, symbols: ['A', 'X'], metadata: ['USD'] },
              { sid: 2, symbols: ['B', ''] },
            ],
          },
        ],
      }
      const standard = JSON.parse(await readText(engine, { ...query, format: 'STANDARD' }))
      expect(standard).toEqual({
        symbols: [{ Code: 'A', Venue: 'X' }, { Code: 'B' }],
        values: [
          {
            symbol: 0,
            Code: 'A',
            Venue: 'X',
            Date: '2023-01-01T00:00:00',
            Close: 1.5,
            Volume: 3,
            Status: 'x',
            Settled: '2023-01-01T00:00:00',
          },
          {
            symbol: 0,
            Code: 'A',
            Venue: 'X',
            Date: '2023-01-01T00:00:00.001',
            Close: null,
            Volume: null,
            Status: 'y',
            Settled: null,
          },
          {
            symbol: 1,
            Code: 'B',
            Venue: '',
            Date: '2023-01-01T00:00:00',
            Close: 2.5,
            Volume: null,
            Status: null,
            Settled: null,
          },
        ],
        data: standard.values,
        metadataMap: { 0: { Unit: 'USD' } },
        statistics: {
          0: {
            first: start,
            last: start + 1,
            count: 2,
            columns: {
              Close: {
                count: 1,
                min: 1.5,
                max: 1.5,
                mean: 1.5,
                sum: 1.5,
                stddev: null,
                first: 1.5,
                last: 1.5,
              },
              Volume: { count: 1, min: 3, max: 3, mean: 3, sum: 3, stddev: null, first: 3, last: 3 },
            },
          },
          1: {
            first: start,
            last: start,
            count: 1,
            columns: {
              Close: {
                count: 1,
                min: 2.5,
                max: 2.5,
                mean: 2.5,
                sum: 2.5,
                stddev: null,
                first: 2.5,
                last: 2.5,
              },
              Volume: {
                count: 0,
                min: null,
                max: null,
                mean: null,
                sum: null,
                stddev: null,
                first: null,
                last: null,
              },
            },
          },
        },
      })
      const ui = JSON.parse(await readText(engine, { ...query, format: 'UI', order: 'desc' }))
      expect(ui).toEqual({
        symbols: standard.symbols,
        values: [
          {
            symbol: 0,
            timestamps: [start + 1, start],
            columns: { Close: [null, 1.5], Volume: [null, 3], Status: ['y', 'x'], Settled: [null, start] },
          },
          {
            symbol: 1,
            timestamps: [start],
            columns: { Close: [2.5], Volume: [null], Status: [null], Settled: [null] },
          },
        ],
        metadataMap: standard.metadataMap,
        statistics: standard.statistics,
      })
      expect(JSON.parse(await readText(engine, { ...query, format: 'PANDAS' }))).toEqual({
        data: {
          '2023-01-01T00:00:00': {
            A_X_Close: 1.5,
            A_X_Volume: 3,
            A_X_Status: 'x',
            A_X_Settled: '2023-01-01T00:00:00',
            B_Close: 2.5,
          },
          '2023-01-01T00:00:00.001': { A_X_Status: 'y' },
        },
      })
      for (const format of ['STANDARD', 'UI', 'PANDAS'] as const) {
        const empty = JSON.parse(await readText(engine, { ...query, selections: [], format }))
        expect(format === 'PANDAS' ? empty.data : empty.values).toEqual(format === 'PANDAS' ? {} : [])
      }
    })

    test('rounds by the decimal text of a number, in all modes', async () => {
      const close = [columns[0]!]
      const inputs = [1.005, -1.005, 2.5, 1.234, 1e20, -0.001, 12]
      await store(
        engine,
        9,
        1,
        close,
        inputs.map((value, index): Row => [1, start + index * day, value]),
      )
      const expected: Record<string, string[]> = {
        HALF_UP: ['1.01', '-1.01', '2.5', '1.23', '100000000000000000000', '0', '12'],
        HALF_EVEN: ['1', '-1', '2.5', '1.23', '100000000000000000000', '0', '12'],
        UP: ['1.01', '-1.01', '2.5', '1.24', '100000000000000000000', '-0.01', '12'],
        DOWN: ['1', '-1', '2.5', '1.23', '100000000000000000000', '0', '12'],
        CEILING: ['1.01', '-1', '2.5', '1.24', '100000000000000000000', '0', '12'],
        FLOOR: ['1', '-1.01', '2.5', '1.23', '100000000000000000000', '-0.01', '12'],
      }
      for (const [roundingMode, values] of Object.entries(expected)) {
        const query = run(9, [1], {
          selections: [select(9, [1], close)],
          decimalPrecision: 2,
          roundingMode: roundingMode as SeriesQuery['roundingMode'],
        })
        const cells = (await readText(engine, query))
          .split('\n')
          .slice(1, -1)
          .map((line) => line.split(',')[2])
        expect(cells.map(Number)).toEqual(values.map(Number).map((value) => (value === 0 ? 0 : value)))
      }
    })

    test('a limit in units of time returns the newest rows of all series, not all rows of one', async () => {
      const close = [columns[0]!]
      const days = 9000
      const rowsOf = (sid: number) =>
        Array.from({ length: days }, (_, index): Row => [sid, start + index * day, index])
      await store(engine, 31, 1, close, rowsOf(1))
      await store(engine, 31, 2, close, rowsOf(2))
      for (const selections of [
        [select(31, [1, 2], close)],
        [select(31, [1], close), select(31, [2], close)],
      ]) {
        const query = run(31, [1, 2], { selections, sortBy: 'time', order: 'desc', limit: 5000 })
        const lines = (await readText(engine, query)).split('\n').slice(1, -1)
        expect(lines).toHaveLength(5000)
        expect(Number(lines.at(-1)!.split(',')[2])).toBe(days - 2500)
        expect(new Set(lines.slice(0, 2).map((line) => line.split(',')[0])).size).toBe(2)
      }
    })

    test('writes a rounded number with no more decimals than requested, however large it is', async () => {
      const close = [columns[0]!]
      const random = createRandom(7)
      const inputs = Array.from({ length: 400 }, () =>
        Number((random.next() * 10 ** random.below(12)).toFixed(4)),
      )
      await store(
        engine,
        19,
        1,
        close,
        inputs.map((value, index): Row => [1, start + index * day, value]),
      )
      const query = run(19, [1], {
        selections: [select(19, [1], close)],
        decimalPrecision: 2,
        roundingMode: 'HALF_UP',
      })
      const cells = (await readText(engine, query))
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[2])
      expect(cells).toEqual(inputs.map((value) => String(Number(roundedText(value)))))
    })

    test('returns the same result for thousands of series, which use a temporary table', async () => {
      const close = [columns[0]!]
      const sids = Array.from({ length: 3000 }, (_, index) => index + 1)
      await store(
        engine,
        10,
        1,
        close,
        sids.map((sid): Row => [sid, start, sid / 2]),
      )
      const query: SeriesQuery = {
        symbolKeys: ['Code'],
        selections: [
          {
            dataset: 10,
            columns: close,
            series: sids.map((sid) => ({ sid, symbols: [`Series, number ${sid}`] })),
          },
        ],
      }
      const lines = (await readText(engine, query)).split('\n').slice(1, -1)
      expect(lines).toEqual(sids.map((sid) => `"Series, number ${sid}",2023-01-01T00:00:00,${sid / 2}`))
      const last = await readText(engine, {
        ...query,
        range: { kind: 'LAST', amount: 1, unit: 'VALUES' },
        sortBy: 'time',
        limit: 2,
        offset: 1,
      })
      expect(last.split('\n').slice(1, -1)).toEqual(lines.slice(1, 3))
      expect(await engine.statistics(10, sids)).toHaveLength(3000)
    })

    test('returns several selections one after the other, over the union of their columns', async () => {
      await store(
        engine,
        11,
        1,
        [columns[0]!],
        [
          [1, start, 1],
          [1, start + day, 2],
        ],
      )
      await store(engine, 12, 1, [columns[2]!], [[1, start, 'x']])
      const selections = [select(12, [1], [columns[2]!]), select(11, [1], [columns[0]!])]
      const lines = async (rest: Partial<SeriesQuery>) =>
        (await readText(engine, { symbolKeys: ['Code'], selections, ...rest })).split('\n').slice(0, -1)
      expect(await lines({})).toEqual([
        'Code,Date(UTC),Status(S),Close',
        'S1,2023-01-01T00:00:00,x,',
        'S1,2023-01-01T00:00:00,,1',
        'S1,2023-01-02T00:00:00,,2',
      ])
      expect((await lines({ sortBy: 'time', order: 'desc' })).slice(1)).toEqual([
        'S1,2023-01-02T00:00:00,,2',
        'S1,2023-01-01T00:00:00,x,',
        'S1,2023-01-01T00:00:00,,1',
      ])
    })

    test('an abandoned result leaves the engine free', async () => {
      const close = [columns[0]!]
      const rows = Array.from({ length: 200_000 }, (_, index): Row => [1, start + index * 1000, index])
      await store(engine, 13, 1, close, rows)
      for (let round = 0; round < 30; round++) {
        const { stream } = await engine.query(run(13, [1], { selections: [select(13, [1], close)] }))
        for await (const _ of stream) break
      }
      const text = await readText(engine, run(13, [1], { selections: [select(13, [1], close)] }))
      expect(text.split('\n').length).toBe(200_002)
    })

    test('separates the items of a JSON result across blocks and versions', async () => {
      const close = [columns[0]!]
      for (const version of [1, 2]) {
        const first = start + version * 365 * day
        await store(
          engine,
          21,
          version * second,
          close,
          Array.from({ length: 110_000 }, (_, row): Row => [1 + (row % 2), first + row * 1000, row]),
        )
      }
      const query = run(21, [1, 2], { selections: [select(21, [1, 2], close)] })
      const standard = JSON.parse(await readText(engine, { ...query, format: 'STANDARD' }))
      expect([standard.values.length, standard.data.length]).toEqual([220_000, 220_000])
      const pandas = JSON.parse(await readText(engine, { ...query, format: 'PANDAS' }))
      expect(Object.keys(pandas.data)).toHaveLength(220_000)
      const ui = JSON.parse(await readText(engine, { ...query, format: 'UI' }))
      expect(ui.values.map((item: { timestamps: number[] }) => item.timestamps.length)).toEqual([
        110_000, 110_000,
      ])
    })

    test.each([
      ['yyyy,MM', '2023,01'],
      ['yyyy"', '2023"'],
      ['yyyy\\', '2023\\'],
      ["yyyy'\n'MM", '2023\n01'],
      ["' 'yyyy", ' 2023'],
      ['dd.MM.yyyy HH:mm:ss.SSS', '01.01.2023 00:00:00.000'],
      ["EEEE, d MMM ''yy", "Sunday, 1 Jan '23"],
    ])('writes a date as %j as one cell and one text', async (dateFormat, text) => {
      const close = [columns[0]!]
      await engine.dropDataset(22)
      await store(engine, 22, second, close, [[1, start, 1]])
      const query = run(22, [1], { selections: [select(22, [1], close)], dateFormat })
      const cell = /[",\n]|^ /.test(text) ? `"${text.replaceAll('"', '""')}"` : text
      expect(await readText(engine, query)).toBe(`Code,Date(UTC),Close\nS1,${cell},1\n`)
      const history = JSON.parse(
        await readText(engine, { ...query, format: 'STANDARD', corrections: 'history' }),
      )
      expect(history.values[0].Date).toBe(text)
      expect(history.values[0].InsertTime).toEqual(expect.any(String))
      const pandas = JSON.parse(await readText(engine, { ...query, format: 'PANDAS' }))
      expect(pandas).toEqual({ data: { [text]: { S1_Close: 1 } } })
    })

    test.each([
      ["'", 'not closed'],
      ["'x", 'not closed'],
      ['yyyy-Q', 'letter Q'],
      ['W', 'letter W'],
      ['n', 'letter n'],
      ['A', 'letter A'],
      ['XXX', 'letter X'],
      ['ZZZ', 'letter Z'],
      ['VV', 'letter V'],
      ['z', 'zzzz'],
      ['1 OR 1=1', 'letter O'],
      ['y'.repeat(101), 'at most 100'],
    ])('rejects the date pattern %j', async (dateFormat, text) => {
      await expect(engine.query(run(1, [7], { dateFormat }))).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(text),
      })
    })

    test('finds a zone regardless of case and by names the engine lacks, and preserves its given name otherwise', async () => {
      const header = async (timeZone: string) =>
        /Date\((.*?)\)/.exec(await readText(engine, run(1, [7], { timeZone })))?.[1]
      expect(await header('utc')).toBe('UTC')
      expect(await header('America/new_york')).toBe('America/New_York')
      expect(await header('US/Pacific-New')).toBe('America/Los_Angeles')
      expect(await header('Asia/Kolkata')).toBe('Asia/Kolkata')
      await expect(engine.query(run(1, [7], { timeZone: 'SystemV/EST5' }))).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('SystemV/EST5'),
      })
    })

    test('texts include the seconds of old UTC offsets', async () => {
      const instants = ['1900-01-01', '1909-12-31T23:59:50', '1930-06-01T12:00:00.250', '1960-01-01T00:00:30']
      await engine.dropDataset(71)
      await storePoints(
        engine,
        71,
        1,
        [settled],
        [...instants, '2023-06-01T12:00'].map((instant) => [1, instant, ms(instant)] as const),
      )
      for (const [timeZone, ...texts] of [
        [
          'Europe/Paris',
          '1900-01-01T00:09:21',
          '1910-01-01T00:09:11',
          '1930-06-01T13:00:00.250',
          '1960-01-01T01:00:30',
        ],
        [
          'Europe/Dublin',
          '1899-12-31T23:34:39',
          '1909-12-31T23:34:29',
          '1930-06-01T13:00:00.250',
          '1960-01-01T00:00:30',
        ],
        [
          'Asia/Kathmandu',
          '1900-01-01T05:41:16',
          '1910-01-01T05:41:06',
          '1930-06-01T17:30:00.250',
          '1960-01-01T05:30:30',
        ],
        [
          'Africa/Monrovia',
          '1899-12-31T23:16:52',
          '1909-12-31T23:16:42',
          '1930-06-01T11:15:30.250',
          '1959-12-31T23:16:00',
        ],
      ] as const) {
        const range = { kind: 'BETWEEN', to: ms('2000-01-01') } as const
        const lines = await readLines(engine, [pick(71, [1], [settled])], { timeZone, range })
        expect(lines.slice(1)).toEqual(texts.map((text) => `S1,${text},${text}`))
        const { values } = await readJson(engine, [pick(71, [1], [settled])], {
          timeZone,
          range,
          format: 'STANDARD',
        })
        expect(values.map(({ Date: date, Settled }) => [date, Settled])).toEqual(
          texts.map((text) => [text, text]),
        )
        const dateFormat = "yyyy-MM-dd'T'HH:mm:ss 'z' zzzz"
        const patterned = await readLines(engine, [pick(71, [1], [settled])], { timeZone, range, dateFormat })
        expect(patterned.slice(1)).toEqual(
          texts.map((text) => `S1,${text.slice(0, 19)} z ${timeZone},${text}`),
        )
      }
      const newest = await readLines(engine, [pick(71, [1], [settled])], {
        timeZone: 'Asia/Kathmandu',
        range: { kind: 'BETWEEN', from: ms('2000-01-01') },
      })
      expect(newest.slice(1)).toEqual(['S1,2023-06-01T17:45:00,2023-06-01T17:45:00'])
    })

    test('clamps timestamps beyond the stored years to the ends', async () => {
      const all = await readText(engine, run(1, [7]))
      const far = Date.UTC(9999, 11, 31)
      expect(await readText(engine, run(1, [7], { asOf: far * 1000 }))).toBe(all)
      const between = (from: number | undefined, to: number | undefined) =>
        readText(engine, run(1, [7], { delta: true, range: { kind: 'BETWEEN', from, to } }))
      expect(await between(undefined, far)).toBe(all)
      expect((await between(far, undefined)).split('\n')).toHaveLength(2)
    })

    test('a delta ends with the last microsecond of its end', async () => {
      const close = [columns[0]!]
      await store(engine, 72, start * 1000 + 5, close, [[1, day, 1]])
      const changedIn = async (from: number, to: number) => {
        const selections = [select(72, [1], close)]
        const range = { kind: 'BETWEEN' as const, from, to }
        return (await readText(engine, run(72, [1], { selections, delta: true, range })))
          .split('\n')
          .slice(1, -1)
      }
      expect(await changedIn(start - 1, start)).toEqual(['S1,1970-01-02T00:00:00,1'])
      expect(await changedIn(start - 1, start - 1)).toEqual([])
      expect(await changedIn(start, start)).toEqual(['S1,1970-01-02T00:00:00,1'])
    })
  })
}
