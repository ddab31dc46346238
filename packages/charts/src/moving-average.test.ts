import { expect, test } from 'vitest'
import { movingAverage } from './moving-average.ts'

test('IN-177 each value is the mean of a window that ends with it, from the first full window on', () => {
  expect([...movingAverage([1, 2, 3, 4, 8], 3)]).toEqual([NaN, NaN, 2, 3, 5])
})

test('IN-177 gaps are preserved and not counted', () => {
  expect([...movingAverage([1, null, 3, NaN, 5, Infinity, 7], 2)]).toEqual([NaN, NaN, 2, NaN, 4, NaN, 6])
})

test('IN-177 a window of less than two values changes nothing', () => {
  expect([...movingAverage([1, null, 3], 1)]).toEqual([1, NaN, 3])
  expect([...movingAverage([1, 2], NaN)]).toEqual([1, 2])
})

test('IN-177 a huge value leaves no rounding error in later windows', () => {
  expect([...movingAverage([1e17, 0.1, 0.2], 2)].at(-1)).toBeCloseTo(0.15, 15)
})
