import { describe, expect, test } from 'vitest'
import type { Resample } from '../src/resample-aggregate.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import {
  ms,
  overflowsOf,
  pick,
  price,
  readJson,
  readLines,
  settled,
  status,
  storePoints,
  volume,
  type NamedColumn,
  type SpecPoint,
} from './spec-points.ts'

const all = ['first', 'last', 'min', 'max', 'mean', 'sum', 'count'] as const

/** Tests resampling to spans of time. */
export function describeResampling(getEngine: () => SeriesEngine): void {
  describe('resampling', () => {
    const run = (
      dataset: number,
      resample: Partial<Resample>,
      rest: Partial<SeriesQuery> & { columns?: NamedColumn[]; sids?: number[] } = {},
    ) => {
      const { columns = [price], sids = [1], ...query } = rest
      return readLines(getEngine(), [pick(dataset, sids, columns)], {
        resample: { unit: 'DAYS', amount: 1, functions: ['sum'], ...resample },
        ...query,
      })
    }
    const store = (
      dataset: number,
      points: readonly SpecPoint[],
      columns: readonly NamedColumn[] = [price],
    ) => storePoints(getEngine(), dataset, 1, columns, points)

    test('computes every function of every type, column by column; empty cells and deleted points are ignored', async () => {
      const columns = [price, volume, status, settled]
      const june = ms('2024-06-01')
      await store(
        300,
        [
          [1, '2024-03-01T09:00', 2.5, 10, 'open', null],
          [1, '2024-03-01T12:00', null, 4, null, june],
          [1, '2024-03-01T23:59:59.999', 1, 7, 'shut', null],
          [1, '2024-03-02T00:00', 8, null, null, null],
          [1, '2024-03-03T00:00', 99, 99, 'gone', june],
          [2, '2024-03-01T10:00', null, 3, null, null],
        ],
        columns,
      )
      await storePoints(getEngine(), 300, 2, columns, [
        [1, '2024-03-03T00:00', null, null, null, null],
        [2, '2024-03-01T11:00', null, -5, 'a,b', null],
      ])
      expect(await run(300, { functions: all }, { columns, sids: [1, 2] })).toEqual([
        [
          'Code,Date(UTC)',
          'Price_first,Price_last,Price_min,Price_max,Price_mean,Price_sum,Price_count(I)',
          'Volume_first(I),Volume_last(I),Volume_min(I),Volume_max(I),Volume_mean,Volume_sum(I),Volume_count(I)',
          'Status_first(S),Status_last(S),Status_count(I)',
          'Settled_first(D),Settled_last(D),Settled_count(I)',
        ].join(','),
        'S1,2024-03-01T00:00:00,2.5,1,1,2.5,1.75,3.5,2,10,7,4,10,7,21,3,open,shut,2,2024-06-01T00:00:00,2024-06-01T00:00:00,1',
        'S1,2024-03-02T00:00:00,8,8,8,8,8,8,1,,,,,,,0,,,0,,,0',
        'S2,2024-03-01T00:00:00,,,,,,,0,3,-5,-5,3,-1,-2,2,"a,b","a,b",1,,,0',
      ])
      expect(
        await run(300, { functions: ['max', 'count'] }, { columns: [status, price], sids: [1, 2] }),
      ).toEqual([
        'Code,Date(UTC),Status_count(I),Price_max,Price_count(I)',
        'S1,2024-03-01T00:00:00,2,2.5,2',
        'S1,2024-03-02T00:00:00,0,8,1',
        'S2,2024-03-01T00:00:00,1,,0',
      ])
      expect(await run(300, { functions: ['mean'] }, { columns: [status, price], sids: [1, 2] })).toEqual([
        'Code,Date(UTC),Price_mean',
        'S1,2024-03-01T00:00:00,1.75',
        'S1,2024-03-02T00:00:00,8',
      ])
    })

    test('values beyond the range of a double are empty in every format, and the response counts them', async () => {
      await store(340, [
        [1, '2024-03-01T09:00', 1.7e308],
        [1, '2024-03-01T10:00', 1.7e308],
        [1, '2024-03-02', -1.7e308],
        [2, '2024-03-01T09:00', -1.7e308],
        [2, '2024-03-01T10:00', -1.7e308],
        [3, '2024-03-01', 5],
      ])
      const functions = ['sum', 'mean', 'max', 'count'] as const
      const lines = await run(340, { functions }, { sids: [1, 2] })
      expect(lines).toEqual([
        'Code,Date(UTC),Price_sum,Price_mean,Price_max,Price_count(I)',
        'S1,2024-03-01T00:00:00,,,1.7e308,2',
        'S1,2024-03-02T00:00:00,-1.7e308,-1.7e308,-1.7e308,1',
        'S2,2024-03-01T00:00:00,,,-1.7e308,2',
      ])
      const counted = (sids: number[], names: Resample['functions'], rest: Partial<SeriesQuery> = {}) =>
        overflowsOf(getEngine(), [pick(340, sids, [price])], {
          resample: { unit: 'DAYS', amount: 1, functions: names },
          ...rest,
        })
      for (const rest of [{}, { timeZone: 'Europe/Warsaw' }]) {
        expect(await counted([1, 2], functions, rest)).toEqual([4, 4, 4, 4, 4])
        expect(await counted([3], functions, rest)).toEqual([0, 0, 0, 0, 0])
        expect(await counted([1, 2], ['max', 'count'], rest)).toEqual([0, 0, 0, 0, 0])
      }
      // A gap after such a value also has this value and not an older one.
      const carried = { functions: ['sum'], fill: { kind: 'previous' } } as const
      await store(346, [
        [1, '2024-02-29', 2],
        [1, '2024-03-01T09:00', 1.7e308],
        [1, '2024-03-01T10:00', 1.7e308],
        [1, '2024-03-03', 3],
      ])
      expect((await run(346, carried)).slice(1)).toEqual([
        'S1,2024-02-29T00:00:00,2',
        'S1,2024-03-03T00:00:00,3',
      ])
      expect(
        await overflowsOf(getEngine(), [pick(346, [1], [price])], {
          resample: { unit: 'DAYS', amount: 1, ...carried },
        }),
      ).toEqual([2, 2, 2, 2, 2])
      await getEngine().rollUp(340)
      expect(await run(340, { functions }, { sids: [1, 2] })).toEqual(lines)
      expect(await counted([1, 2], functions, { limit: 1 })).toEqual([4, 4, 4, 4, 4])
    })

    test('a grid has exact sums of integers beyond the range of a double', async () => {
      const largest = Number.MAX_SAFE_INTEGER
      await storePoints(
        getEngine(),
        347,
        1,
        [volume],
        [
          [1, '2024-03-01T09:00', largest],
          [1, '2024-03-01T10:00', largest],
          [1, '2024-03-01T11:00', 3],
          [1, '2024-03-03', largest],
        ],
      )
      const filled = async (fill: Resample['fill']) =>
        (await run(347, { functions: ['sum'], fill }, { columns: [volume] })).slice(1)
      const [first, last] = ['S1,2024-03-01T00:00:00,18014398509481985', `S1,2024-03-03T00:00:00,${largest}`]
      expect(await filled({ kind: 'zero' })).toEqual([first, 'S1,2024-03-02T00:00:00,0', last])
      expect(await filled({ kind: 'previous' })).toEqual([first, first.replace('01T', '02T'), last])
      // Computed values stay within the integers of columns.
      const calculated = `S1,2024-03-02T00:00:00,${largest}`
      expect(await filled({ kind: 'linear' })).toEqual([first, calculated, last])
    })

    test('a column with values at some of the points has only their sums and means', async () => {
      const sids = [1, 2, 3]
      const points = sids.flatMap((sid) =>
        Array.from({ length: 60 }, (_, index): SpecPoint => {
          const instant = new Date(Date.UTC(2024, 2, 1) + index * 6 * 3_600_000).toISOString()
          return [sid, instant, index % 3 === 0 ? null : index, index]
        }),
      )
      await store(307, points, [price, volume])
      const expected = Array.from({ length: 15 }, (_, day) => {
        const values = [0, 1, 2, 3].map((at) => day * 4 + at).filter((value) => value % 3 !== 0)
        const sum = values.reduce((total, value) => total + value, 0)
        const date = new Date(Date.UTC(2024, 2, 1 + day)).toISOString().slice(0, 19)
        return `${date},${sum},${sum / values.length},${day * 16 + 6}`
      })
      const functions = ['sum', 'mean'] as const
      const wanted = sids.flatMap((sid) => expected.map((line) => `S${sid},${line}`))
      const result = async () => {
        const lines = await run(307, { functions }, { columns: [price, volume], sids })
        return lines.slice(1).map((line) => line.split(',').slice(0, 5).join(','))
      }
      expect(await result()).toEqual(wanted)
      await getEngine().rollUp(307)
      expect(await result()).toEqual(wanted)
    })

    test('versions: uses the current points, or those of a point in time; separate versions return the same', async () => {
      await store(301, [
        [1, '2024-03-01T09:00', 1],
        [1, '2024-03-01T10:00', 2],
      ])
      await storePoints(getEngine(), 301, 2, [price], [[1, '2024-03-02T10:00', 4]])
      expect(await run(301, {})).toEqual([
        'Code,Date(UTC),Price_sum',
        'S1,2024-03-01T00:00:00,3',
        'S1,2024-03-02T00:00:00,4',
      ])
      await storePoints(getEngine(), 301, 3, [price], [[1, '2024-03-01T10:00', 20]])
      expect((await run(301, {})).slice(1)).toEqual(['S1,2024-03-01T00:00:00,21', 'S1,2024-03-02T00:00:00,4'])
      expect((await run(301, {}, { asOf: 1 })).slice(1)).toEqual(['S1,2024-03-01T00:00:00,3'])
    })

    test('a day is the local day, also across daylight saving', async () => {
      // Daylight saving starts on 31 March 2024 and ends on 27 October in Berlin.
      await store(302, [
        [1, '2024-03-30T22:59', 1],
        [1, '2024-03-30T23:00', 2],
        [1, '2024-03-31T21:59', 4],
        [1, '2024-03-31T22:00', 8],
        [1, '2024-10-26T21:59', 16],
        [1, '2024-10-26T22:00', 32],
        [1, '2024-10-27T22:59', 64],
        [1, '2024-10-27T23:00', 128],
      ])
      expect(await run(302, {}, { timeZone: 'Europe/Berlin' })).toEqual([
        'Code,Date(Europe/Berlin),Price_sum',
        'S1,2024-03-30T00:00:00,1',
        'S1,2024-03-31T00:00:00,6',
        'S1,2024-04-01T00:00:00,8',
        'S1,2024-10-26T00:00:00,16',
        'S1,2024-10-27T00:00:00,96',
        'S1,2024-10-28T00:00:00,128',
      ])
      const ui = await readJson(getEngine(), [pick(302, [1], [price])], {
        resample: { unit: 'DAYS', amount: 1, functions: ['count'] },
        timeZone: 'Europe/Berlin',
        format: 'UI',
        range: { kind: 'BETWEEN', from: ms('2024-10-01') },
      })
      expect(ui.values).toEqual([
        {
          symbol: 0,
          timestamps: ['2024-10-25T22:00', '2024-10-26T22:00', '2024-10-27T23:00'].map(ms),
          columns: { Price_count: [1, 2, 1] },
        },
      ])
    })

    test('hours follow local time: a repeated hour is two spans, and longer spans cross the change', async () => {
      await store(303, [
        [1, '2024-10-26T22:30', 1],
        [1, '2024-10-27T00:15', 2],
        [1, '2024-10-27T00:45', 4],
        [1, '2024-10-27T01:15', 8],
        [1, '2024-10-27T04:59', 16],
        [1, '2024-10-27T05:00', 32],
        [1, '2024-03-31T00:59', 64],
        [1, '2024-03-31T01:00', 128],
        [1, '2024-03-31T04:00', 256],
      ])
      const timeZone = 'Europe/Berlin'
      expect((await run(303, { unit: 'HOURS' }, { timeZone })).slice(1)).toEqual([
        'S1,2024-03-31T01:00:00,64',
        'S1,2024-03-31T03:00:00,128',
        'S1,2024-03-31T06:00:00,256',
        'S1,2024-10-27T00:00:00,1',
        'S1,2024-10-27T02:00:00,6',
        'S1,2024-10-27T02:00:00,8',
        'S1,2024-10-27T05:00:00,16',
        'S1,2024-10-27T06:00:00,32',
      ])
      expect((await run(303, { unit: 'HOURS', amount: 6 }, { timeZone })).slice(1)).toEqual([
        'S1,2024-03-31T00:00:00,192',
        'S1,2024-03-31T06:00:00,256',
        'S1,2024-10-27T00:00:00,31',
        'S1,2024-10-27T06:00:00,32',
      ])
      expect(
        (await run(303, { unit: 'MINUTES', amount: 30 }, { timeZone: 'Asia/Kolkata' })).slice(1, 4),
      ).toEqual(['S1,2024-03-31T06:00:00,64', 'S1,2024-03-31T06:30:00,128', 'S1,2024-03-31T09:30:00,256'])
    })

    test('weeks start on Monday, even across the turn of the year; months and years are calendar months and years', async () => {
      await store(304, [
        [1, '2020-12-27T23:59', 1],
        [1, '2020-12-28T00:00', 2],
        [1, '2021-01-03T23:59', 4],
        [1, '2021-01-04T00:00', 8],
        [1, '2021-02-28T00:00', 16],
        [1, '2021-03-31T23:59', 32],
        [1, '2021-04-01T00:00', 64],
      ])
      expect((await run(304, { unit: 'WEEKS' })).slice(1, 4)).toEqual([
        'S1,2020-12-21T00:00:00,1',
        'S1,2020-12-28T00:00:00,6',
        'S1,2021-01-04T00:00:00,8',
      ])
      // 2020-12-28 is 2661 weeks after 1969-12-29.
      expect((await run(304, { unit: 'WEEKS', amount: 2 })).slice(1, 3)).toEqual([
        'S1,2020-12-21T00:00:00,7',
        'S1,2021-01-04T00:00:00,8',
      ])
      expect((await run(304, { unit: 'MONTHS', amount: 3 })).slice(1)).toEqual([
        'S1,2020-10-01T00:00:00,3',
        'S1,2021-01-01T00:00:00,60',
        'S1,2021-04-01T00:00:00,64',
      ])
      expect((await run(304, { unit: 'MONTHS' }, { order: 'desc', limit: 2, offset: 1 })).slice(1)).toEqual([
        'S1,2021-03-01T00:00:00,32',
        'S1,2021-02-01T00:00:00,16',
      ])
      expect((await run(304, { unit: 'YEARS' }, { timeZone: 'America/New_York' })).slice(1)).toEqual([
        'S1,2020-01-01T00:00:00,3',
        'S1,2021-01-01T00:00:00,124',
      ])
      expect((await run(304, { unit: 'DAYS', amount: 7 })).slice(1, 3)).toEqual([
        // Thursdays, like 1970-01-01.
        'S1,2020-12-24T00:00:00,3',
        'S1,2020-12-31T00:00:00,12',
      ])
    })

    test('spans reach back before 1970, but none starts before 1677', async () => {
      await store(305, [
        [1, '1677-01-02T03:04', 32],
        [1, '1900-01-02T03:04', 1],
        [1, '1969-12-28T23:59:59.999', 2],
        [1, '1969-12-29T00:00', 4],
        [1, '1969-12-31T23:59', 8],
        [1, '1970-01-01T00:00', 16],
      ])
      const sums = async (resample: Partial<Resample>, timeZone = 'UTC') =>
        (await run(305, resample, { timeZone })).slice(1).map((line) => line.slice(3))
      expect(await sums({ unit: 'MINUTES', amount: 5 })).toEqual([
        '1677-01-02T03:00:00,32',
        '1900-01-02T03:00:00,1',
        '1969-12-28T23:55:00,2',
        '1969-12-29T00:00:00,4',
        '1969-12-31T23:55:00,8',
        '1970-01-01T00:00:00,16',
      ])
      expect(await sums({ unit: 'WEEKS' })).toEqual([
        '1677-01-01T00:00:00,32',
        '1900-01-01T00:00:00,1',
        '1969-12-22T00:00:00,2',
        '1969-12-29T00:00:00,28',
      ])
      expect(await sums({ unit: 'MONTHS', amount: 2 })).toEqual([
        '1677-01-01T00:00:00,32',
        '1900-01-01T00:00:00,1',
        '1969-11-01T00:00:00,14',
        '1970-01-01T00:00:00,16',
      ])
      expect(await sums({ unit: 'YEARS', amount: 40 })).toEqual([
        '1677-01-01T00:00:00,32',
        '1890-01-01T00:00:00,1',
        '1930-01-01T00:00:00,14',
        '1970-01-01T00:00:00,16',
      ])
      expect(await sums({ unit: 'DAYS' }, 'Asia/Tokyo')).toEqual([
        '1677-01-02T00:00:00,32',
        '1900-01-02T00:00:00,1',
        '1969-12-29T00:00:00,6',
        '1970-01-01T00:00:00,24',
      ])
    })

    test('range, filters and shifted series select the points; time order mixes series; empty columns are omitted', async () => {
      await store(
        306,
        [
          [1, '2024-03-01T01:00', 1, null],
          [1, '2024-03-01T02:00', 2, null],
          [1, '2024-03-02T01:00', 4, null],
          [2, '2024-03-01T01:00', 8, null],
        ],
        [price, volume],
      )
      const last = { kind: 'LAST', unit: 'VALUES', amount: 2 } as const
      expect((await run(306, {}, { sids: [1, 2], range: last, sortBy: 'time' })).slice(1)).toEqual([
        'S1,2024-03-01T00:00:00,2',
        'S2,2024-03-01T00:00:00,8',
        'S1,2024-03-02T00:00:00,4',
      ])
      const filters = [{ column: 'Price', operator: 'notEquals', value: 2 }] as const
      expect(await run(306, {}, { filters, skipEmptyColumns: true, columns: [price, volume] })).toEqual([
        'Code,Date(UTC),Price_sum',
        'S1,2024-03-01T00:00:00,1',
        'S1,2024-03-02T00:00:00,4',
      ])
      const selections = [
        pick(306, [2], [price]),
        pick(306, [1], [price], { shift: { amount: 23, unit: 'HOURS' } }),
        pick(306, [1], [volume]),
      ]
      const resample = { unit: 'DAYS', amount: 1, functions: ['max', 'count'] } as const
      const moved = await readLines(getEngine(), selections, { resample })
      expect(moved.slice(1)).toEqual([
        'S2,2024-03-01T00:00:00,8,1,,',
        'S1,2024-03-02T00:00:00,2,2,,',
        'S1,2024-03-03T00:00:00,4,1,,',
      ])
      const result = await readJson(getEngine(), [pick(306, [1], [price])], {
        format: 'STANDARD',
        resample: { unit: 'DAYS', amount: 1, functions: ['sum'] },
        statistics: true,
      })
      expect(result.values).toEqual([
        { symbol: 0, Code: 'S1', Date: '2024-03-01T00:00:00', Price_sum: 3 },
        { symbol: 0, Code: 'S1', Date: '2024-03-02T00:00:00', Price_sum: 4 },
      ])
      expect(result.statistics).toMatchObject({ 0: { count: 2, columns: { Price_sum: { sum: 7 } } } })
    })

    test('gas days can be 23 or 25 hours long, and a value is weighted by how long it holds', async () => {
      await store(341, [
        [1, '2024-03-29T05:00', 10],
        [1, '2024-03-30T17:00', 22],
        [1, '2024-03-31T04:00', 40],
        [1, '2024-10-27T04:30', 1],
      ])
      const lines = await run(
        341,
        { origin: ms('2024-01-01T06:00'), functions: ['last', 'time_weighted_mean', 'stddev'] },
        { timeZone: 'Europe/Warsaw', decimalPrecision: 4 },
      )
      // From 06:00 on 30 March the value is 10 for 12 hours and then 22 for 11 hours.
      expect(lines.slice(1)).toEqual([
        'S1,2024-03-29T06:00:00,10,10,',
        `S1,2024-03-30T06:00:00,22,${((10 * 12 + 22 * 11) / 23).toFixed(4)},`,
        'S1,2024-03-31T06:00:00,40,40,',
        `S1,2024-10-26T06:00:00,1,${(40 * 24.5 + 1 * 0.5) / 25},`,
      ])
    })

    test('a weighted mean is empty if its column has no value in the span, even rounded', async () => {
      const columns = [price, volume]
      await store(
        345,
        [
          [1, '2024-03-01T00:00', 1, null],
          [1, '2024-03-02T12:00', null, 4],
        ],
        columns,
      )
      const rounded = { columns, decimalPrecision: 0 }
      expect((await run(345, { functions: ['time_weighted_mean'] }, rounded)).slice(1)).toEqual([
        'S1,2024-03-01T00:00:00,1,',
        'S1,2024-03-02T00:00:00,,4',
      ])
    })

    test('spans without gaps include both repeated hours, and omit the skipped one', async () => {
      await store(342, [
        [1, '2024-03-31T00:30', 1],
        [1, '2024-03-31T02:30', 3],
        [2, '2024-03-30T23:00', 9],
      ])
      const fill = { kind: 'linear' } as const
      const spring = { functions: ['last', 'count'], unit: 'HOURS', fill } as const
      expect((await run(342, spring, { timeZone: 'Europe/Warsaw', sids: [1, 2] })).slice(1)).toEqual([
        'S1,2024-03-31T00:00:00,,0',
        'S1,2024-03-31T01:00:00,1,1',
        'S1,2024-03-31T03:00:00,2,0',
        'S1,2024-03-31T04:00:00,3,1',
        'S2,2024-03-31T00:00:00,9,1',
        'S2,2024-03-31T01:00:00,,0',
        'S2,2024-03-31T03:00:00,,0',
        'S2,2024-03-31T04:00:00,,0',
      ])
      await store(343, [
        [1, '2024-10-26T23:30', 1],
        [1, '2024-10-27T02:30', 4],
      ])
      const autumn = { functions: ['last'], unit: 'HOURS', fill: { kind: 'previous' } } as const
      expect((await run(343, autumn, { timeZone: 'Europe/Warsaw' })).slice(1)).toEqual([
        'S1,2024-10-27T01:00:00,1',
        'S1,2024-10-27T02:00:00,1',
        'S1,2024-10-27T02:00:00,1',
        'S1,2024-10-27T03:00:00,4',
      ])
    })

    test('rejects a grid of too many spans', async () => {
      await store(344, [
        [1, '1950-01-01T00:00', 1],
        [1, '2250-01-01T00:00', 1],
      ])
      const grid = run(344, { unit: 'MINUTES', fill: { kind: 'zero' } })
      await expect(grid).rejects.toMatchObject({ code: 'too-large' })
    })

    test('rejects invalid spans', async () => {
      await store(306, [[1, '2024-06-01', 1]])
      expect(await run(306, { amount: 1000 })).toHaveLength(2)
      for (const resample of [
        { amount: 0 },
        { amount: 1001 },
        { amount: 1.5 },
        { unit: 'WORKING_DAYS' },
        { functions: [] },
        { functions: ['mode'] },
        { functions: ['p101'] },
        { functions: ['p5.0'] },
        { origin: Number.NaN },
        { unit: 'MONTHS', origin: ms('2024-01-02') },
        { fill: { kind: 'average', points: 2 } },
        { fill: { kind: 'previous', maxAgeMs: 0 } },
        { functions: ['sum', 'sum'] },
      ]) {
        await expect(run(306, resample as Partial<Resample>), JSON.stringify(resample)).rejects.toMatchObject(
          {
            code: 'invalid',
          },
        )
      }
      for (const rest of [
        { corrections: 'true' },
        { layout: 'columns' },
        { format: 'UI', drawPoints: 10 },
        { versionTexts: { name: 'File', texts: [] } },
      ] as const) {
        await expect(run(306, {}, rest), JSON.stringify(rest)).rejects.toMatchObject({ code: 'invalid' })
      }
      const filled = readLines(getEngine(), [pick(306, [1], [price], { fill: { kind: 'zero' } })], {
        resample: { unit: 'DAYS', amount: 1, functions: ['sum'] },
      })
      await expect(filled).rejects.toMatchObject({ code: 'invalid' })
    })

    test('points outside the limits of a selection do not count for spans, the newest point or offsets, even with roll-ups and caches', async () => {
      await store(399, [
        [1, '2024-03-01T09:00', 1],
        [1, '2024-03-01T18:00', 2],
        [1, '2024-03-02T09:00', 4],
        [1, '2024-03-02T18:00', 8],
      ])
      const limits = { from: ms('2024-03-01T12:00'), to: ms('2024-03-02T12:00') }
      const days = { resample: { unit: 'DAYS', amount: 1, functions: ['sum'] } } as const
      const last = { range: { kind: 'LAST', unit: 'VALUES', amount: 1 } } as const
      const read = async (rest: Partial<SeriesQuery>, more: Parameters<typeof pick>[3]) =>
        (await readLines(getEngine(), [pick(399, [1], [price], more)], rest)).slice(1)
      const shift = { amount: 1, unit: 'DAYS' } as const
      for (const isRolledUp of [false, true]) {
        if (isRolledUp) await getEngine().rollUp(399)
        // The results of the same queries with and without limits do not replace each other in a cache.
        expect(await read(days, {})).toEqual(['S1,2024-03-01T00:00:00,3', 'S1,2024-03-02T00:00:00,12'])
        expect(await read(days, { limits })).toEqual(['S1,2024-03-01T00:00:00,2', 'S1,2024-03-02T00:00:00,4'])
        expect(await read(last, {})).toEqual(['S1,2024-03-02T18:00:00,8'])
        expect(await read(last, { limits })).toEqual(['S1,2024-03-02T09:00:00,4'])
        expect(await read(last, { limits: { to: limits.from } })).toEqual(['S1,2024-03-01T09:00:00,1'])
        expect(await read({}, { limits, shift })).toEqual([
          'S1,2024-03-02T18:00:00,2',
          'S1,2024-03-03T09:00:00,4',
        ])
        expect(await read({}, { limits: { from: ms('2024-03-03') } })).toEqual([])
      }
      const formula = { kind: 'number', value: 1 } as never
      await expect(read({}, { limits, formula })).rejects.toMatchObject({ code: 'invalid' })
    })
  })
}
