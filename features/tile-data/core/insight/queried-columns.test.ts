import { expect, test } from 'vitest'
import { emptyContent, type InsightContent } from '../../contract/index.ts'
import { appliedInsight } from './applied-insight.ts'
import { queriedColumns } from './param-reach.ts'

const bound = { title: 't', type: 'Table', sourceInputParamsId: 'p1' }
const series = { symbols: [{ groupName: 'Prices', symbols: { Code: 'A' } }] }
const file = { type: 'FILE', value: { groupName: 'Prices', fileName: 'cities.csv' } }
const prep = { type: 'DATA_PREP', value: { groupName: 'Prices', name: 'Closes' } }

function columnsOf(tiles: object[], datapreps: object): string[] {
  const fileColumns = [{ column: 'code' }, { column: 'City' }, { column: 'Day', valueType: 'DATE' }]
  const inputParams = { p1: { basicInputParamsType: 'FILE', fileColumns } }
  const content = { ...emptyContent(), tiles, datapreps, inputParams } as InsightContent
  const insight = appliedInsight(content, { parameters: {} })
  return [...queriedColumns(insight.sets[0]!.set, insight)]
}

test('a column changes a query if a bound tile shows series with a key of the same name', () => {
  expect(columnsOf([{ ...bound, id: 't' }], { t: series })).toEqual(['code'])
  expect(columnsOf([{ ...bound, id: 't', sourceInputParamsId: 'p2' }], { t: series })).toEqual([])
  expect(columnsOf([{ ...bound, id: 't', source: file }], { t: series })).toEqual([])
  const chart = { ...bound, id: 't', type: 'Chart', series: [{ symbolList: [{ City: 'Oslo' }] }] }
  expect(columnsOf([chart], {})).toEqual(['City'])
})

test('a tile with the rows of another tile, and a saved data prep, follow columns', () => {
  const source = { ...bound, id: 'a', sourceInputParamsId: undefined }
  const other = { ...bound, id: 'b', source: { type: 'SOURCE_TILE', value: 'a' } }
  expect(columnsOf([source, other], { a: series })).toEqual(['code'])
  expect(columnsOf([{ ...bound, id: 't', source: prep }], {})).toEqual(['code', 'City'])
})
