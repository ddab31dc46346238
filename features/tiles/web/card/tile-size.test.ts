import { expect, test } from 'vitest'
import type { TileSize } from '@headwater/tile-data/contract'
import { boxOfSize, draggedSize, sizePercent, sizeLabel, steppedSize } from './tile-size.ts'

const half: TileSize = { tileWidth: 'half', tileHeight: 'half' }
const full: TileSize = { tileWidth: 'full', tileHeight: 'quarter' }
/**
 * A grid that is 1012 pixels wide with rows of 150 pixels: the left one of two tiles, and a tile over the whole width.
 */
const left = { columns: 2, gridWidth: 1012, gap: 12, left: 0, width: 500, height: 312 }
const whole = { columns: 2, gridWidth: 1012, gap: 12, left: 0, width: 1012, height: 150 }
const edge = { right: true, bottom: false }
const bottom = { right: false, bottom: true }

test.each([
  [half, left, 240, 'half'],
  [half, left, 270, 'full'],
  [half, { ...left, left: 512 }, 30, 'half'],
  [half, { ...left, left: 512 }, 50, 'full'],
  [full, whole, -240, 'full'],
  [full, whole, -270, 'half'],
  [full, whole, -2000, 'half'],
] as const)('IN-113 the right edge snaps to the listed widths %#', (size, space, x, tileWidth) => {
  expect(draggedSize(size, space, edge, { x, y: 500 })).toEqual({ ...size, tileWidth })
})

test.each([
  [half, left, -70, 'half'],
  [half, left, -100, 'quarter'],
  [half, left, 150, 'half'],
  [half, left, 170, 'full'],
  [full, whole, 90, 'half'],
  [full, whole, 2000, 'full'],
] as const)('IN-114 the lower edge snaps to the listed heights %#', (size, space, y, tileHeight) => {
  expect(draggedSize(size, space, bottom, { x: 500, y })).toEqual({ ...size, tileHeight })
})

test('the corner changes width and height', () => {
  expect(draggedSize(half, left, { right: true, bottom: true }, { x: 400, y: 400 })).toEqual({
    tileWidth: 'full',
    tileHeight: 'full',
  })
})

test('arrow keys step through the sizes and stop at the ends of the list', () => {
  expect(steppedSize(half, 'wider', 2)).toEqual({ ...half, tileWidth: 'full' })
  expect(steppedSize(half, 'narrower', 2)).toEqual(half)
  expect(steppedSize(half, 'taller', 2)).toEqual({ ...half, tileHeight: 'full' })
  expect(steppedSize(full, 'lower', 2)).toEqual(full)
})

test('in one column only the height changes', () => {
  const single = { ...left, columns: 1, gridWidth: 500 }
  expect(draggedSize(half, single, { right: true, bottom: true }, { x: 60, y: 400 })).toEqual({
    tileWidth: 'half',
    tileHeight: 'full',
  })
  expect(steppedSize(half, 'wider', 1)).toEqual(half)
  expect(steppedSize(full, 'narrower', 1)).toEqual(full)
  expect(steppedSize(half, 'taller', 1)).toEqual({ ...half, tileHeight: 'full' })
})

test('the outline shows where the tile would be placed; a tile of full width starts at the left edge of the page', () => {
  expect(boxOfSize({ tileWidth: 'full', tileHeight: 'full' }, half, { ...left, left: 512 })).toEqual({
    left: -512,
    width: 1012,
    height: 636,
  })
  expect(boxOfSize({ tileWidth: 'half', tileHeight: 'half' }, full, whole)).toEqual({
    left: 0,
    width: 500,
    height: 312,
  })
})

test('describes a size as text and in percent', () => {
  expect(sizeLabel(full)).toBe('Full width, quarter height')
  expect(sizePercent({ tileWidth: 'half', tileHeight: 'full' })).toBe('50% × 100%')
})
