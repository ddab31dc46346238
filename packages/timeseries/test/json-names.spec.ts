import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { Selection, SeriesQuery } from '../src/series-query.ts'
import { ms, pick, price, readBytes, readJson, storePoints, volume } from './spec-points.ts'

/** Tests that every name in JSON is unique: a name that is taken gets a suffix. */
export function describeJsonNames(getEngine: () => SeriesEngine): void {
  describe('names in JSON', () => {
    async function store(points: Parameters<typeof storePoints>[4]): Promise<void> {
      await getEngine().dropDataset(280)
      await storePoints(getEngine(), 280, 1, [price, volume], points)
    }

    async function pandas(selections: readonly Selection[], rest: Partial<SeriesQuery> = {}) {
      const query: SeriesQuery = { symbolKeys: ['X', 'Y'], selections, format: 'PANDAS', ...rest }
      return JSON.parse((await readBytes(getEngine(), query)).toString()).data as unknown
    }

    test('in PANDAS each series has its own names, even where symbols and columns form the same text', async () => {
      await store([
        [1, '2023-01-01', 1, 10],
        [2, '2023-01-01', 2, 20],
        [3, '2023-01-01', 3, 30],
      ])
      const labelled = (columns: Selection['columns']): Selection => ({
        dataset: 280,
        series: [
          { sid: 1, symbols: ['A', 'B'] },
          { sid: 2, symbols: ['A_B', ''] },
          { sid: 3, symbols: ['A', ''] },
        ],
        columns,
      })
      expect(await pandas([labelled([price])])).toEqual({
        '2023-01-01T00:00:00': { A_B_Price: 1, A_B_Price_2: 2, A_Price: 3 },
      })
      expect(
        await pandas([
          labelled([
            { ...price, name: 'B_Price' },
            { ...volume, name: 'Price' },
          ]),
        ]),
      ).toEqual({
        '2023-01-01T00:00:00': {
          A_B_B_Price: 1,
          A_B_Price: 10,
          A_B_B_Price_2: 2,
          A_B_Price_2: 20,
          A_B_Price_3: 3,
          A_Price_3: 30,
        },
      })
      expect(await pandas([pick(280, [1], [price]), pick(280, [1], [price])])).toEqual({
        '2023-01-01T00:00:00': { S1_Price: 1, S1_Price_2: 1 },
      })
    })

    test('in PANDAS timestamps with the same text share a row only if no value is lost', async () => {
      await store([
        [1, '2023-01-01T08:00', 1, 10],
        [2, '2023-01-01T09:00', 2, 20],
        [1, '2023-01-02T08:00', 3, 30],
        [1, '2023-01-02T09:00', 4, null],
        [2, '2023-01-02T09:00', 5, 50],
      ])
      const selections = [pick(280, [1, 2], [price, volume])]
      const days = await pandas(selections, { dateFormat: 'yyyy-MM-dd' })
      expect(days).toEqual({
        '2023-01-01': { S1_Price: 1, S1_Volume: 10, S2_Price: 2, S2_Volume: 20 },
        '2023-01-02': { S1_Price: 3, S1_Volume: 30 },
        '2023-01-02_2': { S1_Price: 4, S2_Price: 5, S2_Volume: 50 },
      })
      const back = await pandas(selections, { dateFormat: 'yyyy-MM-dd', order: 'desc' })
      expect(Object.keys(back as object)).toEqual(['2023-01-02', '2023-01-02_2', '2023-01-01'])
      expect(back).toMatchObject({ '2023-01-02_2': { S1_Price: 3, S1_Volume: 30 } })
    })

    test('in PANDAS the repeated hour of a zone and all versions of a point are returned', async () => {
      await store([
        [1, '2023-10-29T00:30', 1, null],
        [1, '2023-10-29T01:30', 2, null],
      ])
      const selections = [pick(280, [1], [price])]
      expect(await pandas(selections, { timeZone: 'Europe/Berlin' })).toEqual({
        '2023-10-29T02:30:00': { S1_Price: 1 },
        '2023-10-29T02:30:00_2': { S1_Price: 2 },
      })
      await storePoints(getEngine(), 280, 2, [price], [[1, '2023-10-29T00:30', 7]])
      expect(await pandas(selections, { corrections: 'true' })).toEqual({
        '2023-10-29T00:30:00': { S1_Price: 1 },
        '2023-10-29T00:30:00_2': { S1_Price: 7 },
        '2023-10-29T01:30:00': { S1_Price: 2 },
      })
    })

    test('a value column named like another member of its row in STANDARD and UI gets a suffix', async () => {
      await store([[1, '2023-01-01', 1.5, 7]])
      const versionTexts = { name: 'FileId', texts: [[1, 'file-1']] as const }
      const firstRow = async (name: string, rest: Partial<SeriesQuery> = {}) => {
        const columns = [{ ...price, name }]
        const result = await readJson(getEngine(), [pick(280, [1], columns)], { format: 'STANDARD', ...rest })
        return result.values[0]
      }
      const row = { symbol: 0, Code: 'S1', Date: '2023-01-01T00:00:00' }
      expect(await firstRow('symbol')).toEqual({ ...row, symbol_2: 1.5 })
      expect(await firstRow('Code')).toEqual({ ...row, Code_2: 1.5 })
      expect(await firstRow('Date')).toEqual({ ...row, Date_2: 1.5 })
      expect(await firstRow('FileId', { versionTexts })).toEqual({ ...row, FileId_2: 1.5, FileId: 'file-1' })
      expect(await firstRow('InsertTime', { corrections: 'history' })).toEqual({
        ...row,
        InsertTime_2: 1.5,
        InsertTime: '1970-01-01T00:00:00',
      })
      expect(await firstRow('InsertTime')).toEqual({ ...row, InsertTime: 1.5 })
      expect(await firstRow('FileId', { format: 'UI', versionTexts })).toEqual({
        symbol: 0,
        timestamps: [ms('2023-01-01')],
        columns: { FileId_2: [1.5], FileId: ['file-1'] },
      })
      const keyed = await readJson(getEngine(), [pick(280, [1], [price])], {
        format: 'STANDARD',
        symbolKeys: ['symbol'],
      })
      expect(keyed.values).toEqual([{ symbol: 0, symbol_2: 'S1', Date: '2023-01-01T00:00:00', Price: 1.5 }])
    })

    test('a value column named Date gets a suffix beside the Date of column layout', async () => {
      await store([[1, '2023-01-01', 1.5, 7]])
      const selection = { ...pick(280, [1], [{ ...price, name: 'Date' }]), series: [{ sid: 1, symbols: [] }] }
      const result = await readJson(getEngine(), [selection], {
        symbolKeys: [],
        format: 'STANDARD',
        layout: 'columns',
      })
      expect(result.values).toEqual([{ Date: '2023-01-01T00:00:00', Date_2: 1.5 }])
    })
  })
}
