import { expect, test } from 'vitest'
import { INTERPOLATIONS } from './chart-spec.ts'
import { CURVES } from './curves.ts'
import { SvgPen } from './svg-pen.ts'

type Point = readonly [x: number, y: number]

const points: readonly Point[] = [
  [0, 0],
  [10, 8],
  [20, 2],
  [30, 6],
]

function trace(name: (typeof INTERPOLATIONS)[number], through = points): string {
  const pen = new SvgPen(1, 1)
  const curve = CURVES[name](pen as unknown as CanvasRenderingContext2D)
  pen.beginPath()
  curve.lineStart()
  for (const [x, y] of through) curve.point(x, y)
  curve.lineEnd()
  pen.stroke()
  return /d="([^"]*)"/.exec(pen.toString())![1]!
}

test('IN-188 IN-189 lists the fifteen interpolations in the order of the specification', () => {
  expect(INTERPOLATIONS).toEqual(
    (
      'basis basisClosed basisOpen bumpX bumpY bump linear linearClosed ' +
      'natural monotoneX monotoneY monotone step stepBefore stepAfter'
    ).split(' '),
  )
})

test('IN-188 IN-189 each interpolation draws a separate curve; bump is bumpX, monotone is monotoneX', () => {
  const paths = new Map(INTERPOLATIONS.map((name) => [name, trace(name)]))
  expect(paths.get('bump')).toBe(paths.get('bumpX'))
  expect(paths.get('monotone')).toBe(paths.get('monotoneX'))
  expect(new Set(paths.values()).size).toBe(13)
})

test('IN-188 linear connects the points with straight lines, and linearClosed returns to the first one', () => {
  expect(trace('linear')).toBe('M0,0L10,8L20,2L30,6')
  expect(trace('linearClosed')).toBe('M0,0L10,8L20,2L30,6Z')
})

test('IN-188 basis passes beside the points and ends at the outer ones, basisClosed returns to its start, basisOpen omits the ends', () => {
  const middle = '10,5.67C13.33,6,16.67,4,20,3.67'
  expect(trace('basis')).toBe(
    `M0,0L1.67,1.33C3.33,2.67,6.67,5.33,${middle}C23.33,3.33,26.67,4.67,28.33,5.33L30,6`,
  )
  expect(trace('basisClosed')).toBe(
    `M${middle}C23.33,3.33,26.67,4.67,23.33,4.33C20,4,10,2,6.67,2.33C3.33,2.67,6.67,5.33,10,5.67`,
  )
  expect(trace('basisOpen')).toBe(`M${middle}`)
})

test('IN-188 bumpX leaves and reaches each point along x, bumpY along y', () => {
  expect(trace('bumpX')).toBe('M0,0C5,0,5,8,10,8C15,8,15,2,20,2C25,2,25,6,30,6')
  expect(trace('bumpY')).toBe('M0,0C0,4,10,4,10,8C10,5,20,5,20,2C20,4,30,4,30,6')
})

test('IN-189 the three steps turn in the middle, before and after the point', () => {
  expect(trace('step')).toBe('M0,0L5,0L5,8L15,8L15,2L25,2L25,6L30,6')
  expect(trace('stepBefore')).toBe('M0,0L0,8L10,8L10,2L20,2L20,6L30,6')
  expect(trace('stepAfter')).toBe('M0,0L10,0L10,8L20,8L20,2L30,2L30,6')
})

test('IN-189 natural bends evenly and overshoots the points; monotoneX stays between neighbouring y values, monotoneY between x values', () => {
  expect(trace('natural')).toBe(
    'M0,0C3.33,4.13,6.67,8.27,10,8C13.33,7.73,16.67,3.07,20,2C23.33,0.93,26.67,3.47,30,6',
  )
  // Control points are level with the points where the values turn.
  const [start, ...bends] = [
    '0,0',
    '3.33,4',
    '6.67,8',
    '10,8',
    '13.33,8',
    '16.67,2',
    '20,2',
    '23.33,2',
    '26.67,4',
    '30,6',
  ]
  expect(trace('monotoneX')).toBe(pathOf(start!, bends))
  const exchange = (pair: string) => pair.split(',').toReversed().join(',')
  const exchanged = points.map(([x, y]): Point => [y, x])
  expect(trace('monotoneY', exchanged)).toBe(pathOf(exchange(start!), bends.map(exchange)))
})

function pathOf(start: string, bends: readonly string[]): string {
  const thirds = bends.map((pair, index) => `${index % 3 === 0 ? 'C' : ','}${pair}`)
  return `M${start}${thirds.join('')}`
}
