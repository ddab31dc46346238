import { expect, test } from 'vitest'
import { emptyContent, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { dataChanges, symbolChanges, type TileSide } from './data-changes.ts'

const symbol = (Code: string, ...valueColumnNames: string[]) => ({
  groupName: 'Prices',
  symbols: { Code },
  valueColumnNames,
})
const line = (Code: string, more: object = {}) => ({
  label: '',
  groupName: 'Prices',
  symbolList: [{ Code }],
  column: 'Close',
  ...more,
})

/** A tile in an insight beside a tile “Rows” and the parameters “Regions”. */
function side(tile: object, dataPrep?: object): TileSide {
  const own = { id: 't', title: 'T', type: 'Table', ...tile } as Tile
  const content = {
    ...emptyContent(),
    tiles: [own, { id: 'rows', title: 'Rows', type: 'Table' }],
    datapreps: dataPrep === undefined ? {} : { t: dataPrep },
    inputParams: { p1: { title: 'Regions' } },
  } as InsightContent
  return { tile: own, content }
}
const changesOf = (before: TileSide | undefined, after: TileSide | undefined) =>
  dataChanges(before, after).changes.map(({ kind, text }) => `${kind}: ${text}`)

test('lists symbols of a table that were added, removed, or have other columns', () => {
  const before = side({}, { symbols: [symbol('Brent', 'Close'), symbol('WTI')] })
  const after = side({}, { symbols: [symbol('Gas', 'Close', 'Open'), symbol('Brent', 'Close', 'Open')] })
  expect(changesOf(before, after)).toEqual([
    'added: Symbol Gas of Prices, Close, Open',
    'changed: Symbol Brent of Prices: columns from Close to Close, Open',
    'removed: Symbol WTI of Prices, all columns',
  ])
})

test('a series moved to the front is the only change; a data prep that repeats the series does not count', () => {
  const chart = (...series: object[]) =>
    side(
      { type: 'Chart', series },
      {
        symbols: series.map((each) => ({
          ...each,
          symbols: (each as ReturnType<typeof line>).symbolList[0],
        })),
      },
    )
  expect(changesOf(chart(line('Brent')), chart(line('WTI'), line('Brent')))).toEqual([
    'added: Series WTI, Close of Prices',
  ])
  expect(
    changesOf(chart(line('Brent'), line('WTI')), chart(line('WTI'), line('Brent', { chartType: 'area' }))),
  ).toEqual([
    'changed: Series Brent, Close: chart type from not set to area',
    'changed: Series are in a different order',
  ])
})

test('treats a series with the same label and another symbol as the same series', () => {
  const chart = (Code: string) => side({ type: 'Chart', series: [line(Code, { label: 'Crude' })] })
  expect(changesOf(chart('Brent'), chart('WTI'))).toEqual([
    'changed: Series Crude: symbols from Brent to WTI',
  ])
})

test('lists columns of a table by name', () => {
  const table = (...columns: object[]) => side({ columns })
  expect(
    changesOf(
      table({ columnId: 'Close', unit: '' }, { columnId: 'Open' }),
      table({ columnId: 'High' }, { columnId: 'Close', unit: '$', hidden: true }),
    ),
  ).toEqual([
    'added: Column High',
    'changed: Column Close: unit from empty to $, hidden from not set to yes',
    'removed: Column Open',
  ])
})

test.each([
  [{ type: 'DATA_PREP', value: 'BASKET' }, 'the basket'],
  [{ type: 'DATA_PREP', value: { groupName: 'Prices', name: 'Daily' } }, 'the data prep Daily of Prices'],
  [{ type: 'FILE', value: { groupName: 'Tables', fileName: 'a.csv' } }, 'the file a.csv of Tables'],
  [{ type: 'SOURCE_TILE', value: 'rows' }, 'the tile “Rows”'],
  [{ type: 'SOURCE_TILE', value: 'gone' }, 'a missing tile'],
  [{ type: 'EDITOR' }, 'text in the tile'],
])('describes the source %j', (source, texts) => {
  expect(changesOf(side({}), side({ source }))).toEqual([`changed: Source from its own series to ${texts}`])
})

test('describes a saved data prep referenced by name', () => {
  const saved = side({}, { name: 'Daily', outputGroup: 'Prices', symbols: [] })
  expect(changesOf(side({}, { symbols: [] }), saved)).toEqual([
    'changed: Source from its own series to the data prep Daily of Prices',
  ])
})

test('names bound parameters by their title', () => {
  const bound = side({ sourceInputParamsId: 'p1' })
  expect(changesOf(side({}), bound)).toEqual(['added: Parameters: Regions'])
  expect(changesOf(bound, side({}))).toEqual(['removed: Parameters: Regions'])
})

test('an added or removed tile lists all its data', () => {
  const tile = side({ columns: [{ columnId: 'Close' }] }, { symbols: [symbol('Brent')] })
  const texts = ['Symbol Brent of Prices, all columns', 'Column Close']
  expect(changesOf(undefined, tile)).toEqual(texts.map((text) => `added: ${text}`))
  expect(changesOf(tile, undefined)).toEqual(texts.map((text) => `removed: ${text}`))
})

test('lists values without a text as stored', () => {
  const before = side({ columns: [{ columnId: 'A', asyncFilters: [] }] }, { symbols: [], formula: 'x' })
  const after = side({ columns: [{ columnId: 'A', asyncFilters: [{ name: 'Code' }] }] }, { symbols: [] })
  expect(dataChanges(before, after)).toEqual({
    changes: [{ kind: 'changed', text: 'Data: formula from x to not set' }],
    rest: [{ path: 'Column A › Async filters', before: [], after: [{ name: 'Code' }] }],
  })
})

test('compares series that belong to no tile', () => {
  expect(symbolChanges([symbol('Brent')], [symbol('WTI')]).changes).toEqual([
    { kind: 'added', text: 'Symbol WTI of Prices, all columns' },
    { kind: 'removed', text: 'Symbol Brent of Prices, all columns' },
  ])
  expect(symbolChanges(undefined, 'damaged').changes).toEqual([])
})
