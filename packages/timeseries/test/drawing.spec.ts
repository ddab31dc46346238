import { describe, expect, test } from 'vitest'
import type { SeriesEngine, SeriesQuery } from '../src/series-engine.ts'
import { pick, price, readJson, status, storePoints, volume, type SpecPoint } from './spec-points.ts'

/** Points chosen for drawing. */
export function describeDrawing(getEngine: () => SeriesEngine): void {
  describe('drawing', () => {
    const minute = (index: number) => new Date(Date.UTC(2023, 0, 1, 0, index)).toISOString()
    const seriesOf = (sid: number, values: readonly (number | null)[]): SpecPoint[] =>
      values.map((value, index) => [sid, minute(index), value])
    const minutesOf = (item: Record<string, unknown>) =>
      (item.timestamps as number[]).map((timestamp) => (timestamp - Date.UTC(2023, 0, 1)) / 60_000)

    test('of every span of time first, last, smallest and largest, the earliest of equal ones; a short series comes whole', async () => {
      // Two spans of eight points: 0 to 7 and 8 to 15.
      const values = [5, 5, 9, -3, -3, 9, 6, 5, 1, 1, 1, 1, 1, 2, 0, 1]
      await storePoints(
        getEngine(),
        230,
        1,
        [price],
        [...seriesOf(1, values), ...seriesOf(2, [7, 8, 7, 8, 7, 8, 7, 8])],
      )
      const answer = await readJson(getEngine(), [pick(230, [1, 2], [price])], {
        format: 'UI',
        drawPoints: 8,
        statistics: true,
      })
      expect(answer.values.map(minutesOf)).toEqual([
        [0, 2, 3, 7, 8, 13, 14, 15],
        [0, 1, 2, 3, 4, 5, 6, 7],
      ])
      expect(answer.values[0]!.columns).toEqual({ Price: [5, 9, -3, 5, 1, 2, 0, 1] })
      expect(answer.points).toEqual({ raw: 24, drawn: 16 })
      expect(answer.statistics[0]).toMatchObject({ count: 16 })
      const falling = await readJson(getEngine(), [pick(230, [1], [price])], {
        format: 'UI',
        drawPoints: 8,
        order: 'desc',
      })
      expect(minutesOf(falling.values[0]!)).toEqual([15, 14, 13, 8, 7, 3, 2, 0])
    })

    test('a column that only a condition asks for is not drawn', async () => {
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

    test('several columns: rows stay whole, extremes of each are there, empty values stand back', async () => {
      const points: SpecPoint[] = Array.from({ length: 12 }, (_, index) => [
        1,
        minute(index),
        index === 4 ? 100 : index === 6 ? null : 1,
        index === 6 ? -5 : index < 3 ? null : 2,
        index === 9 ? 'x' : null,
      ])
      await storePoints(getEngine(), 231, 1, [price, volume, status], points)
      const answer = await readJson(getEngine(), [pick(231, [1], [price, volume, status])], {
        format: 'UI',
        drawPoints: 4,
      })
      expect(minutesOf(answer.values[0]!)).toEqual([0, 3, 4, 6, 9, 11])
      expect(answer.values[0]!.columns).toEqual({
        Price: [1, 1, 100, null, 1, 1],
        Volume: [null, 2, 2, -5, 2, 2],
        Status: [null, null, null, null, 'x', null],
      })
      expect(answer.points).toEqual({ raw: 12, drawn: 6 })
    })

    test('a corrected version is drawn, few and no points come as they are', async () => {
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
      const ask = (drawPoints: number, sids: number[]) =>
        readJson(getEngine(), [pick(232, sids, [price])], { format: 'UI', drawPoints })
      const drawn = await ask(4, [1])
      expect(drawn.values[0]).toMatchObject({ columns: { Price: [1, 60, 1] } })
      expect((await ask(8, [1])).points).toEqual({ raw: 8, drawn: 8 })
      expect((await ask(4, [2])).values).toMatchObject([{ columns: { Price: [3] } }])
      expect(await ask(4, [9])).toMatchObject({ values: [], points: { raw: 0, drawn: 0 } })
    })

    test('it belongs to the format UI and to 4 to 100,000 points', async () => {
      for (const rest of [
        { drawPoints: 8, format: 'NCSV' },
        { drawPoints: 3, format: 'UI' },
        { drawPoints: 100_001, format: 'UI' },
        { drawPoints: 8, format: 'UI', limit: 5 },
      ] as const) {
        await expect(readJson(getEngine(), [pick(230, [1], [price])], rest)).rejects.toMatchObject({
          code: 'invalid',
        })
      }
    })
  })
}
