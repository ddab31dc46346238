import { expect, test } from 'vitest'
import { countOf, formatFileSize, formatNumber, formatSizeInText } from './number.ts'

test('SH-043 DP-101 formats a file size in KB or MB with divisor 1000 and two decimals', () => {
  expect(formatFileSize(1500)).toBe('1.50 KB')
  expect(formatFileSize(178_690)).toBe('178.69 KB')
  expect(formatFileSize(999_999)).toBe('1,000.00 KB')
  expect(formatFileSize(1_000_000)).toBe('1.00 MB')
  expect(formatFileSize(1_234_567)).toBe('1.23 MB')
  expect(formatFileSize(248_110_000)).toBe('248.11 MB')
  expect(formatFileSize(5)).toBe('0.01 KB')
  expect(formatFileSize(4)).toBe('< 0.01 KB')
  expect(formatFileSize(0)).toBe('0.00 KB')
})

test('formats a size for a sentence in the largest unit, without trailing zeros', () => {
  const sizes = [0, 1, 999, 60_000, 1_234_567, 1_000_000_000, 1e15]
  expect(sizes.map((size) => formatSizeInText(size))).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '60 KB',
    '1.23 MB',
    '1 GB',
    '1,000,000 GB',
  ])
})

test('groups digits the same way in every locale', () => {
  expect(formatNumber(18402)).toBe('18,402')
  expect(formatNumber(2.5, 2)).toBe('2.50')
  expect(countOf(1, 'file')).toBe('1 file')
  expect(countOf(1200, 'entry', 'entries')).toBe('1,200 entries')
})
