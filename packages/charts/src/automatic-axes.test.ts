import { expect, test } from 'vitest'
import { automaticAxes } from './automatic-axes.ts'

const automatic = (...y: (number | null)[]) => ({ axis: 'automatic' as const, y })

test('a series gets the right axis if its size differs from the first one by a factor of 100 or more', () => {
  const price = automatic(41, 43, 42)
  expect(automaticAxes([price, automatic(4199, 4100, 4000)])).toEqual(['left', 'left'])
  expect(automaticAxes([price, automatic(4200, 4300, 4201)])).toEqual(['left', 'right'])
  expect(automaticAxes([automatic(4200, 4300, 4201), price])).toEqual(['left', 'right'])
  expect(automaticAxes([price, automatic(-4200, -4300, -4201)])).toEqual(['left', 'right'])
})

test('each further series is compared with the first one', () => {
  const sizes = [1, 1e6, 50, 3e4, 1e9, 1e-9]
  expect(automaticAxes(sizes.map((size) => automatic(size)))).toEqual([
    'left',
    'right',
    'left',
    'right',
    'right',
    'right',
  ])
})

test('gaps, zeros and single outliers do not change the axis, and a series without values gets the left one', () => {
  expect(automaticAxes([automatic(1, 2, 1), automatic(null, 0, Number.NaN, 2, 1, 5000)])).toEqual([
    'left',
    'left',
  ])
  expect(automaticAxes([automatic(), automatic(0), automatic(1e6), automatic(1)])).toEqual([
    'left',
    'left',
    'left',
    'right',
  ])
})

test('axes that an author chose are preserved, and the other axes follow them', () => {
  expect(
    automaticAxes([
      automatic(1e6),
      { axis: 'left', y: [1] },
      { axis: 'right', y: [1] },
      automatic(1e6),
      automatic(2),
    ]),
  ).toEqual(['right', 'left', 'right', 'right', 'left'])
  expect(automaticAxes([{ axis: 'right', y: [1e6] }, automatic(1), automatic(2e6)])).toEqual([
    'right',
    'left',
    'right',
  ])
})
