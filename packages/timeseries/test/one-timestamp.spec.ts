import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { Selection, SeriesQuery } from '../src/series-query.ts'
import { pick, price, storePoints, type SpecPoint } from './spec-points.ts'

/** Tests that a result contains the points of one state, even if it takes several statements. */
export function describeConsistency(getEngine: () => SeriesEngine): void {
  describe('a result during uploads', () => {
    const points = (value: number): SpecPoint[] => [1, 2].map((sid) => [sid, '2023-01-01', value])

    /** Returns the result of a query that starts before a second version is published, and is read after it. */
    async function readLater(selections: Selection[], rest: Partial<SeriesQuery>): Promise<string> {
      await getEngine().dropDataset(281)
      await storePoints(getEngine(), 281, 1, [price], points(1))
      const { stream } = await getEngine().query({ symbolKeys: ['Code'], selections, ...rest })
      await storePoints(getEngine(), 281, 2, [price], points(2))
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }

    test.each(['STANDARD', 'UI'] as const)(
      'values, data and statistics of %s are consistent',
      async (format) => {
        const result = JSON.parse(
          await readLater([pick(281, [1, 2], [price])], { format, statistics: true, repeatAsData: true }),
        )
        expect(result.data).toEqual(result.values)
        expect(result.statistics[0].columns.Price).toMatchObject({ max: 1 })
        expect(JSON.stringify(result.values)).toMatch(/"Price":\[?1/)
      },
    )

    test('selections read one after the other are consistent', async () => {
      const text = await readLater([pick(281, [1], [price]), pick(281, [2], [price])], {})
      expect(text.split('\n').slice(1, -1)).toEqual(['S1,2023-01-01T00:00:00,1', 'S2,2023-01-01T00:00:00,1'])
    })

    test('a result includes everything published before the query', async () => {
      await readLater([pick(281, [1], [price])], {})
      const { stream } = await getEngine().query({
        symbolKeys: ['Code'],
        selections: [pick(281, [1], [price]), pick(281, [2], [price])],
        format: 'STANDARD',
      })
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const { values } = JSON.parse(Buffer.concat(chunks).toString())
      expect(values.map((row: { Price: number }) => row.Price)).toEqual([2, 2])
    })
  })
}
