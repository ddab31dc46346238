import { expect, test } from 'vitest'
import { UNITS, type NumberFormat } from './chart-spec.ts'
import { decimalsOf, formatTicks, formatValue } from './numbers.ts'

test('IN-174 the units are $ before and % after the number', () => {
  expect(UNITS).toEqual(['$', '%'])
  expect(formatValue(1234.5, 2, { unit: '$' })).toBe('$1,234.50')
  expect(formatValue(-3.09, 2, { unit: '%' })).toBe('−3.09%')
  expect(formatTicks([0, 2.5, 5], { unit: '%' })).toEqual(['0%', '2.5%', '5.0%'])
  expect(formatTicks([0, 1_500_000, 3_000_000], { unit: '$' })).toEqual(['$0', '$1.5M', '$3.0M'])
})

test('values are written exactly, with as many decimals as the series needs', () => {
  expect(decimalsOf([1, 2.5, 3.25])).toBe(2)
  expect(decimalsOf([61.57, NaN, 3.1])).toBe(2)
  expect(decimalsOf([10, 20])).toBe(0)
  expect(decimalsOf([])).toBe(0)
  expect(formatValue(3.1, 2)).toBe('3.10')
})

test('values with more than four decimals are written with as many decimals as six significant digits of the largest need', () => {
  expect(decimalsOf([100 / 3])).toBe(4)
  expect(decimalsOf([83.2, 83.123456])).toBe(4)
  expect(decimalsOf([1.08765])).toBe(5)
  expect(decimalsOf([0.0123456])).toBe(6)
})

test('rounding noise gets no decimals and no sign', () => {
  expect(decimalsOf([0.1 + 0.2, 12])).toBe(1)
  expect(decimalsOf([0.1 + 0.2 - 0.3, 12])).toBe(0)
  expect(formatValue(0.3 - 0.1 - 0.2, 1)).toBe('0.0')
  expect(formatValue(1e-9, decimalsOf([1e-9]))).toBe('1.000e-9')
})

test('very large and very small numbers are written with a power of ten', () => {
  expect(formatValue(1.234e300, 2)).toBe('1.234e+300')
  expect(formatTicks([0, 1e-9])).toEqual(['0.0e+0', '1.0e-9'])
  expect(formatTicks([0, 5e20])).toEqual(['0.0e+0', '5.0e+20'])
})

test('any text is a unit; currency symbols precede numbers, other units follow them', () => {
  expect(formatValue(-12.5, 1, { unit: '€' })).toBe('−€12.5')
  expect(formatValue(12.5, 1, { unit: '€/MWh' })).toBe('12.5 €/MWh')
  expect(formatTicks([0, 50], { unit: 'GWh' })).toEqual(['0 GWh', '50 GWh'])
})

test('formats numbers in full, short and scientific, with as many decimals as requested', () => {
  const look = (numberFormat: NumberFormat, decimals?: number) => ({ numberFormat, decimals })
  expect(formatTicks([0, 500_000, 1_000_000], look('In full'))).toEqual(['0', '500,000', '1,000,000'])
  expect(formatTicks([0, 1000, 2000], look('Short'))).toEqual(['0', '1k', '2k'])
  expect(formatTicks([0, 1500], look('Scientific'))).toEqual(['0.0e+0', '1.5e+3'])
  expect(formatTicks([0, 50], look('Automatic', 2))).toEqual(['0', '50.00'])
  expect(formatValue(1_234_567, 0, look('Short'))).toBe('1.23M')
  expect(formatValue(-950, 0, look('Short'))).toBe('−950')
  expect(formatValue(1_234_567, 0, look('Scientific', 3))).toBe('1.235e+6')
  expect(formatValue(1.23456, 5, look('Automatic', 1))).toBe('1.2')
  expect(formatTicks([0.01, 1, 1000, 1_000_000], { log: true, unit: '$' })).toEqual([
    '$0.01',
    '$1',
    '$1k',
    '$1M',
  ])
})
