import { tableFromIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import {
  ms,
  pick,
  price,
  readBytes,
  readJson,
  readLines,
  settled,
  status,
  storePoints,
  volume,
} from './spec-points.ts'

/** Tests the layout with a column per series and value column. */
export function describeColumnLayout(getEngine: () => SeriesEngine): void {
  describe('column layout', () => {
    const columns = [price, volume, status, settled]
    async function store(): Promise<void> {
      await getEngine().dropDataset(220)
      await storePoints(getEngine(), 220, 1, columns, [
        [1, '2023-01-01', 1.5, 10, 'a,b', ms('2023-02-01')],
        [1, '2023-01-02', null, 20, null, null],
        [2, '2023-01-02', -2, null, 'x', null],
        [2, '2023-01-03T00:00:00.5', 3, null, null, null],
      ])
    }
    const rest = { layout: 'columns' } as const

    test('NCSV: a line per timestamp, columns in the order of the series, repeated names are numbered', async () => {
      await store()
      const selections = [pick(220, [2, 1], [price, status]), pick(220, [1], [volume, price])]
      expect(await readLines(getEngine(), selections, rest)).toEqual([
        'Date(UTC),S1_Price,S1_Status(S),S2_Price,S2_Status(S),S1_Volume(I),S1_Price_2',
        '2023-01-01T00:00:00,1.5,"a,b",,,10,1.5',
        '2023-01-02T00:00:00,,,-2,x,20,',
        '2023-01-03T00:00:00.500,,,3,,,',
      ])
      expect(
        await readLines(getEngine(), selections, { ...rest, order: 'desc', limit: 1, offset: 1 }),
      ).toEqual([
        'Date(UTC),S1_Price,S1_Status(S),S2_Price,S2_Status(S),S1_Volume(I),S1_Price_2',
        '2023-01-02T00:00:00,,,-2,x,20,',
      ])
    })

    test('empty columns can be omitted, gaps can be filled', async () => {
      await store()
      const selections = [pick(220, [1, 2, 9], [price, volume], { fill: { kind: 'previous' } })]
      expect(await readLines(getEngine(), selections, { ...rest, skipEmptyColumns: true })).toEqual([
        'Date(UTC),S1_Price,S1_Volume(I),S2_Price',
        '2023-01-01T00:00:00,1.5,10,',
        '2023-01-02T00:00:00,1.5,20,-2',
        '2023-01-03T00:00:00.500,1.5,20,3',
      ])
    })

    test('a selection without a column has no rows', async () => {
      await store()
      for (const skipEmptyColumns of [false, true])
        expect(await readLines(getEngine(), [pick(220, [1], [])], { ...rest, skipEmptyColumns })).toEqual([
          'Date(UTC)',
        ])
    })

    test('STANDARD: an object per timestamp', async () => {
      await store()
      const result = await readJson(getEngine(), [pick(220, [1, 2], [price, settled])], {
        ...rest,
        format: 'STANDARD',
      })
      expect(result.values[0]).toEqual({
        Date: '2023-01-01T00:00:00',
        S1_Price: 1.5,
        S1_Settled: '2023-02-01T00:00:00',
        S2_Price: null,
        S2_Settled: null,
      })
      expect(result.values).toHaveLength(3)
      expect(result.symbols).toEqual([{ Code: 'S1' }, { Code: 'S2' }])
    })

    test('ARROW: each column has its type', async () => {
      await store()
      const table = tableFromIPC(
        await readBytes(getEngine(), {
          ...rest,
          symbolKeys: ['Code'],
          format: 'ARROW',
          selections: [pick(220, [1, 2], columns)],
        }),
      )
      expect(table.schema.names).toEqual([
        'Date',
        ...['S1', 'S2'].flatMap((name) => columns.map((column) => `${name}_${column.name}`)),
      ])
      expect(table.toArray().map((row) => Object.values(row!.toJSON()))).toEqual([
        [ms('2023-01-01'), 1.5, 10n, 'a,b', ms('2023-02-01'), null, null, null, null],
        [ms('2023-01-02'), null, 20n, null, null, -2, null, 'x', null],
        [ms('2023-01-03T00:00:00.5'), null, null, null, null, 3, null, null, null],
      ])
    })

    test('a result without points has a header only; too many columns are rejected', async () => {
      await store()
      for (const format of ['NCSV', 'STANDARD', 'ARROW'] as const) {
        await readBytes(getEngine(), {
          ...rest,
          symbolKeys: [],
          format,
          selections: [pick(220, [7], [price])],
        })
        await readBytes(getEngine(), {
          ...rest,
          symbolKeys: [],
          format,
          selections: [],
          skipEmptyColumns: true,
        })
      }
      expect(await readLines(getEngine(), [pick(4711, [1], [price])], rest)).toEqual(['Date(UTC),S1_Price'])
      const sids = Array.from({ length: 2001 }, (_, index) => index + 1)
      await expect(readLines(getEngine(), [pick(220, sids, [price])], rest)).rejects.toMatchObject({
        code: 'too-large',
      })
      const lines = await readLines(getEngine(), [pick(220, sids.slice(0, 500), columns)], rest)
      expect(lines[0]!.split(',')).toHaveLength(2001)
      expect(lines).toHaveLength(4)
      await readBytes(getEngine(), {
        ...rest,
        symbolKeys: ['Code'],
        format: 'ARROW',
        selections: [pick(220, sids.slice(0, 500), columns)],
      })
      await expect(
        readLines(getEngine(), [pick(220, [1], [price])], { ...rest, corrections: 'true' }),
      ).rejects.toMatchObject({ code: 'invalid' })
    })
  })
}
