import { expect, test } from 'vitest'
import { UNITS } from './chart-spec.ts'
import { decimalsOf, formatTicks, formatValue } from './numbers.ts'

test('IN-174 the units are $ before and % after the number', () => {
  expect(UNITS).toEqual(['$', '%'])
  expect(formatValue(1234.5, 2, '$')).toBe('$1,234.50')
  expect(formatValue(-3.09, 2, '%')).toBe('−3.09 %')
  expect(formatTicks([0, 2.5, 5], '%')).toEqual(['0 %', '2.5 %', '5.0 %'])
  expect(formatTicks([0, 1_500_000, 3_000_000], '$')).toEqual(['$0', '$1.5M', '$3.0M'])
})

test('values are written exactly, with as many decimals as the series needs', () => {
  expect(decimalsOf([1, 2.5, 3.25])).toBe(2)
  expect(decimalsOf([61.57, NaN, 3.1])).toBe(2)
  expect(decimalsOf([10, 20])).toBe(0)
  expect(decimalsOf([])).toBe(0)
  // Computed values have no end: six significant digits.
  expect(decimalsOf([100 / 3])).toBe(4)
  expect(formatValue(3.1, 2)).toBe('3.10')
})

test('numbers too large or too small for digits are written with a power of ten', () => {
  expect(formatValue(1.234e300, 2)).toBe('1.234e+300')
  expect(formatTicks([0, 1e-9])).toEqual(['0.0e+0', '1.0e-9'])
  expect(formatTicks([0, 5e20])).toEqual(['0.0e+0', '5.0e+20'])
})
