import { expect, test } from 'vitest'
import { barEnds, iconLevel, numberRange, scalePoint } from './cell-scales.ts'

const rows = [['', 'x'], ['-20'], ['text'], ['80'], ['5']]
const range = { least: -20, greatest: 80 }

test('a scale spans the lowest to the highest number of a column, or fixed limits', () => {
  expect(numberRange(rows, 0)).toEqual(range)
  expect(numberRange([['x'], ['']], 0)).toBeUndefined()
  expect(scalePoint(-20, range, {})).toEqual({ part: 'lower', share: 0 })
  expect(scalePoint(5, range, {})).toEqual({ part: 'lower', share: 0.5 })
  expect(scalePoint(30, range, {})).toEqual({ part: 'upper', share: 0 })
  expect(scalePoint(80, range, {})).toEqual({ part: 'upper', share: 1 })
  const bounds = { lowValue: 0, middleValue: 10, highValue: 50 }
  expect(scalePoint(-5, range, bounds)).toEqual({ part: 'lower', share: 0 })
  expect(scalePoint(5, range, bounds)).toEqual({ part: 'lower', share: 0.5 })
  expect(scalePoint(30, range, bounds)).toEqual({ part: 'upper', share: 0.5 })
  expect(scalePoint(500, range, bounds)).toEqual({ part: 'upper', share: 1 })
  expect(scalePoint(25, range, { ...bounds, middleValue: 99 })).toEqual({ part: 'upper', share: 0 })
  expect(scalePoint(40, range, { lowValue: 50, highValue: 0 })).toEqual({ part: 'lower', share: 0.4 })
  expect(scalePoint(7, { least: 7, greatest: 7 }, {})).toEqual({ part: 'upper', share: 1 })
})

test('a bar starts at zero, with a length proportional to the number, and extends to the left below zero', () => {
  expect(barEnds(80, range, {})).toEqual({ from: 0.2, to: 1, isNegative: false })
  expect(barEnds(-10, range, {})).toEqual({ from: 0.1, to: 0.2, isNegative: true })
  expect(barEnds(0, range, {})).toEqual({ from: 0.2, to: 0.2, isNegative: false })
  expect(barEnds(50, { least: 25, greatest: 100 }, {})).toEqual({ from: 0, to: 0.5, isNegative: false })
  expect(barEnds(500, range, { lowValue: 100, highValue: 200 })).toEqual({
    from: 0,
    to: 1,
    isNegative: false,
  })
})

test('icons represent thirds of the range, or the intervals between fixed limits', () => {
  const levels = (values: number[], bounds = {}) =>
    values.map((value) => iconLevel(value, { least: 0, greatest: 90 }, bounds))
  expect(levels([0, 29, 30, 59, 60, 90])).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high'])
  expect(levels([9, 10, 49, 50], { lowValue: 10, highValue: 50 })).toEqual([
    'low',
    'medium',
    'medium',
    'high',
  ])
})
