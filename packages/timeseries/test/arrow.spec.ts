import { tableFromIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import { ms, pick, price, readBytes, settled, status, storePoints, volume } from './spec-points.ts'

/** Tests results as Apache Arrow. */
export function describeArrow(getEngine: () => SeriesEngine): void {
  describe('Arrow', () => {
    const hostile = `it's a \`name\` with "\\" and\ta tab`

    test('columns have the names and types of the contract, empty values are null', async () => {
      await storePoints(
        getEngine(),
        210,
        1,
        [price, volume, status, settled],
        [
          [1, '2023-06-01T12:00', 1.005, 9007199254740991, 'a"b', ms('2023-06-02')],
          [1, '2023-06-01T12:00:00.001', null, null, 'c', null],
        ],
      )
      const query = {
        symbolKeys: ['Code', 'ts'],
        metadataColumns: [{ name: 'v0', type: 'string' as const }],
        format: 'ARROW' as const,
        timeZone: 'Europe/London',
        decimalPrecision: 2,
        selections: [
          {
            ...pick(210, [], [price, volume, { ...status, name: 'label0' }, { ...settled, name: hostile }]),
            series: [{ sid: 1, symbols: ['X', ''], metadata: ['USD'] }],
          },
        ],
      }
      const table = tableFromIPC(await readBytes(getEngine(), query))
      expect(table.schema.fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
        'Code: Utf8',
        'ts: Utf8',
        'Date: Timestamp<MILLISECOND, Europe/London>',
        'Price: Float64',
        'Volume: Int64',
        'label0: Utf8',
        `${hostile}: Timestamp<MILLISECOND, Europe/London>`,
        'v0: Utf8',
      ])
      expect(table.toArray().map((row) => Object.values(row!.toJSON()))).toEqual([
        ['X', '', ms('2023-06-01T12:00'), 1.01, 9007199254740991n, 'a"b', ms('2023-06-02'), 'USD'],
        ['X', '', ms('2023-06-01T12:00:00.001'), null, null, 'c', null, 'USD'],
      ])
    })

    test('a result of many blocks is one stream, an empty one has its columns', async () => {
      const count = 200_000
      await getEngine().stage({
        dataset: 211,
        version: 1,
        columns: [price],
        batches: [
          {
            sids: new Uint32Array(count).fill(1),
            timestamps: Float64Array.from({ length: count }, (_, row) => row * 1000),
            values: [Float64Array.from({ length: count }, (_, row) => row)],
          },
        ],
      })
      await getEngine().publish(211, 1)
      const query = { symbolKeys: ['Code'], format: 'ARROW' as const }
      const table = tableFromIPC(
        await readBytes(getEngine(), { ...query, selections: [pick(211, [1], [price])] }),
      )
      expect(table.numRows).toBe(count)
      expect(Number(table.getChild('Price')!.get(count - 1))).toBe(count - 1)
      for (const dataset of [211, 4711]) {
        const selections = [pick(dataset, [99], [price])]
        const empty = tableFromIPC(await readBytes(getEngine(), { ...query, selections }))
        expect([empty.numRows, empty.schema.names]).toEqual([0, ['Code', 'Date', 'Price']])
      }
    })
  })
}
