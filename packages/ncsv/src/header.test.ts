import { expect, test } from 'vitest'
import { parseNcsvHeader } from './header.ts'

test('parses the symbols, the date with its zone, the values and the metadata of a header', () => {
  const { header } = parseNcsvHeader([
    'Code',
    'Ven,ue',
    'Date(Europe/Warsaw)',
    'Close',
    'Status(S)',
    'Unit(MD-S)',
  ])
  expect(header).toMatchObject({
    symbolColumns: [{ name: 'Code' }, { name: 'Ven,ue' }],
    dateColumn: { timeZone: 'Europe/Warsaw', index: 2 },
    valueColumns: [
      { name: 'Close', type: 'double', index: 3 },
      { name: 'Status', type: 'string', index: 4 },
    ],
    metadataColumns: [{ name: 'Unit', type: 'string', index: 5 }],
  })
})

test.each(['Date', 'DATE', 'DateTime', 'datetime', 'Date(UTC)', 'date( America/New_York )'])(
  '%s is the date',
  (name) => {
    expect(parseNcsvHeader(['A', name, 'V']).header?.dateColumn?.index).toBe(1)
  },
)

test.each(['Date In(S)', 'Dates', 'Date(D)', 'Date(S)', 'Update'])('%s is not a date', (name) => {
  expect(parseNcsvHeader(['A', 'Date', name]).header?.valueColumns[0]?.index).toBe(2)
})

test('reports every problem of a header', () => {
  const { problems } = parseNcsvHeader(['A', '', 'Date', 'V', 'V', 'Date'], 4)
  expect(problems.map(({ row, column }) => [row, column])).toEqual([
    [4, 2],
    [4, 5],
    [4, 6],
    [4, 6],
  ])
})

test.each([
  ['Code;Date;Close', '“;”'],
  ['Code\tDate\tClose', 'tabs'],
  ['Code|Close', '“|”'],
  ['Code;Date(Europe/Warsaw);Price, in EUR', '“;”'],
  ['Code;Unit(MD-S)', '“;”'],
])('reports that the header %j is separated by %s, and nothing else', (line, separator) => {
  const { problems } = parseNcsvHeader(line.split(','))
  expect(problems).toHaveLength(1)
  expect(problems[0]!.message).toContain(
    `The file seems to use ${separator} as its separator; NCSV uses commas.`,
  )
})

test('accepts names that contain separators of other formats', () => {
  expect(parseNcsvHeader(['a;b', 'Date', 'c|d']).problems).toEqual([])
  expect(parseNcsvHeader(['a;b', 'c;Unit(MD-S)']).problems).toEqual([])
  expect(parseNcsvHeader(['a;b', 'Close']).problems[0]!.message).toContain('There is no date column')
})
