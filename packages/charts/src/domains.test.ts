import { describe, expect, test } from 'vitest'
import { AXIS_DOMAINS } from './chart-spec.ts'
import { bounded, logScale, niceStep, partOf, ticksWithin, valueScale } from './domains.ts'

const range = (...args: Parameters<typeof valueScale>) => {
  const { min, max } = valueScale(...args)
  return [min, max]
}

describe('IN-170 axis domains', () => {
  test('IN-170 there are five domains', () => {
    expect(AXIS_DOMAINS).toEqual(['Default', 'Fit to data', 'Zero to data max', 'Zero to 100', 'Auto scale'])
  })

  test('IN-170 Auto scale excludes zero if all values are far below it', () => {
    expect(range('Auto scale', -85.4, -66.2, 6)).toEqual([-90, -65])
  })

  test('IN-170 Default spans zero to a round number', () => {
    expect(valueScale('Default', 55.3, 137.2, 8)).toEqual({
      min: 0,
      max: 140,
      ticks: [0, 20, 40, 60, 80, 100, 120, 140],
    })
    expect(range('Default', -3.1, 9.7, 8)).toEqual([-4, 10])
    expect(range('Default', -9, -2, 8)).toEqual([-10, 0])
  })

  test('IN-170 Fit to data equals the range of the data', () => {
    const { min, max, ticks } = valueScale('Fit to data', 55.3, 137.2, 8)
    expect([min, max]).toEqual([55.3, 137.2])
    expect(ticks).toEqual([60, 80, 100, 120])
  })

  test('IN-170 Zero to data max ends at the maximum, or at zero if no value is above zero', () => {
    expect(range('Zero to data max', -5, 137.2, 8)).toEqual([0, 137.2])
    expect(range('Zero to data max', -5, -2, 8)).toEqual([-5, 0])
  })

  test('IN-170 Zero to 100 ignores the data', () => {
    expect(range('Zero to 100', 3, 250, 5)).toEqual([0, 100])
    expect(range('Zero to 100', NaN, NaN, 5)).toEqual([0, 100])
  })

  test('IN-170 Auto scale uses round numbers around the data, with zero only if it is close', () => {
    expect(range('Auto scale', 66.2, 85.4, 6)).toEqual([65, 90])
    expect(range('Auto scale', 3, 42, 6)).toEqual([0, 50])
    expect(range('Auto scale', -42, -3, 6)).toEqual([-50, 0])
  })

  test.each(AXIS_DOMAINS)('IN-170 %s has a range for no data, one value and extreme values', (domain) => {
    for (const [min, max] of [
      [NaN, NaN],
      [Infinity, -Infinity],
      [7, 7],
      [0, 0],
      [-3, -3],
      [1e-300, 2e-300],
      [-1.7e308, 1.7e308],
      [1e15, 1e15 + 1],
    ] as const) {
      const scale = valueScale(domain, min, max, 8)
      expect(scale.max).toBeGreaterThan(scale.min)
      expect(scale.ticks.every(Number.isFinite)).toBe(true)
      expect(scale.ticks.length).toBeLessThan(20)
    }
  })
})

test('two axes that start at zero have their ticks at the same heights', () => {
  const left = valueScale('Default', 55, 137, 8)
  expect(valueScale('Default', 1.5, 30.1, 8, left)).toEqual({
    min: 0,
    max: 35,
    ticks: [0, 5, 10, 15, 20, 25, 30, 35],
  })
})

test('steps are 1, 2, 2.5 or 5 times a power of ten', () => {
  expect([0.011, 0.7, 1, 1.1, 2.2, 3, 7, 1300].map((value) => niceStep(value))).toEqual([
    0.02, 1, 1, 2, 2.5, 5, 10, 2000,
  ])
})

test('ticks have no binary rounding noise', () => {
  expect(ticksWithin(0, 0.7, 7)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
})

test('without data the axis shows 0 to 1, and equal values are widened by a tenth', () => {
  expect(valueScale('Default', NaN, NaN, 4)).toMatchObject({ min: 0, max: 1 })
  expect(valueScale('Fit to data', NaN, NaN, 1).ticks).toEqual([0, 1])
  for (const value of [-5, 5]) {
    const { min, max } = valueScale('Fit to data', value, value, 4)
    expect([min, max]).toEqual([value - 0.5, value + 0.5])
  }
})

describe('logarithmic axes', () => {
  test('extend from and to 1, 2 or 5 times a power of ten, with as many ticks as fit', () => {
    expect(logScale('Default', 3, 8000, 6)).toEqual({
      min: 2,
      max: 10_000,
      ticks: [10, 100, 1000, 10_000],
      log: true,
    })
    expect(logScale('Default', 3, 80, 6).ticks).toEqual([2, 5, 10, 20, 50, 100])
    expect(logScale('Default', 1e-9, 1e9, 6).ticks).toEqual([1e-9, 1e-6, 0.001, 1, 1000, 1e6, 1e9])
    expect(logScale('Auto scale', 41, 48, 6)).toMatchObject({
      min: 20,
      max: 50,
      ticks: [20, 25, 30, 35, 40, 45, 50],
    })
    expect(logScale('Fit to data', 3, 8000, 6)).toMatchObject({ min: 3, max: 8000 })
  })
  test('have a range without a value above zero, and for a single value', () => {
    expect(logScale('Default', Infinity, -Infinity, 6)).toMatchObject({ min: 1, max: 10 })
    expect(logScale('Fit to data', 5, 5, 6)).toMatchObject({ min: 5, max: 50 })
  })
  test('equal ratios have equal distances, values up to zero are below the axis', () => {
    const scale = logScale('Default', 1, 10_000, 6)
    expect([1, 10, 100, 1000, 10_000].map((value) => partOf(scale, value))).toEqual(
      [0, 0.25, 0.5, 0.75, 1].map((part) => expect.closeTo(part, 10)),
    )
    expect([0, -5].map((value) => partOf(scale, value))).toEqual([-Infinity, -Infinity])
  })
})

test('applies fixed ends unless they span no range', () => {
  const scale = valueScale('Default', 12, 93, 5)
  expect(bounded(scale, { min: 50 }, 5)).toEqual({ min: 50, max: 100, ticks: [50, 60, 70, 80, 90, 100] })
  expect(bounded(scale, { min: -20, max: 20 }, 4)).toMatchObject({ min: -20, max: 20 })
  for (const ends of [{}, { min: 200 }, { min: 5, max: 5 }, { max: -1 }, { max: Infinity }])
    expect(bounded(scale, ends, 5)).toEqual(scale)
  const log = logScale('Default', 1, 1000, 6)
  expect(bounded(log, { min: 0 }, 6)).toEqual(log)
  expect(bounded(log, { max: 100 }, 6)).toMatchObject({ max: 100, ticks: [1, 2, 5, 10, 20, 50, 100] })
})
