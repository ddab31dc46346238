import { expect, test } from 'vitest'
import { groupByPeriod, groupBySameX, OPERATIONS, sumSeries } from './grouping.ts'

const day = (text: string) => Date.parse(text)

test('IN-178 the operations are SUM and Average', () => {
  expect(OPERATIONS).toEqual(['SUM', 'Average'])
})

test('IN-178 several values at one x become their sum or average; gaps are ignored', () => {
  const points = { x: [2, 1, 2, 3, 2, NaN], y: [10, 5, 20, null, NaN, 7] }
  expect(groupBySameX(points, 'SUM')).toEqual({ x: Float64Array.of(1, 2, 3), y: Float64Array.of(5, 30, NaN) })
  expect(groupBySameX(points, 'Average')).toEqual({
    x: Float64Array.of(1, 2, 3),
    y: Float64Array.of(5, 15, NaN),
  })
})

test('IN-178 several series are combined into one', () => {
  const list = [
    { x: [1, 2], y: [1, 2] },
    { x: [2, 3], y: [10, 30] },
  ]
  expect(sumSeries(list, 'SUM')).toEqual({ x: Float64Array.of(1, 2, 3), y: Float64Array.of(1, 12, 30) })
  expect(sumSeries(list, 'Average').y).toEqual(Float64Array.of(1, 6, 30))
})

test('IN-178 the values of a period are combined at its start', () => {
  const x = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-04-01'].map(day)
  const points = { x, y: [1, 2, 4, 8] }
  const starts = (period: Parameters<typeof groupByPeriod>[1]) =>
    [...groupByPeriod(points, period, 'SUM').x].map((at) => new Date(at).toISOString().slice(0, 10))
  expect(starts('day')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01', '2024-04-01'])
  expect(starts('week')).toEqual(['2024-02-26', '2024-04-01'])
  expect(starts('month')).toEqual(['2024-02-01', '2024-03-01', '2024-04-01'])
  expect(starts('quarter')).toEqual(['2024-01-01', '2024-04-01'])
  expect(starts('year')).toEqual(['2024-01-01'])
  expect([...groupByPeriod(points, 'month', 'SUM').y]).toEqual([3, 4, 8])
  expect([...groupByPeriod(points, 'quarter', 'Average').y]).toEqual([7 / 3, 8])
})

test('IN-178 days start at midnight in the time zone, even across daylight saving changes', () => {
  const x = [
    '2026-03-28T22:59:00Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T21:59:00Z',
    '2026-03-29T22:00:00Z',
  ].map(day)
  const grouped = groupByPeriod({ x, y: [1, 2, 4, 8] }, 'day', 'SUM', 'Europe/Berlin')
  expect([...grouped.y]).toEqual([1, 6, 8])
  expect([...grouped.x]).toEqual(['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'].map(day))
})
