import { expect, test } from 'vitest'
import { parseCsv } from './csv-reader.ts'
import { escapeFormula, formatCsv, formatCsvCell, formatCsvRow } from './format-csv.ts'

test.each([
  ['plain', 'plain'],
  ['a b', 'a b'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  [' blank', '" blank"'],
  ['blank\t', '"blank\t"'],
  ['# no comment', '"# no comment"'],
  ['a # b', 'a # b'],
  ['', ''],
  [null, ''],
  [-1.5, '-1.5'],
])('formats %j as %j', (cell, text) => {
  expect(formatCsvCell(cell)).toBe(text)
})

test('ends rows with CRLF, or with LF', () => {
  expect(formatCsvRow(['a', null, 2])).toBe('a,,2')
  expect(formatCsv([['a', 'b'], [1]])).toBe('a,b\r\n1\r\n')
  expect(formatCsv([['a', 'b'], [1]], '\n')).toBe('a,b\n1\n')
})

test('reads its own output back unchanged', () => {
  const rows = [
    ['a', ' b ', '"', ',', '\r\n', '#', '\ufeff'],
    ['', '\n', '""', ',,', '=1', '\t', 'é'],
  ]
  for (const lineEnd of ['\n', '\r\n'] as const) expect(parseCsv(formatCsv(rows, lineEnd))).toEqual(rows)
})

test('escapes text that a spreadsheet would run as a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1']) expect(escapeFormula(text)).toBe(`'${text}`)
  for (const text of ['', 'a=1', '1-1', ' =1']) expect(escapeFormula(text)).toBe(text)
})
