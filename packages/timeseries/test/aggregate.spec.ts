import { call, compileExpression, number, x } from '@headwater/formula/testing'
import { describe, expect, test } from 'vitest'
import type { Aggregate } from '../src/resample-aggregate.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { Selection, SeriesQuery } from '../src/series-query.ts'
import {
  overflowsOf,
  price,
  readBytes,
  readCounted,
  readJson,
  readLines,
  settled,
  status,
  storePoints,
  volume,
  type NamedColumn,
  type SpecPoint,
} from './spec-points.ts'

const all = ['sum', 'mean', 'min', 'max', 'count', 'median', 'stddev', 'p25'] as const
const formats = ['NCSV', 'STANDARD', 'UI', 'PANDAS', 'ARROW'] as const

/** Tests the aggregation of series. */
export function describeAggregation(getEngine: () => SeriesEngine): void {
  describe('aggregated series', () => {
    /** Series with a country, which may be empty. */
    const byCountry = (
      dataset: number,
      countries: Record<number, string>,
      columns: readonly NamedColumn[] = [price],
      rest: Partial<Selection> = {},
    ): Selection => ({
      dataset,
      columns,
      series: Object.entries(countries).map(([sid, country]) => ({ sid: Number(sid), symbols: [country] })),
      ...rest,
    })
    const run = (
      selections: readonly Selection[],
      functions: Aggregate['functions'] = ['sum'],
      rest: Partial<SeriesQuery> = {},
    ) => readLines(getEngine(), selections, { symbolKeys: ['Country'], aggregate: { functions }, ...rest })
    const store = (
      dataset: number,
      points: readonly SpecPoint[],
      columns: readonly NamedColumn[] = [price],
    ) => storePoints(getEngine(), dataset, 1, columns, points)

    test('each function combines the values of a group at a timestamp and ignores missing values', async () => {
      const columns = [price, volume, status, settled]
      await store(
        360,
        [
          [1, '2024-03-01', 1, 10, 'open', Date.UTC(2024, 5, 1)],
          [2, '2024-03-01', 2.5, null, 'shut', null],
          [3, '2024-03-01', 4, 5, null, null],
          [4, '2024-03-01', 100, 7, null, null],
          [2, '2024-03-02', 3, null, null, null],
          [4, '2024-03-03', null, null, 'only', null],
        ],
        columns,
      )
      const countries = { 1: 'DE', 2: 'DE', 3: 'DE', 4: '' }
      expect(await run([byCountry(360, countries, columns)], all)).toEqual([
        [
          'Country,Date(UTC)',
          'Price_sum,Price_mean,Price_min,Price_max,Price_count(I),Price_median,Price_stddev,Price_p25',
          'Volume_sum(I),Volume_mean,Volume_min(I),Volume_max(I),Volume_count(I),Volume_median,Volume_stddev,Volume_p25',
          'Status_count(I),Settled_count(I)',
        ].join(','),
        'DE,2024-03-01T00:00:00,7.5,2.5,1,4,3,2.5,1.5,1.75,15,7.5,5,10,2,7.5,3.5355339059327378,6.25,2,1',
        'DE,2024-03-02T00:00:00,3,3,3,3,1,3,,3,,,,,0,,,,0,0',
        ',2024-03-01T00:00:00,100,100,100,100,1,100,,100,7,7,7,7,1,7,,7,0,0',
        ',2024-03-03T00:00:00,,,,,0,,,,,,,,0,,,,1,0',
      ])
      expect(await run([byCountry(360, countries, columns)], ['max'])).toEqual([
        'Country,Date(UTC),Price_max,Volume_max(I)',
        'DE,2024-03-01T00:00:00,4,10',
        'DE,2024-03-02T00:00:00,3,',
        ',2024-03-01T00:00:00,100,7',
      ])
      // A deviation needs two values.
      expect(await run([byCountry(360, countries)], ['stddev'])).toEqual([
        'Country,Date(UTC),Price_stddev',
        'DE,2024-03-01T00:00:00,1.5',
      ])
    })

    test('series of several datasets, formulas and series without points share a group; without keys all series form one group', async () => {
      await store(361, [
        [1, '2024-03-01', 1],
        [2, '2024-03-01', 2],
        [2, '2024-03-02', 20],
      ])
      await store(362, [[1, '2024-03-02', 300]])
      const double = {
        inputs: [{ dataset: 361, sid: 2, column: price }],
        join: 'inner',
        expression: compileExpression(call('multiply', x(0), number(1000))),
      } as const
      const selections = [
        byCountry(361, { 1: 'DE', 2: 'FR', 9: 'IT' }),
        byCountry(362, { 1: 'DE' }),
        byCountry(999, { 1: 'ES' }),
        byCountry(361, { 5: 'DE' }, [{ ...price, id: 900 }], { formula: double }),
      ]
      expect(await run(selections)).toEqual([
        'Country,Date(UTC),Price_sum',
        'DE,2024-03-01T00:00:00,2001',
        'DE,2024-03-02T00:00:00,20300',
        'FR,2024-03-01T00:00:00,2',
        'FR,2024-03-02T00:00:00,20',
      ])
      const keyless = selections.map((selection) => ({
        ...selection,
        series: (selection.series as { sid: number }[]).map(({ sid }) => ({ sid, symbols: [] })),
      }))
      expect(await run(keyless, ['sum', 'count'], { symbolKeys: [] })).toEqual([
        'Date(UTC),Price_sum,Price_count(I)',
        '2024-03-01T00:00:00,2003,3',
        '2024-03-02T00:00:00,20320,3',
      ])
      const ui = await readJson(getEngine(), selections, {
        symbolKeys: ['Country'],
        aggregate: { functions: ['sum'] },
        format: 'UI',
        statistics: true,
      })
      expect(ui.symbols).toEqual([{ Country: 'DE' }, { Country: 'FR' }, { Country: 'IT' }, { Country: 'ES' }])
      expect(ui.values.map(({ symbol, columns }) => [symbol, columns])).toEqual([
        [0, { Price_sum: [2001, 20300] }],
        [1, { Price_sum: [2, 20] }],
      ])
      expect(ui.statistics).toMatchObject({ 0: { count: 2 }, 1: { columns: { Price_sum: { max: 20 } } } })
    })

    test('aggregation applies after shift, filters, resampling and fill; limit, order and counts apply to the combined rows', async () => {
      const points: SpecPoint[] = [
        [1, '2024-03-01T01:00', 1],
        [1, '2024-03-01T02:00', 3],
        [1, '2024-03-02T01:00', 5],
        [2, '2024-03-01T05:00', 10],
        [2, '2024-03-02T05:00', -20],
      ]
      await store(363, points)
      const selection = byCountry(363, { 1: 'DE', 2: 'DE' })
      const spans = { unit: 'DAYS', amount: 1, functions: ['mean', 'count'] } as const
      expect(await run([selection], ['sum', 'p50'], { resample: spans })).toEqual([
        'Country,Date(UTC),Price_mean_sum,Price_mean_p50,Price_count_sum(I),Price_count_p50',
        'DE,2024-03-01T00:00:00,12,6,3,1.5',
        'DE,2024-03-02T00:00:00,-15,-7.5,2,1',
      ])
      expect((await run([selection])).slice(1)).toHaveLength(5)
      expect((await run([{ ...selection, fill: { kind: 'previous' } }])).slice(1)).toEqual([
        'DE,2024-03-01T01:00:00,1',
        'DE,2024-03-01T02:00:00,3',
        'DE,2024-03-01T05:00:00,13',
        'DE,2024-03-02T01:00:00,15',
        'DE,2024-03-02T05:00:00,-15',
      ])
      const moved = [
        byCountry(363, { 1: 'DE' }, [price], { shift: { amount: 4, unit: 'HOURS' } }),
        byCountry(363, { 2: 'DE' }),
      ]
      const filters = [{ column: 'Price', operator: 'greater', value: 0 }] as const
      expect((await run(moved, ['sum'], { filters })).slice(1)).toEqual([
        'DE,2024-03-01T05:00:00,11',
        'DE,2024-03-01T06:00:00,3',
        'DE,2024-03-02T05:00:00,5',
      ])
      const requested = { symbolKeys: ['Country'], aggregate: { functions: ['sum'] } } as const
      const page = { order: 'desc', sortBy: 'time', limit: 1, offset: 1, countRows: true } as const
      expect(await readCounted(getEngine(), moved, { ...requested, ...page })).toEqual({
        lines: ['Country,Date(UTC),Price_sum', 'DE,2024-03-01T06:00:00,3'],
        totalRows: 3,
      })
      const window = { from: Date.UTC(2024, 2, 2) }
      expect(
        (await run([{ ...selection, fill: { kind: 'previous' } }], ['sum'], { window })).slice(1),
      ).toEqual(['DE,2024-03-02T01:00:00,15', 'DE,2024-03-02T05:00:00,-15'])
    })

    test('columns without a value in any combined row are omitted, and so are columns of zero counts', async () => {
      await store(
        364,
        [
          [1, '2024-03-01', 1, null],
          [2, '2024-03-02', 2, null],
        ],
        [price, volume],
      )
      const selection = byCountry(364, { 1: 'DE', 2: 'DE' }, [price, volume])
      for (const rest of [{}, { resample: { unit: 'DAYS', amount: 1, functions: ['last'] } }] as const) {
        const name = 'resample' in rest ? 'Price_last' : 'Price'
        expect(
          await run([selection], ['sum', 'stddev', 'count'], { ...rest, skipEmptyColumns: true }),
        ).toEqual([
          `Country,Date(UTC),${name}_sum,${name}_count(I)`,
          'DE,2024-03-01T00:00:00,1,1',
          'DE,2024-03-02T00:00:00,2,1',
        ])
      }
    })

    test('in column layout each group has its own columns', async () => {
      await store(
        365,
        [
          [1, '2024-03-01', 1, 2],
          [2, '2024-03-01', 3, 4],
          [3, '2024-03-02', 5, null],
        ],
        [price, volume],
      )
      const selections = [
        byCountry(365, { 1: 'DE', 2: 'DE' }, [price]),
        byCountry(365, { 3: '' }, [volume, price]),
      ]
      expect(await run(selections, ['sum', 'count'], { layout: 'columns' })).toEqual([
        'Date(UTC),DE_Price_sum,DE_Price_count(I),Price_sum,Price_count(I),Volume_sum(I),Volume_count(I)',
        '2024-03-01T00:00:00,4,2,,,,',
        '2024-03-02T00:00:00,,,5,1,,0',
      ])
      expect(await run(selections, ['sum', 'count'], { layout: 'columns', skipEmptyColumns: true })).toEqual([
        'Date(UTC),DE_Price_sum,DE_Price_count(I),Price_sum,Price_count(I)',
        '2024-03-01T00:00:00,4,2,,',
        '2024-03-02T00:00:00,,,5,1',
      ])
    })

    test('downsampling selects points of the combined series', async () => {
      const points = [1, 2].flatMap((sid) =>
        Array.from({ length: 1000 }, (_, at): SpecPoint => {
          const instant = new Date(Date.UTC(2024, 0, 1) + at * 60_000).toISOString()
          return [sid, instant, at === 501 ? 50 : (at % 7) / 4]
        }),
      )
      await store(366, points)
      for (const functions of [['sum'], ['stddev'], ['sum', 'max']] as const) {
        const { points, values } = await readJson(getEngine(), [byCountry(366, { 1: 'DE', 2: 'DE' })], {
          symbolKeys: ['Country'],
          aggregate: { functions },
          format: 'UI',
          drawPoints: 20,
        })
        expect(points!.raw).toBe(1000)
        expect(points!.drawn).toBeLessThan(50)
        const columns = values[0]!.columns as Record<string, number[]>
        if (functions[0] === 'sum') expect(Math.max(...columns.Price_sum!)).toBe(100)
      }
    })

    test('values beyond the range of a double are empty in every format, and so are their combinations', async () => {
      await store(367, [
        [1, '2024-03-01T01:00', 1.7e308],
        [1, '2024-03-01T02:00', 1.7e308],
        [2, '2024-03-01T01:00', 1.7e308],
        [3, '2024-03-01T01:00', 5],
        [3, '2024-03-02T01:00', 6],
      ])
      const selection = byCountry(367, { 1: 'DE', 2: 'DE', 3: 'DE' })
      expect((await run([selection], ['sum', 'mean', 'max'])).slice(1)).toEqual([
        'DE,2024-03-01T01:00:00,,,1.7e308',
        'DE,2024-03-01T02:00:00,1.7e308,1.7e308,1.7e308',
        'DE,2024-03-02T01:00:00,6,6,6',
      ])
      const counted = (functions: Aggregate['functions'], rest: Partial<SeriesQuery> = {}) =>
        overflowsOf(getEngine(), [selection], { symbolKeys: ['Country'], aggregate: { functions }, ...rest })
      expect(await counted(['sum', 'mean', 'max'])).toEqual([2, 2, 2, 2, 2])
      expect(await counted(['max', 'count'])).toEqual([0, 0, 0, 0, 0])
      expect(await counted(['sum'], { limit: 1, order: 'desc' })).toEqual([1, 1, 1, 1, 1])
      const resample = { unit: 'DAYS', amount: 1, functions: ['sum'] } as const
      for (const spans of [resample, { ...resample, fill: { kind: 'previous' } } as const]) {
        const lines = await run([selection], ['sum', 'min', 'median', 'count'], { resample: spans })
        expect(lines.slice(1, 2)).toEqual(['DE,2024-03-01T00:00:00,,,,3'])
      }
      expect(await counted(['min', 'median', 'count'], { resample })).toEqual([2, 2, 2, 2, 2])
      expect(await counted(['count'], { resample })).toEqual([0, 0, 0, 0, 0])
    })

    test('combines a group of 10,000 series in every format', async () => {
      const sids = Array.from({ length: 10_000 }, (_, at) => at + 1)
      await getEngine().stage({
        dataset: 368,
        version: 1,
        columns: [price],
        batches: [0, 1].map((day) => ({
          sids: Uint32Array.from(sids),
          timestamps: Float64Array.from(sids, () => Date.UTC(2024, 2, 1 + day)),
          values: [Float64Array.from(sids, (sid) => sid)],
        })),
      })
      await getEngine().publish(368, 1)
      const even = Object.fromEntries(sids.map((sid) => [sid, sid % 2 === 0 ? 'even' : '']))
      const own = Object.fromEntries(sids.map((sid) => [sid, `S${sid}`]))
      expect(await run([byCountry(368, even)], ['sum', 'count', 'median'])).toEqual([
        'Country,Date(UTC),Price_sum,Price_count(I),Price_median',
        ...['2024-03-01', '2024-03-02'].map((day) => `,${day}T00:00:00,25000000,5000,5000`),
        ...['2024-03-01', '2024-03-02'].map((day) => `even,${day}T00:00:00,25005000,5000,5001`),
      ])
      const lines = await run([byCountry(368, own)])
      expect([lines.length, lines.at(-1)]).toEqual([20_001, 'S10000,2024-03-02T00:00:00,10000'])
      for (const format of formats) {
        const bytes = await readBytes(getEngine(), {
          symbolKeys: ['Country'],
          selections: [byCountry(368, even)],
          aggregate: { functions: ['sum'] },
          format,
        })
        expect(bytes.toString('latin1')).toContain(format === 'ARROW' ? 'Price_sum' : '25005000')
      }
    })

    test('rejects an invalid aggregate', async () => {
      const selection = byCountry(360, { 1: 'DE' })
      for (const functions of [[], ['sum', 'sum'], ['first'], ['time_weighted_mean'], ['p101'], ['mode']]) {
        const refused = run([selection], functions as Aggregate['functions'])
        await expect(refused, JSON.stringify(functions)).rejects.toMatchObject({ code: 'invalid' })
      }
      for (const rest of [
        { corrections: 'true' },
        { metadataColumns: [{ name: 'Unit', type: 'string' }] },
        { versionTexts: { name: 'File', texts: [] } },
      ] as const) {
        const refused = run([selection], ['sum'], rest)
        await expect(refused, JSON.stringify(rest)).rejects.toMatchObject({ code: 'invalid' })
      }
    })
  })
}
