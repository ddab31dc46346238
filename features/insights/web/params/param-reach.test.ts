import { expect, test } from 'vitest'
import {
  basketOf,
  type KnownSources,
  reachText,
  tilesReached,
  paramSet,
  type ParamSet,
  initialValues,
  rangeField,
} from '@headwater/tile-data/core'
import { emptyContent, type Tile } from '@headwater/tile-data/contract'

const bound = { sourceInputParamsId: 'p1' }
const tile = (id: string, more: object = {}): Tile => ({ id, title: id, type: 'Table', ...bound, ...more })
const prices = (symbols: object, more: object = {}) => ({
  symbols: [{ groupName: 'Prices', symbols, ...more }],
})
const set = (fields: object): ParamSet => ({ ...paramSet.parse(fields), id: 'p1' })
const ofProduct = { keys: [{ symbolKey: 'Code', label: 'Product' }] }

/** Returns a description of the tiles that follow a set. */
function reach(
  given: ParamSet,
  tiles: Tile[],
  { datapreps = {}, only, known }: { datapreps?: object; only?: string; known?: Partial<KnownSources> } = {},
) {
  const content = { ...emptyContent(), tiles, datapreps: { ...datapreps } }
  const sets = [{ set: given, chosen: initialValues(given) }]
  const all = { symbolsOf: () => undefined, columnsOf: () => undefined, ...known }
  const { summary, problems } = reachText(
    tilesReached(given, tiles, { content, basket: basketOf(content), sets }, all),
    only,
  )
  return [summary, ...problems.map(({ text }) => text)]
}

test('tiles with the key, regardless of case or by a pattern, follow a field; a tile whose series lack the key is named', () => {
  const tiles = [
    tile('Oil'),
    tile('Any'),
    { ...tile('Line'), type: 'Chart', series: [{ groupName: 'Prices', symbolList: [{ Code: 'Gas' }] }] },
    tile('Stocks'),
    tile('Empty'),
    tile('Unbound', { sourceInputParamsId: undefined }),
  ]
  const datapreps = {
    Oil: prices({ code: 'Brent' }),
    Any: prices({ Region: '*' }, { pattern: true }),
    Stocks: prices({ Ticker: 'AAPL' }),
    Unbound: prices({ Code: 'Brent' }),
  }
  expect(reach(set(ofProduct), tiles, { datapreps })).toEqual([
    'Changes 3 tiles.',
    '“Stocks” ignores Product: its series have no key Code.',
    '“Empty” ignores Product: it has no series.',
  ])
  expect(reach(set(ofProduct), [tile('Oil')], { datapreps })).toEqual(['Changes 1 tile.'])
  expect(reach(set(ofProduct), [tile('Stocks')], { datapreps })[0]).toBe('Changes no tile.')
  expect(reach(set(ofProduct), tiles.slice(5), { datapreps })).toEqual(['No tile uses these parameters.'])
})

test('a tile that follows only part of a set lists the fields it does not follow', () => {
  const given = set({
    keys: [{ symbolKey: 'Code' }, { symbolKey: 'Region' }, { symbolKey: 'Desk', symbolType: 'METADATA' }],
  })
  const tiles = [tile('Oil')]
  const datapreps = { Oil: prices({ Code: 'Brent' }) }
  expect(reach(given, tiles, { datapreps })).toEqual([
    'Changes 1 tile.',
    '“Oil” ignores Region: its series have no key Region.',
  ])
  expect(reach(given, tiles, { datapreps, only: 'Region' })).toEqual([
    'Changes no tile.',
    '“Oil” ignores Region: its series have no key Region.',
  ])
  expect(reach(given, tiles, { datapreps, only: 'Desk' })).toEqual(['Changes 1 tile.'])
})

test('a text that contains the label follows the field, bound or not; a data tile with the label in its heading still needs the key', () => {
  const labels = { type: 'Text', templateContent: 'Of {{Product}}', sourceInputParamsId: undefined }
  const plain = { type: 'Text', templateContent: 'Of oil' }
  const stocks = tile('Stocks', { heading: 'Stocks of {{Product}}' })
  const datapreps = { Stocks: prices({ Ticker: 'AAPL' }) }
  expect(reach(set(ofProduct), [stocks], { datapreps })[1]).toBe(
    '“Stocks of the default product” ignores Product: its series have no key Code.',
  )
  expect(reach(set(ofProduct), [tile('Text', labels), tile('Plain', plain)])).toEqual([
    'Changes 1 tile.',
    '“Plain” ignores Product: it has no data and its text does not contain {{Product}}.',
  ])
})

test('files and typed rows follow by their columns, saved data preps by their symbols; unknown sources count as following', () => {
  const source = { type: 'FILE', value: { groupName: 'Tables', fileName: 'a.csv' } }
  const prep = { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Daily' } }
  const tiles = [tile('File', { source }), tile('Prep', { source: prep })]
  expect(reach(set(ofProduct), tiles)).toEqual(['Changes 2 tiles.'])
  const known: KnownSources = { symbolsOf: () => [{ symbols: { Ticker: 'A' } }], columnsOf: () => ['City'] }
  expect(reach(set(ofProduct), tiles, { known })).toEqual([
    'Changes no tile.',
    '“File” ignores Product: its rows have no column Code.',
    '“Prep” ignores Product: its series have no key Code.',
  ])
  const dates = set({ basicInputParamsType: 'FILE', fileColumns: [{ column: 'Since', valueType: 'DATE' }] })
  expect(reach(dates, [tile('Oil')], { datapreps: { Oil: prices({ Since: 'x' }) } })[1]).toBe(
    '“Oil” ignores Since: its series have no date column.',
  )
})

test('a tile that shows the rows of a bound tile follows the same fields and range', () => {
  const given = set({ ...ofProduct, withDateRange: true })
  const unbound = { sourceInputParamsId: undefined }
  const rowsOf = (value: string) => ({ ...unbound, source: { type: 'SOURCE_TILE', value } })
  const tiles = [
    tile('Oil'),
    tile('Copy', rowsOf('Oil')),
    tile('Second', rowsOf('Copy')),
    tile('Free', unbound),
  ]
  const datapreps = { Oil: prices({ Code: 'Brent' }), Free: prices({ Code: 'Brent' }) }
  expect(reach(given, tiles, { datapreps })).toEqual(['Changes 3 tiles.'])
  expect(reach(given, tiles, { datapreps, only: rangeField })).toEqual(['Changes 3 tiles.'])
})

test('series follow the range of a set, unless their tile keeps its own range; files do not', () => {
  const given = set({ ...ofProduct, withDateRange: true })
  const source = { type: 'FILE', value: { groupName: 'Tables', fileName: 'a.csv' } }
  const tiles = [
    tile('Oil'),
    tile('Kept', { keepOwnRange: true }),
    tile('File', { source }),
    tile('Copy', { source: { type: 'SOURCE_TILE', value: 'Free' } }),
    tile('Free', { sourceInputParamsId: undefined }),
  ]
  const datapreps = Object.fromEntries(['Oil', 'Kept', 'Free'].map((id) => [id, prices({ Code: 'Gas' })]))
  expect(reach(given, tiles, { datapreps, only: rangeField })).toEqual([
    'Changes 1 tile.',
    '“Kept” ignores Range: it keeps its own range.',
    '“File” ignores Range: files and inline CSV have no range.',
    '“Copy” ignores Range: it uses the range of its source tile.',
  ])
})
