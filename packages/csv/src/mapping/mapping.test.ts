import { describe, expect, test } from 'vitest'
import { parseCsv } from '../csv-reader.ts'
import { CsvConverter, describeConversionProblem, type ConverterOptions } from './convert-csv.ts'
import { columnSuffix, configuredHeader, fitsHeader, isConfigured, type CsvMapping } from './csv-mapping.ts'
import { suggestMapping } from './suggest-mapping.ts'

/** Clocks of zones whose offset is 9 hours. */
const clocks = () => ({ toUtc: (localMs: number) => localMs - 9 * 3_600_000 })

function suggest(text: string, fileName = 'prices.csv', separator = ',') {
  const [header = [], ...rows] = parseCsv(text, { separator })
  return suggestMapping({ header, rows, separator, fileName, timezone: 'Europe/Warsaw' })
}

function convert(text: string, mapping: CsvMapping, size = text.length, options: ConverterOptions = {}) {
  const converter = new CsvConverter(clocks, mapping, options)
  let output = ''
  for (let at = 0; at < text.length; at += size) output += converter.push(text.slice(at, at + size))
  output += converter.end()
  return { output, converter, problems: converter.problems.map(describeConversionProblem) }
}

const daily: CsvMapping = {
  separator: ',',
  decimalSign: '.',
  symbolColumns: [],
  constantSymbols: [{ name: 'Symbol', value: 'Brent, spot' }],
  date: { column: 'Date', dateFormat: 'dd/MM/yyyy', timezone: 'UTC' },
  columns: [{ column: 'Price', columnType: 'Value', type: 'DB' }],
}

describe('columns', () => {
  test('DP-256 DP-259 a column has a type, and a date also a format and a time zone', () => {
    expect(isConfigured({ columnType: 'Value', type: 'DB' })).toBe(true)
    expect(isConfigured({ columnType: 'Metadata', type: 'S' })).toBe(true)
    expect(isConfigured({ columnType: 'Value', type: 'I' })).toBe(true)
    expect(isConfigured({ type: 'S' })).toBe(false)
    expect(isConfigured({ columnType: 'Value' })).toBe(false)
    const date = { columnType: 'Value', type: 'D', dateFormat: 'yyyy-MM-dd', timezone: 'UTC' } as const
    expect(isConfigured(date)).toBe(true)
    expect(isConfigured({ ...date, dateFormat: undefined })).toBe(false)
    expect(isConfigured({ ...date, timezone: undefined })).toBe(false)
  })

  test('DP-288 DP-289 DP-290 headers end in one of eight codes in brackets', () => {
    const codes = (['Value', 'Metadata'] as const).flatMap((columnType) =>
      (['D', 'DB', 'I', 'S'] as const).map((type) => columnSuffix({ columnType, type })),
    )
    expect(codes).toEqual(['D', 'DB', 'I', 'S', 'MD-D', 'MD-DB', 'MD-I', 'MD-S'])
    expect(configuredHeader('Settled', { columnType: 'Metadata', type: 'D' })).toBe('Settled(MD-D)')
    expect(configuredHeader('Price', { columnType: 'Value', type: 'DB' })).toBe('Price(DB)')
  })

  test('a mapping fits a header with each of its columns once, in any order', () => {
    expect(fitsHeader(daily, [' Price ', 'Other', 'Date'])).toBe(true)
    expect(fitsHeader(daily, ['Price', 'Price', 'Date'])).toBe(false)
    expect(fitsHeader(daily, ['Date'])).toBe(false)
  })
})

describe('suggestMapping', () => {
  test('a raw file of dates and prices gets the name of the file as its symbol', () => {
    expect(suggest('Date,Price\n31/01/2024,1.5\n01/02/2024,2\n', 'Brent spot.csv')).toEqual({
      ...daily,
      constantSymbols: [{ name: 'Symbol', value: 'Brent spot' }],
      date: { ...daily.date, timezone: 'Europe/Warsaw' },
    })
  })

  test('repeated texts and known names are symbols, other texts are values, other dates have their format', () => {
    const text =
      'Datum;Ticker;Desk;Kurs;Note;Trade date\n31.01.2024;1;East;1,5;first;20240131\n01.02.2024;2;East;2,5;second;20240201\n'
    expect(suggest(text, 'x.csv', ';')).toEqual({
      separator: ';',
      decimalSign: ',',
      symbolColumns: ['Ticker', 'Desk'],
      constantSymbols: [],
      date: { column: 'Datum', dateFormat: 'dd.MM.yyyy', timezone: 'Europe/Warsaw' },
      columns: [
        { column: 'Kurs', columnType: 'Value', type: 'DB' },
        { column: 'Note', columnType: 'Value', type: 'S' },
        { column: 'Trade date', columnType: 'Value', type: 'DB' },
      ],
    })
  })

  test('without dates it suggests nothing', () => {
    expect(suggest('a,b\n1,2\n')).toBeUndefined()
    expect(suggest('Date,Price\n')).toBeUndefined()
    expect(suggest('')).toBeUndefined()
  })
})

describe('CsvConverter', () => {
  test('converts dates, numbers and quotes for pieces of any size', () => {
    const mapping: CsvMapping = {
      separator: ';',
      decimalSign: ',',
      symbolColumns: ['Ticker'],
      constantSymbols: [{ name: 'Source', value: 'a, b' }],
      date: { column: 'When', dateFormat: 'dd.MM.yyyy HH:mm', timezone: 'Europe/Warsaw' },
      columns: [
        { column: 'Price', columnType: 'Value', type: 'DB' },
        { column: 'Lots', columnType: 'Value', type: 'I' },
        { column: 'Unit', columnType: 'Metadata', type: 'S' },
        {
          column: 'Settled',
          columnType: 'Metadata',
          type: 'D',
          dateFormat: 'dd.MM.yyyy',
          timezone: 'Asia/Tokyo',
        },
      ],
    }
    const text =
      '\ufeff# export\r\nTicker;Skipped;Unit;Price;Lots;Settled;When\r\n"A;1";x;"USD ""bbl""";1.234,5;10;02.02.2024;31.01.2024 09:30\r\n\r\nB;;;;;;01.02.2024 00:00;\r\n'
    const expected =
      'Source,Ticker,Date(Europe/Warsaw),Price(DB),Lots(I),Unit(MD-S),Settled(MD-D)\n' +
      '"a, b",A;1,2024-01-31T09:30:00.000,1234.5,10,"USD ""bbl""",2024-02-01T15:00:00.000Z\n' +
      '"a, b",B,2024-02-01T00:00:00.000,,,,\n'
    for (const size of [1, 2, 7, 1000]) {
      const { output, problems, converter } = convert(text, mapping, size)
      expect(problems).toEqual([])
      expect(output).toBe(expected)
      expect(converter.rowCount).toBe(2)
    }
  })

  test('names the line of the original file, and groups equal problems', () => {
    const text =
      '# comment\nDate,Price,Note\n01/02/2024,1,"two\nlines"\n\n2024-02-02,1,a\n2024-02-03,x,a\n03/02/2024,1,a,b\n04/02/2024,1\n05/02/2024,5,\n'
    const { problems, converter } = convert(text, daily)
    expect(problems).toEqual([
      '2 rows, first in line 6, column Date: "2024-02-02" is not a date of the format dd/MM/yyyy.',
      'Line 7, column Price: "x" is not a number.',
      '2 rows, first in line 8: The row has another number of cells than the header, which has 3.',
    ])
    expect(converter.rowCount).toBe(2)
  })

  test.each([
    ['', 'The file is empty. It needs a header line with column names.'],
    ['# x\n', 'The file is empty. It needs a header line with column names.'],
    ['Date,Value\n01/02/2024,1\n', 'Line 1: Could not find column Price. Please try again.'],
    ['Date,Price\n"01/02/2024', 'A quote in row 2 is never closed.'],
    ['Date,Price\n"01"/02/2024,1\n', 'There is text after a closing quote in row 2.'],
  ])('rejects the file %j', (text, problem) => {
    expect(convert(text, daily).problems).toEqual([problem])
  })

  test('rejects mappings without a symbol, and with equal names', () => {
    const text = 'Date,Price\n01/02/2024,1\n'
    expect(convert(text, { ...daily, constantSymbols: [] }).problems).toEqual([
      'Line 1: At least one symbol has to be selected.',
    ])
    const twice = [daily.columns[0]!, daily.columns[0]!]
    expect(convert(text, { ...daily, columns: twice }).problems).toEqual([
      'Line 1: Column names can not be duplicated.',
    ])
  })

  test('memory and messages stay small for wide rows, a huge cell and problems in each row', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `c${at}`)
    const wide = {
      ...daily,
      columns: names.map((column) => ({ column, columnType: 'Value', type: 'DB' }) as const),
    }
    const { problems, output } = convert(`Date,${names.join()}\n01/02/2024${',x'.repeat(10_000)}\n`, wide)
    expect(problems).toHaveLength(100)
    expect(output.split('\n')).toHaveLength(2)
    const converter = new CsvConverter(clocks, daily)
    converter.push('Date,Price\n"')
    const piece = 'x,\n'.repeat(20_000)
    for (let at = 0; at < 800; at++) converter.push(piece)
    converter.end()
    expect(converter.problems).toMatchObject([
      { message: 'A cell in row 2 is too long; a quote may be missing its end.' },
    ])
  })
})
