import { expect, test } from 'vitest'
import { newTile } from './new-tile.ts'
import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import { boundTile, paramSet, automaticTitle, isAutomatic } from '@headwater/tile-data/core'

const none: TileDataPrep = { symbols: [] }
const chart = (...series: [code: string, column: string][]): Tile => ({
  id: 'c',
  type: 'Chart',
  title: 'Line chart',
  series: series.map(([Code, column]) => ({ groupName: 'G', symbolList: [{ Code }], column })),
})

test.each([
  [[], 'Line chart'],
  [[['AAPL', 'Close']], 'Close of AAPL'],
  [
    [
      ['AAPL', 'Close'],
      ['MSFT', 'Close'],
    ],
    'Close of AAPL and MSFT',
  ],
  [
    [
      ['A', 'Close'],
      ['B', 'Close'],
      ['C', 'Close'],
    ],
    'Close of A and 2 more',
  ],
  [
    [
      ['AAPL', 'Close'],
      ['AAPL', 'Open'],
    ],
    'Close and Open of AAPL',
  ],
  [
    [
      ['AAPL', 'Close'],
      ['MSFT', 'Open'],
    ],
    'Close of AAPL and 1 more',
  ],
  [[['BRN/1!', 'Price ($)']], 'Price of BRN 1'],
  [[['TTF EUR/MWh', 'Settle']], 'Settle of TTF EUR MWh'],
  [[['*', 'Close']], 'Close'],
  [[['*', '$']], 'Line chart'],
] as [[string, string][], string][])('a chart of %j is titled %s', (series, title) => {
  expect(automaticTitle(chart(...series), none)).toBe(title)
})

test('tables and stats get automatic titles from their series too, texts do not', () => {
  const symbols = [{ groupName: 'G', symbols: { Code: 'AAPL' }, valueColumnNames: ['Close'] }]
  expect(automaticTitle(newTile('table', 't').tile, { symbols })).toBe('Close of AAPL')
  expect(automaticTitle(newTile('table', 't').tile, none)).toBe('Table')
  const series = [{ groupName: 'G', symbols: { Code: 'AAPL' }, column: 'Close', label: '' }]
  expect(automaticTitle({ ...newTile('stats', 't').tile, series }, none)).toBe('Close of AAPL')
  expect(automaticTitle(newTile('text', 't').tile, none)).toBeUndefined()
})

test('a title followed only by a number or a suffix counts as automatic', () => {
  for (const title of [
    'Table',
    'Table 2',
    'Table(1)',
    'Table 3(1)(1)',
    'Table (stats)',
    'Table (line chart) 2',
  ])
    expect(isAutomatic(title, 'Table'), title).toBe(true)
  for (const title of ['Tables', 'My Table', 'Table of prices', 'Table 2 B'])
    expect(isAutomatic(title, 'Table'), title).toBe(false)
  expect(isAutomatic('Text', undefined)).toBe(false)
})

test('an automatic title contains the symbols that parameters choose', () => {
  const set = { ...paramSet.parse({ keys: [{ symbolKey: 'Code' }] }), id: 'p1' }
  const choose = (Code: string) => [{ set, chosen: { values: { Code }, range: undefined } }]
  const heading = (tile: Tile, code: string) =>
    boundTile({ ...tile, sourceInputParamsId: 'p1' }, none, choose(code)).tile.heading
  const automatic = { ...chart(['AAPL', 'Close']), title: 'Close of AAPL 2' }
  expect(heading(automatic, 'MSFT')).toBe('Close of MSFT')
  expect(heading({ ...automatic, title: 'Close of AAPL (stats)' }, 'MSFT')).toBe('Close of MSFT (stats)')
  expect(heading(automatic, '*')).toBe('Close')
  expect(heading(automatic, '')).toBeUndefined()
  expect(heading({ ...automatic, title: 'Prices' }, 'MSFT')).toBeUndefined()
  expect(heading({ ...automatic, heading: 'All about it' }, 'MSFT')).toBe('All about it')
})
