import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import {
  ms,
  pick,
  price,
  readCounted,
  readJson,
  readLines,
  status,
  storePoints,
  volume,
  type SpecPoint,
} from './spec-points.ts'

/** Tests downsampling for drawing. */
export function describeDrawing(getEngine: () => SeriesEngine): void {
  describe('drawing', () => {
    const minute = (index: number) => new Date(Date.UTC(2023, 0, 1, 0, index)).toISOString()
    const seriesOf = (sid: number, values: readonly (number | null)[]): SpecPoint[] =>
      values.map((value, index) => [sid, minute(index), value])
    const minutesOf = (item: Record<string, unknown>) =>
      (item.timestamps as number[]).map((timestamp) => (timestamp - Date.UTC(2023, 0, 1)) / 60_000)

    test('selects first, last, minimum and maximum of every span, the earliest of equal ones; a short series is complete', async () => {
      // Two spans of eight points: 0 to 7 and 8 to 15.
      const values = [5, 5, 9, -3, -3, 9, 6, 5, 1, 1, 1, 1, 1, 2, 0, 1]
      await storePoints(
        getEngine(),
        230,
        1,
        [price],
        [...seriesOf(1, values), ...seriesOf(2, [7, 8, 7, 8, 7, 8, 7, 8])],
      )
      const result = await readJson(getEngine(), [pick(230, [1, 2], [price])], {
        format: 'UI',
        drawPoints: 8,
        statistics: true,
      })
      expect(result.values.map(minutesOf)).toEqual([
        [0, 2, 3, 7, 8, 13, 14, 15],
        [0, 1, 2, 3, 4, 5, 6, 7],
      ])
      expect(result.values[0]!.columns).toEqual({ Price: [5, 9, -3, 5, 1, 2, 0, 1] })
      expect(result.points).toEqual({ raw: 24, drawn: 16 })
      expect(result.statistics[0]).toMatchObject({ count: 16 })
      const falling = await readJson(getEngine(), [pick(230, [1], [price])], {
        format: 'UI',
        drawPoints: 8,
        order: 'desc',
      })
      expect(minutesOf(falling.values[0]!)).toEqual([15, 14, 13, 8, 7, 3, 2, 0])
    })

    test('does not draw a column that only a filter uses', async () => {
      const values = [5, 5, 9, -3, -3, 9, 6, 5, 1, 1, 1, 1, 1, 2, 0, 1]
      await storePoints(
        getEngine(),
        235,
        1,
        [price, volume],
        [...seriesOf(1, values), ...seriesOf(2, [7, 8, 7, 8])],
      )
      const draw = (columns: (typeof price)[], rest: Partial<SeriesQuery>) =>
        readJson(getEngine(), [pick(235, [1, 2], columns)], { format: 'UI', drawPoints: 8, ...rest })
      const hidden = await draw([price, volume], {
        skipEmptyColumns: true,
        filters: [{ column: 'Volume', operator: 'isEmpty' }],
      })
      expect(hidden).toEqual(await draw([price], {}))
      expect(hidden.points).toEqual({ raw: 20, drawn: 12 })
    })

    test('several columns: rows are complete, with the extremes of each column; empty values are skipped', async () => {
      const points: SpecPoint[] = Array.from({ length: 12 }, (_, index) => [
        1,
        minute(index),
        index === 4 ? 100 : index === 6 ? null : 1,
        index === 6 ? -5 : index < 3 ? null : 2,
        index === 9 ? 'x' : null,
      ])
      await storePoints(getEngine(), 231, 1, [price, volume, status], points)
      const result = await readJson(getEngine(), [pick(231, [1], [price, volume, status])], {
        format: 'UI',
        drawPoints: 4,
      })
      expect(minutesOf(result.values[0]!)).toEqual([0, 3, 4, 6, 9, 11])
      expect(result.values[0]!.columns).toEqual({
        Price: [1, 1, 100, null, 1, 1],
        Volume: [null, 2, 2, -5, 2, 2],
        Status: [null, null, null, null, 'x', null],
      })
      expect(result.points).toEqual({ raw: 12, drawn: 6 })
    })

    test('draws the corrected version; few or no points are returned unchanged', async () => {
      await storePoints(getEngine(), 232, 1, [price], seriesOf(1, [1, 50, 1, 1, 1, 1, 1, 1]))
      await storePoints(
        getEngine(),
        232,
        2,
        [price],
        [
          [1, minute(1), 1],
          [1, minute(5), 60],
          [2, minute(0), 3],
        ],
      )
      const run = (drawPoints: number, sids: number[]) =>
        readJson(getEngine(), [pick(232, sids, [price])], { format: 'UI', drawPoints })
      const drawn = await run(4, [1])
      expect(drawn.values[0]).toMatchObject({ columns: { Price: [1, 60, 1] } })
      expect((await run(8, [1])).points).toEqual({ raw: 8, drawn: 8 })
      expect((await run(4, [2])).values).toMatchObject([{ columns: { Price: [3] } }])
      expect(await run(4, [9])).toMatchObject({ values: [], points: { raw: 0, drawn: 0 } })
    })

    test('NCSV returns the same points as rows, newest first and series mixed if requested', async () => {
      const values = [5, 5, 9, -3, -3, 9, 6, 5, 1, 1, 1, 1, 1, 2, 0, 1]
      await storePoints(getEngine(), 236, 1, [price], [...seriesOf(1, values), ...seriesOf(2, [7, 8])])
      const { lines, totalRows } = await readCounted(getEngine(), [pick(236, [1, 2], [price])], {
        drawPoints: 8,
        order: 'desc',
        sortBy: 'time',
      })
      const at = (index: number) => minute(index).slice(0, 19)
      expect(lines).toEqual([
        'Code,Date(UTC),Price',
        `S1,${at(15)},1`,
        `S1,${at(14)},0`,
        `S1,${at(13)},2`,
        `S1,${at(8)},1`,
        `S1,${at(7)},5`,
        `S1,${at(3)},-3`,
        `S1,${at(2)},9`,
        `S2,${at(1)},8`,
        `S1,${at(0)},5`,
        `S2,${at(0)},7`,
      ])
      expect(totalRows).toBe(18)
      const bySeries = await readLines(getEngine(), [pick(236, [2, 1], [price])], { drawPoints: 8 })
      expect(
        bySeries
          .slice(1)
          .map((line) => line.slice(0, 2))
          .join(' '),
      ).toBe('S1 S1 S1 S1 S1 S1 S1 S1 S2 S2')
    })

    test('a limit reduces the points of each series instead of truncating; a result within the limit is complete', async () => {
      const wave = Array.from({ length: 100 }, (_, index) =>
        index === 41 ? 99 : index === 77 ? -99 : index % 5,
      )
      await storePoints(
        getEngine(),
        237,
        1,
        [price, volume],
        [1, 2, 3].flatMap((sid) =>
          wave.map((value, index): SpecPoint => [sid, minute(index), value * sid, index % 7]),
        ),
      )
      const run = (rest: Partial<SeriesQuery>, sids = [1, 2, 3], columns = [price]) =>
        readCounted(getEngine(), [pick(237, sids, columns)], {
          drawPoints: 80,
          order: 'desc',
          sortBy: 'time',
          ...rest,
        })
      const valuesOf = (lines: readonly string[], sid: number) =>
        lines.filter((line) => line.startsWith(`S${sid},`)).map((line) => Number(line.split(',')[2]))
      for (const [limit, columns] of [
        [60, [price]],
        [120, [price]],
        [60, [price, volume]],
        [5, [price]],
      ] as const) {
        const { lines, totalRows } = await run({ limit }, [1, 2, 3], [...columns])
        expect(totalRows).toBe(300)
        // Every column and series gets at least four points.
        expect(lines.length - 1).toBeLessThanOrEqual(Math.max(limit, 3 * 4 * columns.length))
        for (const sid of [1, 2, 3]) {
          const drawn = valuesOf(lines, sid)
          expect(drawn).toContain(99 * sid)
          expect(drawn).toContain(-99 * sid)
          expect(drawn.at(-1)).toBe(0)
          expect(drawn[0]).toBe(4 * sid)
        }
      }
      expect((await run({ limit: 300 })).lines).toHaveLength(301)
      expect((await run({ limit: 299 })).lines.length).toBeLessThanOrEqual(3 * 80 + 1)
      expect(await run({ limit: 300 }, [9])).toEqual({ lines: ['Code,Date(UTC),Price'], totalRows: 0 })
    })

    test('a window returns the same rows as a query without one, even of the newest points and of filled gaps', async () => {
      const values = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? index : null))
      await storePoints(
        getEngine(),
        238,
        1,
        [price],
        [
          ...seriesOf(1, values),
          ...seriesOf(
            2,
            values.map((_, index) => index),
          ),
        ],
      )
      const window = { from: ms(minute(20)), to: ms(minute(40)) + 0.5 }
      const inside = (lines: readonly string[]) =>
        lines.filter((line, index) => {
          const at = ms(line.split(',')[1] ?? '')
          return index === 0 || (at >= window.from && at <= window.to)
        })
      for (const rest of [
        {},
        { range: { kind: 'LAST', unit: 'VALUES', amount: 12 } },
        { range: { kind: 'LAST', unit: 'MINUTES', amount: 30 } },
        { range: { kind: 'BETWEEN', from: ms(minute(30)) } },
        { range: { kind: 'BETWEEN', to: ms(minute(25)) }, sortBy: 'time', order: 'desc' },
        { resample: { unit: 'MINUTES', amount: 7, functions: ['sum', 'count'] } },
        { layout: 'columns' },
      ] as const satisfies readonly Partial<SeriesQuery>[]) {
        const all = await readLines(getEngine(), [pick(238, [1, 2], [price])], rest)
        const some = await readCounted(getEngine(), [pick(238, [1, 2], [price])], {
          ...rest,
          window,
          countRows: true,
        })
        const expected = rest.layout === 'columns' ? insideColumns(all) : inside(all)
        expect(some.lines).toEqual(expected)
        expect(some.totalRows).toBe(expected.length - 1)
      }
      const filled = [pick(238, [1, 2], [price], { fill: { kind: 'previous' } })]
      expect(await readLines(getEngine(), filled, { window })).toEqual(
        inside(await readLines(getEngine(), filled)),
      )

      function insideColumns(lines: readonly string[]): string[] {
        return inside(lines.map((line) => `,${line}`)).map((line) => line.slice(1))
      }
    })

    test('counts the rows of a result before its limit', async () => {
      await storePoints(getEngine(), 239, 1, [price], [...seriesOf(1, [1, 2, 3, 4]), ...seriesOf(2, [5, 6])])
      await storePoints(getEngine(), 239, 2, [price], [[1, minute(3), 7]])
      const run = async (rest: Partial<SeriesQuery>) =>
        (await readCounted(getEngine(), [pick(239, [1, 2], [price])], { countRows: true, limit: 2, ...rest }))
          .totalRows
      expect(await run({})).toBe(6)
      expect(await run({ corrections: 'true' })).toBe(7)
      expect(await run({ range: { kind: 'LAST', unit: 'VALUES', amount: 3 } })).toBe(5)
      expect(await run({ filters: [{ column: 'Price', operator: 'greater', value: 4 }] })).toBe(3)
      expect(await run({ layout: 'columns' })).toBe(4)
      expect(await run({ format: 'UI' })).toBe(6)
      expect(await run({ countRows: false })).toBeUndefined()
    })

    test('rejects formats other than UI and NCSV, and fewer than 4 or more than 100,000 points', async () => {
      for (const rest of [
        { drawPoints: 8, format: 'STANDARD' },
        { drawPoints: 8, format: 'PANDAS' },
        { drawPoints: 8, format: 'NCSV', layout: 'columns' },
        { drawPoints: 3, format: 'UI' },
        { drawPoints: 100_001, format: 'UI' },
        { drawPoints: 8, format: 'UI', offset: 5 },
        { window: { from: Number.NaN } },
      ] as const) {
        await expect(readJson(getEngine(), [pick(230, [1], [price])], rest)).rejects.toMatchObject({
          code: 'invalid',
        })
      }
      const most = readJson(getEngine(), [pick(230, [1], [price])], { drawPoints: 100_000, format: 'UI' })
      expect(await most).toBeDefined()
    })
  })
}
