import { expect, test } from 'vitest'
import { countInFirstView } from './first-view.ts'

const full = { tileWidth: 'full', tileHeight: 'half' }
const half = { tileWidth: 'half', tileHeight: 'half' }
const tall = { tileWidth: 'half', tileHeight: 'full' }
const low = { tileWidth: 'full', tileHeight: 'quarter' }
const many = (tile: typeof full) => Array.from({ length: 40 }, () => tile)

// A unit is 162 px in a window of 900, 150 at least and 280 at most, and 12 px stand between rows.
test.each([
  ['tiles of the whole width stand one above the other', [full, full, full, full], 1440, 900, 3],
  ['two halves share a row', many(half), 1440, 900, 6],
  ['low tiles take one unit', many(low), 1440, 900, 6],
  ['a row of halves is as high as the first', [tall, half, half, half, full], 1440, 900, 4],
  ['a row of halves is as high as the second', [half, tall, half, half, full], 1440, 900, 4],
  ['a half that stands alone has a row of its own', [half, full, half, full, full], 1440, 900, 3],
  ['below 768 px all stand one above the other', many(half), 767, 900, 3],
  ['from 768 px on halves share a row', many(half), 768, 900, 6],
  ['tiles of a low window are not lower than 150 px', many(low), 1440, 486, 3],
  ['one that begins at the edge of the window is not in it', many(low), 1440, 487, 4],
  ['tiles of a high window are not higher than 280 px', many(low), 1440, 2920, 10],
  ['no tiles', [], 1440, 900, 0],
])('number of tiles in the first view of a window: %s', (_, tiles, width, height, count) => {
  expect(countInFirstView(tiles, width, height)).toBe(count)
})
