import { describe, expect, test } from 'vitest'
import type { Fill } from '../src/query-options.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import {
  overflowsOf,
  pick,
  price,
  readJson,
  readLines,
  settled,
  status,
  storePoints,
  volume,
  type SpecPoint,
} from './spec-points.ts'

/** Tests the filling of gaps. */
export function describeFills(getEngine: () => SeriesEngine): void {
  describe('gaps', () => {
    /** The second series has the timestamps 1, 2, 4, 8 and 9 January, the first has values on 2, 4 and 8. */
    const instants: SpecPoint[] = [1, 2, 4, 8, 9].map((day) => [
      2,
      `2023-01-0${day}`,
      100 + day,
      day,
      null,
      null,
    ])
    const gappy: SpecPoint[] = [
      [1, '2023-01-02', -1.5, 10, 'two', 2],
      [1, '2023-01-04', null, 7, null, null],
      [1, '2023-01-08', 4.5, null, 'eight', 8],
    ]
    const columns = [price, volume, status, settled]

    async function filled(fill: Fill, column: (typeof columns)[number] = price): Promise<string[]> {
      await getEngine().dropDataset(201)
      await storePoints(getEngine(), 201, 1, columns, [...gappy, ...instants])
      const lines = await readLines(getEngine(), [
        pick(201, [1], [column], { fill }),
        pick(201, [2], [price]),
      ])
      return lines
        .filter((line) => line.startsWith('S1'))
        .map((line) => line.replace(/^S1,2023-01-0(\d)T00:00:00/, '$1').replace(/,$/, ''))
    }

    test('previous: fills from the first value on', async () => {
      expect(await filled({ kind: 'previous' })).toEqual(['2,-1.5', '4,-1.5', '8,4.5', '9,4.5'])
    })

    test('next: fills up to the last value', async () => {
      expect(await filled({ kind: 'next' })).toEqual(['1,-1.5', '2,-1.5', '4,4.5', '8,4.5'])
    })

    test('nearest: looks in both directions; a date halfway between two points gets the value of the earlier one', async () => {
      expect(await filled({ kind: 'nearest' })).toEqual(['1,-1.5', '2,-1.5', '4,-1.5', '8,4.5', '9,4.5'])
      await storePoints(getEngine(), 201, 2, columns, [[2, '2023-01-05', 105]])
      const lines = await readLines(getEngine(), [
        pick(201, [1], [price], { fill: { kind: 'nearest' } }),
        pick(201, [2], [price]),
      ])
      expect(lines.filter((line) => line.includes('S1,2023-01-05'))).toEqual(['S1,2023-01-05T00:00:00,-1.5'])
    })

    test('linear: a third of the way from -1.5 to 4.5 is 0.5; whole numbers are rounded half away from zero', async () => {
      expect(await filled({ kind: 'linear' })).toEqual(['2,-1.5', '4,0.5', '8,4.5'])
      await getEngine().dropDataset(202)
      await storePoints(
        getEngine(),
        202,
        1,
        [volume],
        [
          [1, '2023-01-01', 0],
          [1, '2023-01-03', 5],
          [1, '2023-01-05', -10],
          [2, '2023-01-02', 1],
          [2, '2023-01-04', 1],
        ],
      )
      const lines = await readLines(getEngine(), [
        pick(202, [1], [volume], { fill: { kind: 'linear' } }),
        pick(202, [2], [volume]),
      ])
      expect(lines.slice(1, 6).map((line) => Number(line.split(',')[2]))).toEqual([0, 3, 5, -3, -10])
    })

    test('zero: fills every date, but only for series with a point', async () => {
      expect(await filled({ kind: 'zero' })).toEqual(['1,0', '2,-1.5', '4,0', '8,4.5', '9,0'])
      const lines = await readLines(getEngine(), [
        pick(201, [1, 3], [price], { fill: { kind: 'zero' } }),
        pick(201, [2], [price]),
      ])
      expect(lines.filter((line) => line.startsWith('S3'))).toEqual([])
    })

    test('average: fills with the mean of the previous values, or of fewer if there are fewer, but not of filled ones', async () => {
      expect(await filled({ kind: 'average', points: 2 })).toEqual(['2,-1.5', '4,-1.5', '8,4.5', '9,1.5'])
      expect(await filled({ kind: 'average', points: 1 }, volume)).toEqual(['2,10', '4,7', '8,7', '9,7'])
      expect(await filled({ kind: 'average', points: 2 }, volume)).toEqual(['2,10', '4,7', '8,9', '9,9'])
      expect(await filled({ kind: 'average', points: 1000 })).toEqual(['2,-1.5', '4,-1.5', '8,4.5', '9,1.5'])
    })

    test('texts and dates support only neighbouring values', async () => {
      expect(await filled({ kind: 'previous' }, status)).toEqual(['2,two', '4,two', '8,eight', '9,eight'])
      expect(await filled({ kind: 'linear' }, status)).toEqual(['2,two', '8,eight'])
      expect(await filled({ kind: 'zero' }, settled)).toEqual([
        '2,1970-01-01T00:00:00.002',
        '8,1970-01-01T00:00:00.008',
      ])
      expect(await filled({ kind: 'next' }, settled)).toEqual([
        '1,1970-01-01T00:00:00.002',
        '2,1970-01-01T00:00:00.002',
        '4,1970-01-01T00:00:00.008',
        '8,1970-01-01T00:00:00.008',
      ])
    })

    test('each selection has its own fill; values outside the range are ignored, limits apply last', async () => {
      await filled({ kind: 'zero' })
      const selections = [
        pick(201, [1], [price, status], { fill: { kind: 'previous' } }),
        pick(201, [1], [volume], { fill: { kind: 'zero' } }),
        pick(201, [2], [price]),
      ]
      const rest = { range: { kind: 'BETWEEN', from: Date.UTC(2023, 0, 4) }, sortBy: 'time' } as const
      const lines = await readLines(getEngine(), selections, rest)
      expect(lines).toEqual([
        'Code,Date(UTC),Price,Status(S),Volume(I)',
        'S1,2023-01-04T00:00:00,,,7',
        'S2,2023-01-04T00:00:00,104,,',
        'S1,2023-01-08T00:00:00,4.5,eight,',
        'S1,2023-01-08T00:00:00,,,0',
        'S2,2023-01-08T00:00:00,108,,',
        'S1,2023-01-09T00:00:00,4.5,eight,',
        'S1,2023-01-09T00:00:00,,,0',
        'S2,2023-01-09T00:00:00,109,,',
      ])
      expect(
        (await readLines(getEngine(), selections, { ...rest, order: 'desc', offset: 1, limit: 2 })).slice(1),
      ).toEqual(['S1,2023-01-09T00:00:00,,,0', 'S2,2023-01-09T00:00:00,109,,'])
    })

    test('filled series are in order, even if their points exceed the memory for all of them', async () => {
      const count = 5000
      const versionTexts = { name: 'File', texts: [[1, 'file-1']] as const }
      for (const characters of [1, 2000]) {
        await getEngine().dropDataset(204)
        const text = (sid: number, row: number) => `${sid}-${row}`.padEnd(characters, '.')
        const instant = (sid: number, row: number) =>
          new Date(Date.UTC(2023, 0, 1) + row * 60_000 + (sid - 1) * 30_000).toISOString().slice(0, 19)
        const points = [1, 2].flatMap((sid) =>
          Array.from({ length: count }, (_, row): SpecPoint => [sid, instant(sid, row), text(sid, row)]),
        )
        await storePoints(getEngine(), 204, 1, [status], points)
        const rowsOf = (sid: number) =>
          Array.from({ length: count }, (_, row) => [
            `S${sid},${instant(sid, row)},${text(sid, row)},file-1`,
            `S${sid},${sid === 1 ? instant(2, row) : instant(1, row + 1)},${text(sid, row)},`,
          ]).flat()
        const expected = [rowsOf(1), rowsOf(2).slice(0, -1)]
        const filled = [1, 2].map((sid) => pick(204, [sid], [status], { fill: { kind: 'previous' } }))
        const lines = await readLines(getEngine(), filled, { versionTexts })
        expect(lines.slice(1)).toEqual(expected.flat())
        const descending = await readLines(getEngine(), filled, { versionTexts, order: 'desc' })
        expect(descending.slice(1)).toEqual(expected.flatMap((rows) => rows.toReversed()))
      }
    })

    test('fills a single point, a point in 1970 and points with milliseconds', async () => {
      await getEngine().dropDataset(203)
      await storePoints(
        getEngine(),
        203,
        1,
        [price],
        [
          [1, '1969-12-31T23:59:59.999', 5],
          [2, '1969-12-31T23:59:59.998', 1],
          [2, '1970-01-01', 2],
          [2, '1970-01-01T00:00:00.001', 3],
        ],
      )
      const both = [pick(203, [1], [price], { fill: { kind: 'nearest' } }), pick(203, [2], [price])]
      expect((await readLines(getEngine(), both)).slice(1, 5)).toEqual([
        'S1,1969-12-31T23:59:59.998,5',
        'S1,1969-12-31T23:59:59.999,5',
        'S1,1970-01-01T00:00:00,5',
        'S1,1970-01-01T00:00:00.001,5',
      ])
      const none = [pick(203, [7], [price], { fill: { kind: 'zero' } })]
      expect(await readLines(getEngine(), none)).toEqual(['Code,Date(UTC),Price'])
      const ui = await readJson(getEngine(), both, { format: 'UI', statistics: true })
      expect(ui.statistics[0]).toMatchObject({ count: 4, columns: { Price: { sum: 20, count: 4 } } })
    })

    test('values beyond the range of a double are empty in every format, and the response counts them', async () => {
      const most = 1.7e308
      await getEngine().dropDataset(204)
      await storePoints(
        getEngine(),
        204,
        1,
        [price],
        [
          [1, '2023-01-01', -most],
          [1, '2023-01-03', most],
          [1, '2023-01-05', most],
          [3, '2023-01-01', 1e300],
          [3, '2023-01-05', 3e300],
          ...[1, 2, 3, 4, 5, 6].map((day): SpecPoint => [2, `2023-01-0${day}`, day]),
        ],
      )
      const filled = (fill: Fill, sids = [1]) => [pick(204, sids, [price], { fill }), pick(204, [2], [price])]
      const cells = async (fill: Fill, sids = [1]) =>
        (await readLines(getEngine(), filled(fill, sids), { layout: 'columns' }))
          .slice(1)
          .map((line) => line.split(',').slice(1, -1).join())
      expect(await cells({ kind: 'linear' })).toEqual(['-1.7e308', '', '1.7e308', '1.7e308', '1.7e308', ''])
      expect(await cells({ kind: 'linear' }, [3])).toEqual([
        '1e300',
        '1.5e300',
        '2e300',
        '2.5e300',
        '3e300',
        '',
      ])
      expect(await cells({ kind: 'average', points: 2 })).toEqual([
        '-1.7e308',
        '-1.7e308',
        '1.7e308',
        '0',
        '1.7e308',
        '',
      ])
      expect(await overflowsOf(getEngine(), filled({ kind: 'linear' }))).toEqual([1, 1, 1, 1, 1])
      expect(await overflowsOf(getEngine(), filled({ kind: 'average', points: 2 }))).toEqual([1, 1, 1, 1, 1])
      expect(await overflowsOf(getEngine(), filled({ kind: 'linear' }, [2]))).toEqual([0, 0, 0, 0, 0])
    })

    test('rejects an invalid average, and a fill with corrections', async () => {
      for (const points of [0, 1001, 1.5]) {
        await expect(filled({ kind: 'average', points })).rejects.toMatchObject({ code: 'invalid' })
      }
      const selection = pick(201, [1], [price], { fill: { kind: 'zero' } })
      await expect(readLines(getEngine(), [selection], { corrections: 'true' })).rejects.toMatchObject({
        code: 'invalid',
      })
    })
  })
}
