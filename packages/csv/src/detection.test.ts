import { expect, test } from 'vitest'
import {
  dateExample,
  dateFormats,
  detectDateFormats,
  formatLocalDate,
  isDateFormat,
  parseDate,
} from './date-format.ts'
import { detectDecimalSign, toNumberText } from './decimal-sign.ts'
import { detectEncoding } from './encoding.ts'

test.each([
  ['dd/MM/yyyy', '26/05/2024', '2024-05-26'],
  ['MM/dd/yyyy', '5/6/2024', '2024-05-06'],
  ['yyyyMMdd', '20240526', '2024-05-26'],
  ['dd.MM.yy', '26.05.69', '2069-05-26'],
  ['dd-MMM-yy', '26-May-70', '1970-05-26'],
  ['MMM dd, yyyy', 'September 3, 2024', '2024-09-03'],
  ['MMM yyyy', 'Feb 2024', '2024-02-01'],
  ['MM/dd/yyyy hh:mm a', '05/26/2024 12:05 AM', '2024-05-26T00:05:00.000'],
  ["yyyy-MM-dd'T'HH:mm:ss.SSS", '2024-05-26T10:00:00.5', '2024-05-26T10:00:00.500'],
  ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-05-26T10:00:00+02:00', '2024-05-26T08:00:00.000Z'],
  ['epoch seconds', '1716717600', '2024-05-26T10:00:00.000Z'],
  ['epoch milliseconds', ' 1716717600000 ', '2024-05-26T10:00:00.000Z'],
])('parses with %s the date %j', (format, text, expected) => {
  expect(isDateFormat(format)).toBe(true)
  expect(formatLocalDate(parseDate(format, text)!)).toBe(expected)
})

test.each([
  ['dd/MM/yyyy', '31/02/2024'],
  ['dd/MM/yyyy', '05/26/2024'],
  ['yyyy-MM-dd', '2024-05-26x'],
  ['yyyyMMdd', '2024526'],
  ['MM/dd/yyyy hh:mm a', '05/26/2024 13:05 PM'],
  ['yyyy-MM-dd HH:mm', '2024-05-26 24:00'],
  ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-05-26T10:00:00+99:00'],
  ['epoch seconds', '1e9'],
])('with %s %j is not a date', (format, text) => {
  expect(parseDate(format, text)).toBeUndefined()
})

test.each(['', 'yyyy', 'dd/dd/MM/yyyy', 'x'.repeat(101), 'MM/dd'])('%j is not a date format', (format) => {
  expect(isDateFormat(format)).toBe(false)
})

test('formats are not interpreted as regular expressions', () => {
  expect(parseDate("yyyy'(a+)+$'MM", '2024(a+)+$05')).toMatchObject({ localMs: Date.UTC(2024, 4) })
  expect(parseDate('yyyy.MM', '2024x05')).toBeUndefined()
})

test('detects date formats; the sequence of ambiguous dates decides, otherwise the day comes first', () => {
  expect(detectDateFormats(['2024-01-31', '', '2024-02-01'])[0]).toBe('yyyy-MM-dd')
  expect(detectDateFormats(['26/05/2024'])).toEqual(['dd/MM/yyyy'])
  expect(detectDateFormats(['01/02/2024', '01/03/2024', '02/01/2024'])).toEqual(['MM/dd/yyyy', 'dd/MM/yyyy'])
  expect(detectDateFormats(['01/02/2024', '02/02/2024', '01/03/2024'])).toEqual(['dd/MM/yyyy', 'MM/dd/yyyy'])
  expect(detectDateFormats(['01/02/2024'])[0]).toBe('dd/MM/yyyy')
  expect(detectDateFormats(['12', '13.5'])).toEqual([])
  expect(detectDateFormats(['2024-01-31', 'n/a'])).toEqual([])
  expect(detectDateFormats(['', ' '])).toEqual([])
})

test.each([
  ['1.234,56', ',', '1234.56'],
  ['1 234,5', ',', '1234.5'],
  ['1\u00a0234\u202f567', ',', '1234567'],
  ['-1,234.5', '.', '-1234.5'],
  ["1'234.5", '.', '1234.5'],
  ['1e-7', '.', '1e-7'],
  ['', '.', ''],
  ['1,23', '.', undefined],
  ['1.2.3', '.', undefined],
  ['12,34,567', '.', undefined],
  ['NaN', '.', undefined],
  ['0x1F', '.', undefined],
  ['-', '.', undefined],
  ['9'.repeat(500), '.', undefined],
] as const)('converts the number %j with the decimal sign %s', (text, sign, expected) => {
  expect(toNumberText(text, sign)).toBe(expected)
})

test('detects decimal commas', () => {
  expect(detectDecimalSign(['1,5', 'a', '2'])).toBe(',')
  expect(detectDecimalSign(['1.234,5', '1,5'])).toBe(',')
  expect(detectDecimalSign(['1,234', '1.5'])).toBe('.')
  expect(detectDecimalSign(['1,234'], ',')).toBe('.')
  expect(detectDecimalSign(['1,234'], ';')).toBe(',')
  expect(detectDecimalSign([])).toBe('.')
})

test('detects encodings', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const wide = (text: string, isBig: boolean) =>
    Uint8Array.from(text.split('').flatMap((c) => (isBig ? [0, c.charCodeAt(0)] : [c.charCodeAt(0), 0])))
  expect(detectEncoding(bytes('Datum;Größe'), true)).toBe('utf-8')
  expect(detectEncoding(bytes('Größe').subarray(0, 3), false)).toBe('utf-8')
  expect(detectEncoding(bytes('Größe').subarray(0, 3), true)).toBe('windows-1252')
  expect(detectEncoding(Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65), true)).toBe('windows-1252')
  expect(detectEncoding(Uint8Array.of(0xff, 0xfe, 0x41, 0), true)).toBe('utf-16le')
  expect(detectEncoding(Uint8Array.of(0xfe, 0xff, 0, 0x41), true)).toBe('utf-16be')
  expect(detectEncoding(wide('Date,Price', false), true)).toBe('utf-16le')
  expect(detectEncoding(wide('Date,Price', true), true)).toBe('utf-16be')
  expect(detectEncoding(new Uint8Array(), true)).toBe('utf-8')
})

test('the example of each format is a date in this format', () => {
  expect(dateExample('dd.MM.yyyy HH:mm')).toBe('31.12.2026 14:05')
  expect(dateExample("yyyy-MM-dd'T'HH:mm:ssXXX")).toBe('2026-12-31T14:05:09Z')
  for (const format of dateFormats) {
    const date = parseDate(format, dateExample(format))
    expect(date && formatLocalDate(date), format).toMatch(/^2026-12-/)
  }
})
