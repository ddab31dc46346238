import { expect, test } from 'vitest'
import { isDecimalSignAmbiguous } from '../decimal-sign.ts'
import { findDateAmbiguity, readCsvSample, suggestImport, type CsvSample } from './csv-sample.ts'

function sampleOf(text: string, isWhole = true, hasHeader?: boolean): CsvSample {
  const sample = readCsvSample(text, isWhole, hasHeader)
  if ('problem' in sample) throw new Error(sample.problem)
  return sample
}

const suggest = (text: string) => suggestImport(sampleOf(text), { fileName: 'Gas.csv', timezone: 'UTC' })

test('reads the first rows with their lines, after comments and a byte order mark', () => {
  expect(sampleOf('\ufeff# a; b\n\nDate;Price;\n2024-01-31;"1\n2";\n\n2024-02-01;3;\n')).toEqual({
    separator: ';',
    hasHeader: true,
    names: ['Date', 'Price', 'Column 3'],
    rows: [
      ['2024-01-31', '1\n2', ''],
      ['2024-02-01', '3', ''],
    ],
    lines: [4, 7],
    headerLine: 3,
    isWhole: true,
  })
})

test('omits a row that the end of the sample truncates, and reads at most 1,000 rows', () => {
  expect(sampleOf('Date,Price\n2024-01-31,1\n2024-02-01,2', false)).toMatchObject({
    rows: [['2024-01-31', '1']],
    isWhole: false,
  })
  const long = sampleOf(`Date,Price\n${'2024-01-31,1\n'.repeat(2000)}`)
  expect([long.rows.length, long.isWhole]).toEqual([1000, false])
})

test('a first row with a date in a date column is data, unless the user chooses otherwise', () => {
  expect(sampleOf('2024-01-31,1\n2024-02-01,2\n')).toMatchObject({
    hasHeader: false,
    names: ['Column 1', 'Column 2'],
    lines: [1, 2],
  })
  expect(sampleOf('2024-01-31,1\n2024-02-01,2\n', true, true)).toMatchObject({ names: ['2024-01-31', '1'] })
  expect(sampleOf('31/01/2024,1\n')).toMatchObject({ hasHeader: false, rows: [['31/01/2024', '1']] })
})

test.each([
  ['', 'The file is empty. It needs a header line and rows.'],
  ['# only a comment\n', 'The file is empty. It needs a header line and rows.'],
  ['Date,Price\n', 'The file has a header line but no rows. Nothing can be imported.'],
  ['Date,Price\n"a', 'A quote in row 2 is never closed. Add the closing quote.'],
])('reports that %j has no rows', (text, problem) => {
  expect(readCsvSample(text, true)).toEqual({ problem })
})

test('reports an ambiguous order of day and month only if all dates fit both orders and the order makes a difference', () => {
  expect(findDateAmbiguity(['01/02/2024', '', '01/03/2024'])).toEqual({
    example: '01/02/2024',
    formats: ['dd/MM/yyyy', 'MM/dd/yyyy'],
  })
  expect(findDateAmbiguity(['01/02/2024', '01/03/2024', '02/01/2024'])?.formats[0]).toBe('MM/dd/yyyy')
  expect(findDateAmbiguity(['05.06.2024 10:00'])).toBeUndefined()
  expect(findDateAmbiguity(['05-06-2024 10:00'])?.formats).toEqual(['dd-MM-yyyy HH:mm', 'MM-dd-yyyy HH:mm'])
  for (const clear of [['26/05/2024', '01/02/2024'], ['01/01/2024', '02/02/2024'], ['2024-01-02'], ['x'], []])
    expect(findDateAmbiguity(clear)).toBeUndefined()
})

test('suggests a mapping with the choices for the user', () => {
  expect(suggest('Date,Price\n1987-05-20,18.63\n1987-05-21,18.45\n')).toEqual({
    mapping: {
      separator: ',',
      decimalSign: '.',
      symbolColumns: [],
      constantSymbols: [{ name: 'Symbol', value: 'Gas' }],
      date: { column: 'Date', dateFormat: 'yyyy-MM-dd', timezone: 'UTC' },
      columns: [{ column: 'Price', columnType: 'Value', type: 'DB' }],
    },
    dateAmbiguity: undefined,
    isDecimalSignAmbiguous: false,
  })
  const unclear = suggest('Datum;Kurs;Trade date\n01/02/2024;1.234;01/02/2024\n')
  expect(unclear.dateAmbiguity?.example).toBe('01/02/2024')
  expect(unclear.isDecimalSignAmbiguous).toBe(true)
  expect(unclear.mapping?.columns.at(-1)).toMatchObject({ column: 'Trade date', type: 'S' })
  // A separator at the end of each line does not create a column.
  expect(suggest('Date,Price,\n2024-01-31,1,\n').mapping?.columns).toHaveLength(1)
  expect(suggest('2024-01-31,"1,234.5"\n2024-02-01,"2,000"\n').mapping).toMatchObject({
    hasHeader: false,
    decimalSign: '.',
    date: { column: 'Column 1' },
    columns: [{ column: 'Column 2', type: 'DB' }],
  })
  expect(suggest('a,b\n1,2\n').mapping).toBeUndefined()
})

test.each([
  [['1,234', '5'], ';', true],
  [['1.234', '2.500'], ';', true],
  [['1.234', '2.5'], ';', false],
  [['1,234', '1.234'], ';', false],
  [['0,123'], ';', false],
  [['1,234,567'], ';', false],
  [['3.821'], ',', false],
  [['1,234'], ',', false],
  [['12', ''], ';', false],
] as const)('whether numbers %j separated by %j are ambiguous: %s', (numbers, separator, expected) => {
  expect(isDecimalSignAmbiguous(numbers, separator)).toBe(expected)
})
