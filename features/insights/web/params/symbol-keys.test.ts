import { expect, test } from 'vitest'
import { emptyContent } from '@headwater/tile-data/contract'
import { keysOfTiles } from './symbol-keys.ts'

const offered = [
  { name: 'Commodity', kind: 'symbol' },
  { name: 'Kind', kind: 'symbol' },
  { name: 'Region', kind: 'symbol' },
  { name: 'Unit', kind: 'metadata' },
]

test('new parameters have the keys that the tiles use, and the value that all tiles share', () => {
  const series = [
    { groupName: 'Prices', column: 'Close', symbolList: [{ Commodity: 'Brent', Kind: 'Spot' }] },
  ]
  const symbols = { Commodity: 'Brent', Kind: 'Future', Unit: 'USD' }
  const content = {
    ...emptyContent(),
    tiles: [
      { id: 'chart', title: 'Chart', type: 'Chart', series },
      { id: 'table', title: 'Table', type: 'Table' },
    ],
    datapreps: { table: { symbols: [{ groupName: 'Prices', symbols }] } },
  }
  expect(keysOfTiles(content, offered)).toEqual([
    { symbolKey: 'Commodity', defaultValue: 'Brent' },
    { symbolKey: 'Kind', defaultValue: '' },
  ])
  expect(keysOfTiles(emptyContent(), offered)).toEqual([])
  expect(keysOfTiles(emptyContent(), offered.slice(0, 1))).toEqual([
    { symbolKey: 'Commodity', defaultValue: '' },
  ])
})
