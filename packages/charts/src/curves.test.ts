import { expect, test } from 'vitest'
import { INTERPOLATIONS } from './chart-spec.ts'
import { CURVES } from './curves.ts'
import { SvgPen } from './svg-pen.ts'

function trace(name: (typeof INTERPOLATIONS)[number]): string {
  const pen = new SvgPen(1, 1)
  const curve = CURVES[name](pen as unknown as CanvasRenderingContext2D)
  pen.beginPath()
  curve.lineStart()
  for (const [x, y] of [
    [0, 0],
    [10, 8],
    [20, 2],
    [30, 6],
  ] as const)
    curve.point(x, y)
  curve.lineEnd()
  pen.stroke()
  return /d="([^"]*)"/.exec(pen.toString())![1]!
}

test('IN-188 IN-189 the fifteen interpolations, in the order of the specification', () => {
  expect(INTERPOLATIONS).toEqual(
    (
      'basis basisClosed basisOpen bumpX bumpY bump linear linearClosed ' +
      'natural monotoneX monotoneY monotone step stepBefore stepAfter'
    ).split(' '),
  )
})

test('IN-188 IN-189 each draws its own curve; bump is bumpX, monotone is monotoneX', () => {
  const paths = new Map(INTERPOLATIONS.map((name) => [name, trace(name)]))
  expect(paths.get('bump')).toBe(paths.get('bumpX'))
  expect(paths.get('monotone')).toBe(paths.get('monotoneX'))
  expect(new Set(paths.values()).size).toBe(13)
})

test('IN-188 linear, linearClosed and basisClosed', () => {
  expect(trace('linear')).toBe('M0,0L10,8L20,2L30,6')
  expect(trace('linearClosed')).toBe('M0,0L10,8L20,2L30,6Z')
  expect(trace('basisClosed')).toMatch(/^M.*C.*$/)
})

test('IN-189 the three steps turn in the middle, before and after the point', () => {
  expect(trace('step')).toBe('M0,0L5,0L5,8L15,8L15,2L25,2L25,6L30,6')
  expect(trace('stepBefore')).toBe('M0,0L0,8L10,8L10,2L20,2L20,6L30,6')
  expect(trace('stepAfter')).toBe('M0,0L10,0L10,8L20,8L20,2L30,2L30,6')
})
