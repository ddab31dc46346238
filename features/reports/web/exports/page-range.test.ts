import { expect, test } from 'vitest'
import {
  basketOf,
  pageRangeIn,
  paramSetsOf,
  initialValues,
  tileQuery,
  dataPrepOf,
  appliedTile,
  type AppliedInsight,
  followsPage,
  tileRange,
} from '@headwater/tile-data/core'
import { emptyContent, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { printedParams } from './printed-params.ts'
import { describePageRange, describeRange } from '@headwater/tile-data/web'

const rangeIn = (text: string) => pageRangeIn(new URLSearchParams({ range: text }), '2026-11-23')
const table = (id: string, more: object = {}): Tile => ({
  id,
  title: id.toUpperCase(),
  type: 'Table',
  range: 'LAST',
  lastTypeAmount: 5,
  ...more,
})
const symbols = [{ groupName: 'Prices', symbols: { Code: 'Brent' } }]

/** Tiles that query the same series, on a page with a range. */
function insight(tiles: Tile[], range?: string, more: Partial<InsightContent> = {}): AppliedInsight {
  const datapreps = Object.fromEntries(tiles.map(({ id }) => [id, { symbols }]))
  const content = { ...emptyContent(), tiles, datapreps, ...more }
  const sets = paramSetsOf(content).map((set) => ({ set, chosen: initialValues(set) }))
  const pageRange = range === undefined ? undefined : rangeIn(range)
  return { content, sets, basket: basketOf(content), range: pageRange?.chosen }
}
/** Returns the query of a tile of an insight. */
function queryOf(given: AppliedInsight, id: string) {
  const stored = given.content.tiles.find((tile) => tile.id === id)!
  const { tile, dataPrep } = appliedTile(stored, dataPrepOf(given.content, id), given)
  return tileQuery(tile, dataPrep.symbols, given)
}
const rangeTextOf = (given: AppliedInsight, id: string) => describeRange(queryOf(given, id).range)

test('the URL sets the range of the page with a preset or two dates; other text sets no range', () => {
  const describe = (text: string) => {
    const range = rangeIn(text)
    return range && [describePageRange(range), describeRange(range.chosen)]
  }
  expect(describe('LAST 1 MONTHS')).toEqual(['last month', 'last month'])
  expect(describe('LAST 1 DAYS')).toEqual(['last day', 'last day'])
  expect(describe('LAST 1 WEEKS')).toEqual(['last 7 days', 'last week'])
  expect(describe('LAST 3 MONTHS')).toEqual(['last 3 months', 'last 3 months'])
  expect(describe('YTD')).toEqual(['year to date', '2026-01-01 to the end'])
  expect(describe('2026-01-31..')).toEqual(['2026-01-31 to the end', '2026-01-31 to the end'])
  expect(describe('LAST 7 VALUES')?.[0]).toBe('last 7 values')
  const notReal = ['2026-13-45..', '..2026-02-30', '2026-02-01..2026-01-01']
  for (const text of ['', '..', 'LAST 0 DAYS', 'NEXT 1 DAYS', '1 January..', 'ytd', ...notReal])
    expect(describe(text)).toBeUndefined()
})

test('tiles follow the range of the page, unless they have their own or follow parameters', () => {
  const inputParams = { p1: { title: 'Days', withDateRange: true, lastType: 'DAYS', lastValue: 30 } }
  const bound = { sourceInputParamsId: 'p1' }
  const tiles = [
    table('free', { fromTime: '12:00', timeZone: 'Europe/Oslo' }),
    table('ownRange', { keepOwnRange: true }),
    table('bound', bound),
    table('both', { ...bound, keepOwnRange: true }),
    table('file', { source: { type: 'FILE', value: { groupName: 'A', fileName: 'b.csv' } } }),
    table('other', { source: { type: 'SOURCE_TILE', value: 'ownRange' } }),
  ]
  const of = (range?: string) => {
    const given = insight(tiles, range, { inputParams })
    return tiles.slice(0, 4).map(({ id }) => rangeTextOf(given, id))
  }
  expect(of()).toEqual(['last 5 values', 'last 5 values', 'last 30 days', 'last 5 values'])
  expect(of('2026-01-01..2026-01-31')).toEqual([
    '2026-01-01 to 2026-01-31',
    'last 5 values',
    'last 30 days',
    'last 5 values',
  ])
  const given = insight(tiles, '2026-01-01..2026-01-31', { inputParams })
  expect(queryOf(given, 'free').range).toMatchObject({ fromTime: '', timeZone: 'Europe/Oslo' })
  expect(tiles.map((tile) => tileRange(tile, given).by)).toEqual([
    'page',
    'tile',
    'parameters',
    'tile',
    'nothing',
    'tile',
  ])
  expect(tiles.map((tile) => followsPage(tile, insight(tiles, undefined, { inputParams })))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('the basket, saved data preps and rows of another tile also follow the range of the page', () => {
  const prep = { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Daily' } }
  const tiles = [
    table('basket', { source: { type: 'DATA_PREP', value: 'BASKET' } }),
    table('prep', { source: prep }),
    table('keptPrep', { source: prep, keepOwnRange: true }),
    table('other', { source: { type: 'SOURCE_TILE', value: 'rows' } }),
    table('rows', { range: undefined }),
  ]
  const basket = { items: [{ groupName: 'Prices', symbols: { Code: 'Gas' } }], settings: { range: 'ALL' } }
  const given = insight(tiles, 'LAST 1 WEEKS', { basket })
  expect(['basket', 'other', 'rows'].map((id) => rangeTextOf(given, id))).toEqual(Array(3).fill('last week'))
  expect(queryOf(given, 'prep').chosenRange).toMatchObject({ lastType: 'WEEKS', lastTypeAmount: 1 })
  expect(queryOf(given, 'keptPrep').chosenRange).toBeUndefined()
  expect(rangeTextOf(insight(tiles, undefined, { basket }), 'basket')).toBe('all')
})

test('a seasonality chart keeps its range, because it compares years', () => {
  const chart = (id: string, more: object = {}): Tile => ({
    ...table(id, { lastTypeAmount: 6, lastType: 'YEARS', ...more }),
    type: 'Chart',
    basicChartType: 'seasonality',
  })
  const years = { by: 'tile', isFixed: true, comparesYears: true }
  const prep = { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Daily' } }
  const tiles = [
    chart('own'),
    chart('ofTable', { source: { type: 'SOURCE_TILE', value: 'rows' } }),
    chart('prep', { source: prep }),
    table('rows'),
    table('ofChart', { source: { type: 'SOURCE_TILE', value: 'own' } }),
  ]
  const given = insight(tiles, 'LAST 1 WEEKS')
  expect(tiles.map((tile) => tileRange(tile, given).by)).toEqual(['tile', 'tile', 'tile', 'page', 'tile'])
  expect(tileRange(tiles[0]!, given)).toMatchObject(years)
  const ids = ['own', 'ofTable', 'rows', 'ofChart']
  expect(ids.map((id) => rangeTextOf(given, id))).toEqual([
    'last 6 years',
    'last 5 values',
    'last week',
    'last 6 years',
  ])
  expect(queryOf(given, 'prep').chosenRange).toBeUndefined()
  expect(followsPage(tiles[0]!, insight(tiles))).toBe(false)
})

test('a printed document states the range of the page and of each tile with another range, even with equal labels', () => {
  const days = (lastValue: number) => ({ withDateRange: true, lastType: 'DAYS', lastValue })
  const inputParams = {
    p1: { ...days(30), keys: [{ symbolKey: 'Term', label: 'Range' }] },
    p2: { ...days(2), isHidden: true },
  }
  const tiles = [
    table('a'),
    table('b', { keepOwnRange: true }),
    table('b2', { title: 'B', keepOwnRange: true }),
    table('c', { sourceInputParamsId: 'p1' }),
    table('d', { sourceInputParamsId: 'p2' }),
  ]
  const headerBoxes = [{ id: 'x', title: 'Box', content: 'STATISTIC' }]
  const printed = (range?: string) => {
    const pageRange = range === undefined ? undefined : rangeIn(range)
    const given = { ...insight(tiles, range, { inputParams, headerBoxes }), pageRange }
    return printedParams(given).map(({ label, value, isParameter }) =>
      isParameter ? [label, value, 'parameter'] : [label, value],
    )
  }
  expect(printed()).toEqual([
    ['Range', 'Default', 'parameter'],
    ['Range of p1', 'last 30 days', 'parameter'],
  ])
  expect(printed('LAST 1 YEARS')).toEqual([
    ['Range', 'Default', 'parameter'],
    ['Range of p1', 'last 30 days', 'parameter'],
    ['Page range', 'last 12 months'],
    ['Range of “B”', 'last 5 values'],
    ['Range of “B”', 'last 5 values'],
    ['Range of “D”', 'last 2 days'],
    ['Summary boxes', 'Summary boxes keep their own range.'],
  ])
})

test('a printed document says Any only for a choice of any value, not for tiles that keep their series', () => {
  const keys = (defaultValue: string) => ({ keys: [{ symbolKey: 'Metal', defaultValue }] })
  const value = (given: object) =>
    printedParams(insight([], undefined, { inputParams: { p1: given } }))[0]!.value
  const ofFile = { basicInputParamsType: 'FILE', fileColumns: [{ column: 'Metal' }] }
  expect([keys(''), keys('*'), keys('Nickel'), ofFile].map(value)).toEqual([
    'Default',
    'Any',
    'Nickel',
    'Any',
  ])
})
