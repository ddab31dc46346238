import { expect, test } from 'vitest'
import {
  addConstant,
  applyDate,
  applySymbols,
  columnDateMessage,
  columnsProblem,
  dateProblem,
  isDateChosen,
  type NcsvTable,
  renameColumn,
  symbolsProblem,
  toNcsv,
  validationResult,
} from './ncsv-table.ts'
import { readTable } from './read-table.ts'

const table: NcsvTable = {
  headers: ['When', 'Ticker', 'Price', 'Settled'],
  rows: [
    ['31.01.2024', 'A', '1,5', '01.02.2024'],
    ['01.02.2024', 'B', '2', 'x'],
  ],
  lines: [3, 5],
}
const date = { column: 'When', dateFormat: 'dd.MM.yyyy', timezone: 'UTC' }
const dated = (applyDate(table, date) as { table: NcsvTable }).table

test('DP-260 DP-261 DP-262 the date step requires a column, a format and a time zone', () => {
  expect(isDateChosen(date)).toBe(true)
  expect(isDateChosen({ ...date, column: null })).toBe(false)
  expect(isDateChosen({ ...date, dateFormat: null })).toBe(false)
  expect(isDateChosen({ ...date, timezone: null })).toBe(false)
})

test('DP-263 only one column may be named Date', () => {
  expect(applyDate({ ...table, headers: ['When', 'Date', 'Price', 'Settled'] }, date)).toEqual({
    problem: 'Date columns already exist',
  })
  expect(dated.headers).toEqual(['Date', 'Ticker', 'Price', 'Settled'])
})

test('DP-264 DP-265 a missing column and dates in another format have their own messages', () => {
  expect(applyDate(table, { ...date, column: 'Day' })).toEqual({
    problem: 'Could not find column Day. Please try again.',
  })
  expect(applyDate(table, { ...date, dateFormat: 'yyyy-MM-dd' })).toEqual({
    problem: 'Some rows does not match proper date format. Please verify the data. Failed rows: 3, 5',
  })
})

test('DP-266 DP-267 after the date step there is exactly one Date column', () => {
  expect(dateProblem(table)).toBe('Date column does not exist.')
  expect(dateProblem(dated)).toBeUndefined()
  expect(dateProblem({ headers: ['Date', 'Date'] })).toBe(
    'There is more than one Date column. Verify the table headers.',
  )
})

test('one of two columns with the same name is renamed, and both keep their values', () => {
  const twice: NcsvTable = {
    headers: ['Date', 'Price', 'Price', 'Name'],
    rows: [['2026-01-01', '1.5', '9', 'A']],
    lines: [2],
  }
  const choices = { date, symbolColumns: ['Name'], columns: {}, decimalSign: '.' } as const
  const second = renameColumn(twice, choices, { index: 2, name: 'Second', ordered: false })
  expect(second.table).toEqual({ ...twice, headers: ['Date', 'Price', 'Second', 'Name'] })
  // In the order Name, Date, Price, Price.
  const last = renameColumn(twice, choices, { index: 3, name: 'Last', ordered: true })
  expect(toNcsv(applySymbols(last.table, ['Name']), last.choices).text).toBe(
    'Name,Date(UTC),Price,Last\nA,2026-01-01,1.5,9\n',
  )
  const symbol = renameColumn(twice, choices, { index: 0, name: 'Code', ordered: true })
  expect(symbol.table.headers).toEqual(['Date', 'Price', 'Price', 'Code'])
  expect(symbol.choices.symbolColumns).toEqual(['Code'])
})

test('DP-268 DP-269 the symbol step requires a chosen symbol or a column before Date', () => {
  expect(symbolsProblem(dated, [])).toBe('At least one symbol has to be selected.')
  expect(symbolsProblem(dated, ['Ticker'])).toBeUndefined()
  expect(symbolsProblem({ ...dated, headers: ['Ticker', 'Date', 'Price', 'Settled'] }, [])).toBeUndefined()
  expect(applySymbols(dated, ['Ticker']).headers).toEqual(['Ticker', 'Date', 'Price', 'Settled'])
  expect(applySymbols(dated, ['Ticker']).rows[0]).toEqual(['A', '31.01.2024', '1,5', '01.02.2024'])
  expect(addConstant(dated, 'Source', 'x').rows[1]).toEqual(['x', '01.02.2024', 'B', '2', 'x'])
})

test('DP-270 DP-271 column names are unique', () => {
  const twice = { ...dated, headers: ['Date', 'Ticker', 'Price', 'Price'] }
  expect(symbolsProblem(twice, ['Ticker'])).toBe('Column names can not be duplicated.')
})

test('DP-272 DP-273 DP-274 every column to the right of Date has a type, and a date column its format and zone', () => {
  const ordered = applySymbols(dated, ['Ticker'])
  const price = { columnType: 'Value', type: 'DB' } as const
  const settled = { columnType: 'Metadata', type: 'D', dateFormat: 'dd.MM.yyyy', timezone: 'UTC' } as const
  const problemOf = (columns: object) => columnsProblem(ordered, { columns: columns as never })
  expect(problemOf({ Price: price, Settled: settled })).toBeUndefined()
  expect(problemOf({ Price: price })).toBe('All columns has to be set up.')
  expect(problemOf({ Price: price, Settled: { ...settled, dateFormat: undefined } })).toBe(
    'All columns has to be set up.',
  )
  expect(problemOf({ Price: price, Settled: { ...settled, timezone: undefined } })).toBe(
    'All columns has to be set up.',
  )
})

test('DP-275 DP-276 a date column reports how many of its rows match the format', () => {
  const column = { type: 'D', dateFormat: 'dd.MM.yyyy', timezone: 'UTC' } as const
  expect(columnDateMessage(dated, 'Settled', column)?.text).toBe(
    '1 rows were formatted succesfully. Formatting 1 rows failed. Failed rows index: 5',
  )
  expect(columnDateMessage(dated, 'Settled', { ...column, dateFormat: 'yyyy-MM' })?.text).toBe(
    'There was a problem while formatting your date. Please change the date format.',
  )
  expect(columnDateMessage(dated, 'Date', column)).toEqual({
    text: '2 rows were formatted succesfully.',
    isProblem: false,
  })
})

test('DP-279 DP-280 DP-281 DP-282 problems reported by the server mark their cells, except for a problem of the whole file', () => {
  const item = (rowNumber: number, columnNumber: number) => ({ rowNumber, columnNumber, message: 'bad' })
  const output = { lines: [2, 4] }
  const marked = validationResult([item(2, 3), item(4, 1), item(-1, -1)], output)
  expect(marked.text).toBe('Issues were found in highlighted cells below')
  expect([...marked.cells.keys()]).toEqual(['0:2', '1:0'])
  expect([...validationResult([item(2, 3), item(4, 1), item(4, 2)], output).cells.keys()]).toEqual([
    '0:2',
    '1:0',
  ])
  expect(validationResult([{ ...item(-1, -1), message: 'No header.' }, item(-1, -1)], output).text).toBe(
    'No header.',
  )
  expect(validationResult([], output).text).toBeUndefined()
})

test('the output has the configured headers, ISO 8601 dates and decimal points', () => {
  const output = toNcsv(applySymbols(dated, ['Ticker']), {
    date: { ...date, timezone: 'Europe/Warsaw' },
    symbolColumns: ['Ticker'],
    decimalSign: ',',
    columns: {
      Price: { columnType: 'Value', type: 'DB' },
      Settled: { columnType: 'Metadata', type: 'D', dateFormat: 'dd.MM.yyyy', timezone: 'Asia/Tokyo' },
    },
  })
  expect(output.text).toBe(
    'Ticker,Date(Europe/Warsaw),Price(DB),Settled(MD-D)\nA,2024-01-31,1.5,2024-01-31T15:00:00.000Z\nB,2024-02-01,2,x\n',
  )
  expect(output.lines).toEqual([2, 3])
})

test('a date with an offset does not use the zone of its column', () => {
  const settled: NcsvTable = {
    headers: ['Date', 'Settled'],
    rows: [['01.02.2024', '2024-02-01T00:00:00+02:00']],
    lines: [2],
  }
  const output = toNcsv(settled, {
    date: { ...date, column: 'Date' },
    symbolColumns: [],
    decimalSign: '.',
    columns: {
      Settled: {
        columnType: 'Value',
        type: 'D',
        dateFormat: "yyyy-MM-dd'T'HH:mm:ssXXX",
        timezone: 'Asia/Tokyo',
      },
    },
  })
  expect(output.text).toBe('Date(UTC),Settled(D)\n2024-02-01,2024-01-31T22:00:00.000Z\n')
})

test('reads other encodings and separators, and suggests all settings', async () => {
  const bytes = Uint8Array.from('Datum;Gr\u00f6\u00dfe\n31.01.2024;1,5\n01.02.2024;2\n', (c) =>
    c.charCodeAt(0),
  )
  const read = readTable(bytes, 'a.csv', 'UTC')
  expect(read).toEqual({
    table: {
      headers: ['Datum', 'Größe'],
      rows: [
        ['31.01.2024', '1,5'],
        ['01.02.2024', '2'],
      ],
      lines: [2, 3],
    },
    choices: {
      date: { column: 'Datum', dateFormat: 'dd.MM.yyyy', timezone: 'UTC' },
      symbolColumns: [],
      columns: { Größe: { columnType: 'Value', type: 'DB' } },
      decimalSign: ',',
    },
    headerLine: 1,
    firstLines: [
      { line: 1, text: 'Datum, Größe' },
      { line: 2, text: '31.01.2024, 1,5' },
    ],
  })
})

test('titles above the names of the columns are skipped, another line can be chosen, and columns without a name get one', () => {
  const text =
    'Report of Munich;;;\ncreated 01.11.2026\n\nWare;Datum;;Menge\nOil;01.09.2026;1,5;2\nGas;02.09.2026;2,5;3\n'
  const read = (line?: number) => readTable(new TextEncoder().encode(text), 'a.csv', 'UTC', line)
  expect(read()).toMatchObject({
    headerLine: 4,
    table: { headers: ['Ware', 'Datum', 'Column 3', 'Menge'], lines: [5, 6] },
    choices: { date: { column: 'Datum' }, decimalSign: ',' },
  })
  expect(read(5)).toMatchObject({
    headerLine: 5,
    table: { headers: ['Oil', '01.09.2026', '1,5', '2'], lines: [6] },
  })
  expect(read(1)).toEqual({
    problem: 'Line 2 has 1 cells, but the header has 4. Correct the file and upload it again.',
  })
  const index = readTable(new TextEncoder().encode(',Date,Price\n0,2026-01-01,5\n'), 'a.csv', 'UTC')
  expect(index).toMatchObject({ headerLine: 1, table: { headers: ['Column 1', 'Date', 'Price'] } })
})

test.each([
  [
    '',
    'The file is empty. A series file needs a line with column names and at least one row, for example “Date,Price” and “2026-01-31,80.5”. Add them in the CSV editor, or upload the file again.',
  ],
  [
    '\n# no rows\n\n',
    'The file is empty. A series file needs a line with column names and at least one row, for example “Date,Price” and “2026-01-31,80.5”. Add them in the CSV editor, or upload the file again.',
  ],
  [
    'Date,Price\n',
    'The file contains only the line “Date,Price”. Add at least one row below it in the CSV editor, or upload the file again.',
  ],
])('a file without rows is not reported as damaged: %#', (text, problem) => {
  expect(readTable(new TextEncoder().encode(text), 'a.csv', 'UTC')).toEqual({ problem, isEmpty: true })
})

test.each([
  ['a,b\n1\n', 'Line 2 has 1 cells, but the header has 2. Correct the file and upload it again.'],
  ['a,b\n"1,2\n', 'A quote in row 2 is never closed. Add the closing quote.'],
  [`${','.repeat(9_999)}\n1\n`, 'The file has 10000 columns. The limit is 200.'],
])('rejects the file %#', async (text, problem) => {
  expect(readTable(new TextEncoder().encode(text), 'a.csv', 'UTC')).toEqual({ problem })
})
