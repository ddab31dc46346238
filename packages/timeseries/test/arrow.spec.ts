import { compileExpression, parseExpression } from '@headwater/formula'
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

    test('a result of formulas alone has the same schema and rows as one with other options', async () => {
      const engine = getEngine()
      const days = Array.from(
        { length: 200 },
        (_, day) => Date.UTC(1901, 0, 1) + day * 86_400_000 + (day % 3),
      )
      await storePoints(
        engine,
        212,
        1,
        [price],
        days.flatMap((at, day) => [
          [1, new Date(at).toISOString(), day % 7 === 0 ? null : day - 100],
          [2, new Date(at).toISOString(), day % 5],
        ]),
      )
      await storePoints(engine, 212, 2, [price], [[2, new Date(days[3]!).toISOString(), 1000]])
      const inputs = [1, 2].map((sid) => ({ dataset: 212, sid, column: price }))
      const selections = ['a - b', 'a / b', 'mean(b, 3)', 'a * 0', 'ln(a)', 'a + c'].map((text, index) => ({
        dataset: 212,
        columns: [{ id: 9, name: hostile, type: 'double' as const }],
        series: [{ sid: 9, symbols: [['', 'é', 'F', '日本語', 'a,b', 'no points'][index]!, `S${index}`] }],
        formula: {
          join: 'outer' as const,
          inputs: [...inputs, { dataset: 4711, sid: 1, column: price }],
          expression: compileExpression(parseExpression(text, ['a', 'b', 'c']).tree!),
        },
      }))
      const between = { kind: 'BETWEEN', from: days[2]! + 1, to: days[150]! } as const
      for (const rest of [
        {},
        { timeZone: 'Asia/Tokyo', range: between },
        { asOf: 1, selections: selections.slice(0, 2) },
        { range: { kind: 'BETWEEN', from: Date.UTC(2020, 0, 1) } as const },
      ]) {
        const query = { symbolKeys: ['Code', 'ts'], format: 'ARROW' as const, selections, ...rest }
        const [alone, other] = await Promise.all(
          [query, { ...query, limit: 1_000_000 }].map(async (each) => {
            const table = tableFromIPC(await readBytes(engine, each))
            const fields = table.schema.fields.map(({ name, type, nullable }) => [
              name,
              String(type),
              nullable,
            ])
            return { fields, rows: table.toArray().map((row) => Object.values(row!.toJSON())) }
          }),
        )
        expect(alone!.rows.length).toBe(other!.rows.length)
        expect(alone).toEqual(other)
      }
    })

    test('the points of a long formula are returned as one stream', async () => {
      const count = 90_000
      const batches = [1, 2].map((sid) => ({
        sids: new Uint32Array(count).fill(sid),
        timestamps: Float64Array.from({ length: count }, (_, row) => row * 1000),
        values: [Float64Array.from({ length: count }, (_, row) => row)],
      }))
      await getEngine().stage({ dataset: 213, version: 1, columns: [price], batches })
      await getEngine().publish(213, 1)
      const selections = [1, 2].map((factor) => ({
        dataset: 213,
        columns: [{ ...price, id: 9 }],
        series: [{ sid: 9, symbols: [`F${factor}`] }],
        formula: {
          join: 'inner' as const,
          inputs: [1, 2].map((sid) => ({ dataset: 213, sid, column: price })),
          expression: compileExpression(parseExpression(`a * ${factor} + b`, ['a', 'b']).tree!),
        },
      }))
      const table = tableFromIPC(
        await readBytes(getEngine(), { symbolKeys: ['Code'], format: 'ARROW', selections }),
      )
      expect(table.numRows).toBe(2 * count)
      for (const row of [0, 65_535, 65_536, count - 1, count, count + 70_000, 2 * count - 1]) {
        const at = row % count
        const factor = row < count ? 1 : 2
        const { Code, Date: date, Price: value } = table.get(row)!.toJSON()
        expect([Code, Number(date), value]).toEqual([`F${factor}`, at * 1000, at * (factor + 1)])
      }
    })

    test('a result of many blocks is one stream; an empty result has its columns', async () => {
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
