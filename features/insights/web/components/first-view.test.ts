import { expect, test } from 'vitest'
import { countInFirstView } from './first-view.ts'

const full = { tileWidth: 'full', tileHeight: 'half' }
const half = { tileWidth: 'half', tileHeight: 'half' }
const tall = { tileWidth: 'half', tileHeight: 'full' }

test.each([
  ['tiles of the whole width stand one above the other', [full, full, full, full], 1440, 3],
  ['two halves share a row', [half, half, half, half, half, half, half], 1440, 6],
  ['a row of halves is as high as the higher one', [tall, half, half, half, full], 1440, 4],
  ['a half that stands alone has a row of its own', [half, full, half, full, full], 1440, 3],
  ['on a phone all stand one above the other', [half, half, half, half], 390, 3],
  ['no tiles', [], 1440, 0],
])('how many tiles the window shows first: %s', (_, tiles, width, count) => {
  expect(countInFirstView(tiles, width, 900)).toBe(count)
})
