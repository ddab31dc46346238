import { describe, expect, test } from 'vitest'
import { parseCsv } from '../csv-reader.ts'
import { describeProblem } from '../row-problem.ts'
import { CsvConverter, type ConverterOptions } from './convert-csv.ts'
import {
  columnNames,
  columnSuffix,
  configuredHeader,
  fitsHeader,
  isConfigured,
  type CsvMapping,
} from './csv-mapping.ts'
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
  return { output, converter, problems: converter.problems.map((problem) => describeProblem(problem)) }
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
  test('DP-256 DP-259 a column has a type, and a date column also a format and a time zone', () => {
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

  test('DP-288 DP-289 DP-290 headers end with one of eight codes in brackets', () => {
    const codes = (['Value', 'Metadata'] as const).flatMap((columnType) =>
      (['D', 'DB', 'I', 'S'] as const).map((type) => columnSuffix({ columnType, type })),
    )
    expect(codes).toEqual(['D', 'DB', 'I', 'S', 'MD-D', 'MD-DB', 'MD-I', 'MD-S'])
    expect(configuredHeader('Settled', { columnType: 'Metadata', type: 'D' })).toBe('Settled(MD-D)')
    expect(configuredHeader('Price', { columnType: 'Value', type: 'DB' })).toBe('Price(DB)')
  })

  test('a mapping fits a header that contains each of its columns once, in any order', () => {
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

  test('maps repeated values and known names to symbols, other text to values, and a second digit-only date to a number', () => {
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

  test('a column of numbers can contain a few other cells', () => {
    const typeOf = (others: number) =>
      suggest(`Date,Price\n${'2024-01-31,1\n'.repeat(10 - others)}${'2024-01-31,n/a\n'.repeat(others)}`)
        ?.columns[0]?.type
    expect([typeOf(0), typeOf(1), typeOf(2)]).toEqual(['DB', 'DB', undefined])
  })

  test('suggests nothing without dates', () => {
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
      '\nSource,Ticker,Date(Europe/Warsaw),Price(DB),Lots(I),Unit(MD-S),Settled(MD-D)\n' +
      '"a, b",A;1,2024-01-31T09:30:00.000,1234.5,10,"USD ""bbl""",2024-02-01T15:00:00.000Z\n\n' +
      '"a, b",B,2024-02-01T00:00:00.000,,,,\n'
    for (const size of [1, 2, 7, 1000]) {
      const { output, problems, converter } = convert(text, mapping, size)
      expect(problems).toEqual([])
      expect(output).toBe(expected)
      expect(converter.rowCount).toBe(2)
    }
  })

  test('names the line in the original file, and groups equal problems', () => {
    const text =
      '# comment\nDate,Price,Note\n01/02/2024,1,"two\nlines"\n\n2024-02-02,1,a\n2024-02-03,x,a\n03/02/2024,1,a,b\n04/02/2024,1\n05/02/2024,5,\n'
    const { problems, converter } = convert(text, daily)
    expect(problems).toEqual([
      'Row 6, column 1 (Date): "2024-02-02" is not a date in the format dd/MM/yyyy. 1 more row has this problem.',
      'Row 7, column 2 (Price): "x" is not a number.',
      'Row 8: The row has 4 cells, and the first row has 3. 1 more row has this problem.',
    ])
    expect(converter.rowCount).toBe(2)
  })

  test.each([
    ['', 'The file is empty. It needs a header line with column names.'],
    ['Date,Price\n', 'The file has a header line but no rows. Nothing can be imported.'],
    ['# x\n', 'The file is empty. It needs a header line with column names.'],
    ['Date,Value\n01/02/2024,1\n', 'Row 1: Could not find column Price. Please try again.'],
    ['Date,Price\n"01/02/2024', 'A quote in row 2 is never closed. Add the closing quote.'],
    [
      'Date,Price\n"01"/02/2024,1\n',
      'There is text after a closing quote in row 2. Remove it, or double the quotes within the cell.',
    ],
  ])('rejects the file %j', (text, problem) => {
    expect(convert(text, daily).problems).toEqual([problem])
  })

  test('rejects mappings without a symbol, and with equal names', () => {
    const text = 'Date,Price\n01/02/2024,1\n'
    expect(convert(text, { ...daily, constantSymbols: [] }).problems).toEqual([
      'Row 1: At least one symbol has to be selected.',
    ])
    const twice = [daily.columns[0]!, daily.columns[0]!]
    expect(convert(text, { ...daily, columns: twice }).problems).toEqual([
      'Row 1: Column names can not be duplicated.',
    ])
  })

  test('values get the names of the mapping; an unusable name is rejected', () => {
    const text = 'Date,Price,Settled\n01/02/2024,1,2\n'
    const columns = (first?: string, second?: string) => ({
      ...daily,
      columns: [
        { ...daily.columns[0]!, name: first },
        { ...daily.columns[0]!, column: 'Settled', name: second },
      ],
    })
    expect(convert(text, columns(' Close ')).output.split('\n')[0]).toBe(
      'Symbol,Date(UTC),Close(DB),Settled(DB)',
    )
    const swapped = convert(text, columns('Settled', 'Price'))
    expect(swapped.output).toBe('Symbol,Date(UTC),Settled(DB),Price(DB)\n"Brent, spot",2024-02-01,1,2\n')
    for (const [name, problem] of [
      ['', 'Enter a name for the values of the column "Price".'],
      ['Settled', 'Column names can not be duplicated.'],
      ['DateTime', '"DateTime" is the name of a date column. Choose another name for the values.'],
      ['Close(MD-S)', '"Close(MD-S)" ends with the code of a type. Choose a name without it.'],
    ] as const)
      expect(convert(text, columns(name)).problems).toEqual([`Row 1: ${problem}`])
    const typed = columns('Settled')
    typed.columns[1] = { ...typed.columns[1]!, type: 'S' } as never
    expect(convert(text, typed).problems).toEqual([
      'Row 1: Two columns have the name "Settled". Choose another name for one.',
    ])
  })

  test('each output row has the line number of its original row', () => {
    const text =
      '# export\n\nDate,Note,Price\n01/02/2024,"left\r\nout",1\n\n02/02/2024,x,2\n03/02/2024,"a\n\nb",3\n04/02/2024,,4'
    const { output } = convert(text, daily)
    const lines = output.split('\n')
    expect(lines.map((line) => line.split(',').at(-1))).toEqual([
      '',
      '',
      'Price(DB)',
      '1',
      '',
      '',
      '2',
      '3',
      '',
      '',
      '4',
      '',
    ])
    const noted = convert(text, { ...daily, columns: [{ column: 'Note', columnType: 'Value', type: 'S' }] })
    expect(noted.output.split(/\r\n|\n/)[10]).toBe('"Brent, spot",2024-02-04,')
  })

  test('a file without a header gets one, and only its lines are shifted by one', () => {
    const bare: CsvMapping = {
      ...daily,
      hasHeader: false,
      date: { ...daily.date, column: 'Column 1' },
      columns: [{ column: 'Column 2', columnType: 'Value', type: 'DB' }],
    }
    const header = 'Symbol,Date(UTC),Column 2(DB)\n'
    expect(convert('01/02/2024,1\n', bare)).toMatchObject({
      output: `${header}"Brent, spot",2024-02-01,1\n`,
      converter: { lineShift: 1, rowCount: 1 },
    })
    expect(convert('# note\n01/02/2024,1\n', bare)).toMatchObject({
      output: `${header}"Brent, spot",2024-02-01,1\n`,
      converter: { lineShift: 0 },
    })
    expect(convert('# note\n01/02/2024,x\n', bare).problems).toEqual([
      'Row 2, column 2 (Column 2): "x" is not a number.',
    ])
  })

  test('repeated and missing column names are numbered', () => {
    expect(columnNames([' Price ', '', 'Price', 'Date', ''])).toEqual([
      'Price (1)',
      'Column 2',
      'Price (2)',
      'Date',
      'Column 5',
    ])
    expect(columnNames(['A', 'A', 'A (1)', 'Column 4', ''])).toEqual([
      'A (2)',
      'A (3)',
      'A (1)',
      'Column 4',
      'Column 5',
    ])
    const second = { ...daily, columns: [{ ...daily.columns[0]!, column: 'Price (2)' }] }
    expect(convert('Date,Price,Price\n01/02/2024,1,2\n', second).output).toContain('2024-02-01,2\n')
  })

  test('empty value cells remain empty; an empty date or symbol is reported', () => {
    const mapping = { ...daily, constantSymbols: [], symbolColumns: ['Code'] }
    const text = 'Code,Date,Price\nA,01/02/2024,\n,01/02/2024,1\nB,,2\n,02/02/2024,1\n'
    expect(convert(text, mapping).problems).toEqual([
      'Row 3, column 1 (Code): The cell is empty, but each row needs a symbol. 1 more row has this problem.',
      'Row 4, column 2 (Date): The cell is empty, but each row needs a date in the format dd/MM/yyyy.',
    ])
    expect(convert('Code,Date,Price\n#1,01/02/2024,\n', mapping).output).toContain('"#1",2024-02-01,\n')
  })

  test('the name of a date column and line breaks are rejected in symbols', () => {
    const text = 'When,Date,Price\n01/02/2024,a,1\n'
    const mapping = { ...daily, date: { ...daily.date, column: 'When' }, symbolColumns: ['Date'] }
    expect(convert(text, mapping).problems[0]).toContain('"Date" is the name of a date column')
    const broken = { ...daily, constantSymbols: [{ name: 'Symbol', value: 'a\nb' }] }
    expect(convert('Date,Price\n01/02/2024,1\n', broken).problems[0]).toContain(
      'must not contain line breaks',
    )
  })

  test('a wide row has at most 100 problems, and a huge cell ends the conversion', () => {
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
      {
        message:
          'A cell in row 2 has more than 1,000,000 characters. Shorten it, or add its closing quote if that is missing.',
      },
    ])
  })
})
