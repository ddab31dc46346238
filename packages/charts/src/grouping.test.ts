import { expect, test } from 'vitest'
import { groupBySameX, OPERATIONS } from './grouping.ts'

test('IN-178 the operations are SUM and Average', () => {
  expect(OPERATIONS).toEqual(['SUM', 'Average'])
})

test('IN-178 several values at one x are combined into their sum or average; gaps are ignored', () => {
  const points = { x: [2, 1, 2, 3, 2, NaN], y: [10, 5, 20, null, NaN, 7] }
  expect(groupBySameX(points, 'SUM')).toEqual({ x: Float64Array.of(1, 2, 3), y: Float64Array.of(5, 30, NaN) })
  expect(groupBySameX(points, 'Average')).toEqual({
    x: Float64Array.of(1, 2, 3),
    y: Float64Array.of(5, 15, NaN),
  })
})
