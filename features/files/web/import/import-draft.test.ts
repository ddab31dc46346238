import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { describeProblem } from '@headwater/csv'
import { convertStream } from './convert-stream.ts'
import {
  applyFittingMapping,
  changeMapping,
  chooseDecimalSign,
  draftProblem,
  type ImportDraft,
  newImportDraft,
  previewImport,
  renameColumn,
  roleOf,
  rolesFor,
  seriesColumns,
  setRole,
} from './import-draft.ts'
import { readBeginning } from './read-beginning.ts'

async function draftOf(
  content: string | Uint8Array<ArrayBuffer>,
  fileName = 'brent.csv',
): Promise<ImportDraft> {
  const sample = await readBeginning(new Blob([content]))
  if ('problem' in sample) throw new Error(sample.problem)
  return newImportDraft(sample, { fileName, timezone: 'Europe/Warsaw' })
}

const convert = (content: string | Uint8Array<ArrayBuffer>, { mapping }: ImportDraft) =>
  convertStream(new Blob([content]), mapping, () => {})

test('a raw file of dates and prices requires no choices; the preview has its first rows and its symbol', async () => {
  const draft = await draftOf('Date,Price\n1987-05-20,18.63\n1987-05-21,18.45\n')
  expect(draftProblem(draft)).toBeUndefined()
  expect(previewImport(draft)).toEqual({
    names: ['Symbol', 'Date(Europe/Warsaw)', 'Price(DB)'],
    rows: [
      { line: 2, cells: ['brent', '1987-05-20', '18.63'] },
      { line: 3, cells: ['brent', '1987-05-21', '18.45'] },
    ],
    symbols: [{ Symbol: 'brent' }],
    symbolCount: 1,
    repeated: undefined,
    problems: [],
  })
})

test('dates and numbers that can be read in two ways require a choice before the import', async () => {
  const draft = await draftOf('Datum;Kurs\n01/02/2024;1.234\n01/03/2024;2.345\n')
  expect(draftProblem(draft)).toBe('Choose the date format: “01/02/2024” can be read in two ways.')
  const dated = changeMapping(draft, { date: { ...draft.mapping.date, dateFormat: 'dd/MM/yyyy' } })
  expect(draftProblem(dated)).toBe('Choose the decimal separator: the numbers are ambiguous.')
  const complete = chooseDecimalSign(dated, ',')
  expect(draftProblem(complete)).toBeUndefined()
  expect(previewImport(complete).rows[0]!.cells).toEqual(['brent', '2024-02-01', '1234'])
})

test('a few invalid dates are reported with their rows before the import, and do not hide the date column', async () => {
  const linesOf = (dates: readonly string[]) => dates.map((date, at) => `${date},A,${at}.5\n`).join('')
  const iso = ['2024-01-01', '2024-01-02', '2024-13-45', '2024-01-04', '2024-01-05']
  const draft = await draftOf(`Date,Code,Price\n${linesOf(iso)}`)
  expect(draftProblem(draft)).toBeUndefined()
  expect(previewImport(draft).problems.map((problem) => describeProblem(problem))).toEqual([
    'Row 4, column 1 (Date): "2024-13-45" is not a date in the format yyyy-MM-dd.',
  ])
  const mixed = ['01/02/2024', '01/03/2024', 'n/a', '01/05/2024']
  expect(draftProblem(await draftOf(`Date,Code,Price\n${linesOf(mixed)}`))).toBe(
    'Choose the date format: “01/02/2024” can be read in two ways.',
  )
  const many = await draftOf(`Date,Code,Price\n${linesOf([...iso, 'x', 'y'])}`)
  expect(draftProblem(many)).toBe('Choose the date column.')
})

test('a preview reports rows that repeat a symbol and date', async () => {
  const text =
    'Date,Land,Rate\n2024-01-31,Peru,1\n2024-01-31,Chile,2\n2024-02-01,Peru,3\n2024-02-01,Chile,4\n'
  const draft = await draftOf(text)
  expect(roleOf(draft.mapping, 'Land')).toBe('symbol')
  expect(previewImport(draft)).toMatchObject({ symbolCount: 2, repeated: undefined })
  const withoutLand = changeMapping(setRole(draft, 'Land', 'none'), {
    constantSymbols: [{ name: 'Symbol', value: 'x' }],
  })
  expect(previewImport(withoutLand).repeated).toEqual({ symbol: 'x', date: '2024-01-31', count: 2 })
})

test('the role of a column can be changed; a new date column requires its format again', async () => {
  const draft = await draftOf('A,B,C,D\n2024-01-31,01/02/2024,x,1\n2024-02-01,03/04/2024,y,2\n')
  expect(roleOf(draft.mapping, 'A')).toBe('date')
  const other = setRole(draft, 'B', 'date')
  expect([roleOf(other.mapping, 'A'), roleOf(other.mapping, 'B')]).toEqual(['none', 'date'])
  expect(draftProblem(other)).toContain('“01/02/2024” can be read in two ways')
  const symbol = setRole(draft, 'C', 'symbol')
  expect(symbol.mapping).toMatchObject({ symbolColumns: ['C'], constantSymbols: [] })
  expect(draftProblem(setRole(symbol, 'C', 'none'))).toBe(
    'Choose a symbol column, or enter a symbol for all rows.',
  )
  expect(draftProblem(setRole(draft, 'A', 'none'))).toBe('Choose the date column.')
  expect(rolesFor(draft.sample, 'D')).not.toContain('Value D')
  expect(setRole(draft, 'B', 'Value D').mapping.columns).toContainEqual({
    column: 'B',
    columnType: 'Value',
    type: 'D',
    dateFormat: 'dd/MM/yyyy',
    timezone: 'Europe/Warsaw',
  })
})

test('values can get another name in the series, which remains when their type changes', async () => {
  const draft = await draftOf('Date,Code,Price,Volume\n2024-05-20,A,1,10\n2024-05-21,A,2,20\n')
  const renamed = setRole(renameColumn(draft, 'Price', 'Close '), 'Price', 'Value S')
  expect(draftProblem(renamed)).toBeUndefined()
  expect(previewImport(renamed).names).toEqual(['Code', 'Date(Europe/Warsaw)', 'Close(S)', 'Volume(DB)'])
  expect(seriesColumns(renamed.mapping)).toEqual(['Code', 'Close', 'Volume'])
  expect((await convert('Date,Code,Price,Volume\n2024-05-20,A,1,10\n', renamed)).problems).toEqual([])
  expect(renameColumn(renamed, 'Price', 'Price').mapping).toEqual(setRole(draft, 'Price', 'Value S').mapping)
  expect(draftProblem(renameColumn(draft, 'Price', ' '))).toBe(
    'Enter a name for the values of the column "Price".',
  )
  expect(draftProblem(renameColumn(draft, 'Price', 'Volume'))).toBe(
    'Two columns have the name "Volume". Choose another name for one.',
  )
  expect(draftProblem(renameColumn(draft, 'Price', 'date'))).toContain('is the name of a date column')
})

test('a stored mapping that fits the header is applied, unless the user changed the settings', async () => {
  const draft = await draftOf('Date,Price,Note\n01/02/2024,1,a\n')
  const mapping = (await draftOf('Date,Price\n2024-05-20,1\n')).mapping
  const fitting = {
    name: 'Daily',
    savedAt: '2026-01-01T00:00:00',
    mapping: { ...mapping, date: { ...mapping.date, dateFormat: 'MM/dd/yyyy' } },
  } as never
  const other = {
    name: 'Other',
    savedAt: '2026-01-02T00:00:00',
    mapping: { ...mapping, date: { ...mapping.date, column: 'When' } },
  } as never
  const applied = applyFittingMapping(draft, [other, fitting])
  expect(applied).toMatchObject({ appliedMapping: 'Daily', mapping: { date: { dateFormat: 'MM/dd/yyyy' } } })
  expect(draftProblem(applied)).toBeUndefined()
  expect(applyFittingMapping(draft, [other])).toBe(draft)
  const changed = chooseDecimalSign(draft, '.')
  expect(applyFittingMapping(changed, [fitting])).toBe(changed)
})

test('reads 10,000 columns; more than 1,000 must be excluded', async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `c${at}`)
  const draft = await draftOf(`Date,${names.join()}\n2024-01-31${',1.5'.repeat(10_000)}\n`)
  expect(draftProblem(draft)).toBe('10,000 columns are chosen, and the limit is 1,000. Ignore some of them.')
  const fewer = changeMapping(draft, { columns: draft.mapping.columns.slice(0, 1000) })
  expect(draftProblem(fewer)).toBeUndefined()
  expect(previewImport(fewer).names).toHaveLength(1002)
})

test.each(['brent-daily', 'natural-gas-daily', 'wti-daily', 'exchange-rates-monthly'])(
  'imports the example %s without a problem',
  async (name) => {
    const text = exampleText(name)
    const draft = await draftOf(text, `${name}.csv`)
    expect(draftProblem(draft)).toBeUndefined()
    const { problems, rowCount, symbolCount } = await convert(text, draft)
    expect(problems).toEqual([])
    expect(rowCount).toBe(text.trim().split('\n').length - 1)
    expect(symbolCount).toBe(name.startsWith('exchange') ? 3 : 1)
  },
)

test('reads encodings, byte order marks and a late byte that is not UTF-8', async () => {
  const text = 'Datum;Ort;Kurs\r\n31.01.2024;Köln;1,5\r\n01.02.2024;Köln;2\r\n'
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  const latin = new Uint8Array(Buffer.from(text, 'latin1'))
  for (const content of [`\ufeff${text}`, utf16, latin]) {
    const { content: ncsv } = await convert(content, await draftOf(content))
    expect(await ncsv.text()).toBe(
      'Ort,Date(Europe/Warsaw),Kurs(DB)\nKöln,2024-01-31,1.5\nKöln,2024-02-01,2\n',
    )
  }
  const late = `Date,Place,Price\n${'2024-01-31,A,1\n'.repeat(20_000)}`
  const mixed = new Uint8Array(
    Buffer.concat([Buffer.from(late), Buffer.from('2024-02-01,Köln,2\n', 'latin1')]),
  )
  const converted = await convert(mixed, await draftOf(late))
  expect((await converted.content.text()).trimEnd().split('\n').at(-1)).toBe('Köln,2024-02-01,2')
})

test('problems are counted across the whole file, and none of it is output', async () => {
  const text = `Date,Price\n2024-01-31,1\n${'2024-01-31,n/a\n'.repeat(1518)}`
  const draft = await draftOf('Date,Price\n2024-01-31,1\n')
  const { problems } = await convert(text, draft)
  expect(problems.map((problem) => describeProblem(problem))).toEqual([
    'Row 3, column 2 (Price): "n/a" is not a number. 1,517 more rows have this problem.',
  ])
})

/** Rows in the form of public price files. */
function exampleText(name: string): string {
  const days = Array.from({ length: 300 }, (_, at) =>
    new Date(Date.UTC(1987, 4, 20 + at)).toISOString().slice(0, 10),
  )
  if (!name.startsWith('exchange'))
    return `Date,Price\n${days.map((day, at) => `${day},${18 + at / 100}\n`).join('')}`
  const countries = ['Australia', 'Sri Lanka', 'United Kingdom']
  return `Date,Country,Exchange rate\n${countries.flatMap((country) => days.map((day, at) => `${day},${country},${1 + at / 1000}\n`)).join('')}`
}
