import { expect, test } from 'vitest'
import { countInFirstView } from './first-view.ts'

const full = { tileWidth: 'full', tileHeight: 'half' }
const half = { tileWidth: 'half', tileHeight: 'half' }
const tall = { tileWidth: 'half', tileHeight: 'full' }
const low = { tileWidth: 'full', tileHeight: 'quarter' }
const many = (tile: typeof full) => Array.from({ length: 40 }, () => tile)

// A unit is 162 px in a window of 900 px, but at least 150 px and at most 280 px. The gap between rows is 12 px.
test.each([
  ['tiles of full width are stacked', [full, full, full, full], 1440, 900, 3],
  ['two halves share a row', many(half), 1440, 900, 6],
  ['low tiles take one unit', many(low), 1440, 900, 6],
  ['a row of halves has the height of the first tile', [tall, half, half, half, full], 1440, 900, 4],
  ['a row of halves has the height of the second tile', [half, tall, half, half, full], 1440, 900, 4],
  ['a single half tile has its own row', [half, full, half, full, full], 1440, 900, 3],
  ['below 768 px all tiles are stacked', many(half), 767, 900, 3],
  ['from 768 px on halves share a row', many(half), 768, 900, 6],
  ['tiles in a low window have at least 150 px', many(low), 1440, 486, 3],
  ['a tile that begins at the edge of the window is not visible', many(low), 1440, 487, 4],
  ['tiles in a high window have at most 280 px', many(low), 1440, 2920, 10],
  ['no tiles', [], 1440, 900, 0],
])('number of tiles in the first view of a window: %s', (_, tiles, width, height, count) => {
  expect(countInFirstView(tiles, width, height)).toBe(count)
})
