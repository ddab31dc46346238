import { expect, test } from 'vitest'
import { csvLines, csvRows, withPlainValues, type ValueTexts } from '../src/index.ts'
import { sourceOf } from './bytes.ts'
import { bytesOf } from '../src/table.ts'

async function plain(csv: string, texts: ValueTexts): Promise<string> {
  const lines: string[] = []
  for await (const line of csvLines(withPlainValues(csvRows(bytesOf(sourceOf(csv))), texts))) lines.push(line)
  return lines.join('')
}

test('numbers with a plus sign or without a whole part are numbers; addresses, codes and texts are unchanged', async () => {
  const rows = [
    ['+1,5', '1.5'],
    [',5', '0.5'],
    ['-,5', '-0.5'],
    ['+,5', '0.5'],
    ['+1.234,5', '1234.5'],
    ['1.234.567.890', '1234567890'],
    ['192.168.100.200', '192.168.100.200'],
    ['255.255.255.255', '255.255.255.255'],
    ['256.100.100.100', '256100100100'],
    ['1.000.000.000', '1000000000'],
    ['+49', '+49'],
    ['007', '007'],
    ['5,', '"5,"'],
    ['+', '+'],
    [',', '","'],
  ]
  const csv = `Value;b\n${rows.map(([cell]) => `${cell};x\n`).join('')}`
  expect(await plain(csv, { decimalSign: ',' })).toBe(
    `Value,b\n${rows.map(([, cell]) => `${cell},x\n`).join('')}`,
  )
})

test('dates in the format become ISO dates, in the columns that have them', async () => {
  const csv = 'Code;Day;At;Close\n20260101;31.12.2026;;1,5\n20260102;;31.12.2026 14:00;2\n'
  expect(await plain(csv, { dateFormat: 'dd.MM.yyyy', decimalSign: ',' })).toBe(
    'Code,Day,At,Close\n20260101,2026-12-31,,1.5\n20260102,,31.12.2026 14:00,2\n',
  )
  expect(await plain(csv, { dateFormat: 'dd.MM.yyyy HH:mm' })).toBe(
    'Code,Day,At,Close\n20260101,31.12.2026,,"1,5"\n20260102,,2026-12-31T14:00:00.000,2\n',
  )
  expect(await plain(csv, { dateFormat: 'detect' })).toBe(
    'Code,Day,At,Close\n20260101,2026-12-31,,"1,5"\n20260102,,2026-12-31T14:00:00.000,2\n',
  )
  expect(await plain(csv, { dateFormat: 'yyyyMMdd', dateColumns: ['Code'] })).toContain(
    '2026-01-01,31.12.2026',
  )
  expect(await plain(csv, {})).toBe(csv.replaceAll(';', ',').replace('1,5', '"1,5"'))
})

test('a value that is not a date ends the conversion with its line, its column and an example', async () => {
  const rejects = (csv: string, texts: ValueTexts) => expect(plain(csv, texts)).rejects
  const german = { dateFormat: 'dd.MM.yyyy' }
  await rejects('Note;Day\n"two\nlines";31.12.2026\nx;\n\nx;n/a\nx;1.1.2027\n', german).toThrow(
    'Row 6, column 2 (Day): "n/a" is not a date in the format dd.MM.yyyy, such as 31.12.2026.',
  )
  // 30 February does not exist, and the row is after the sample.
  const many = '31.12.2026;x\n'.repeat(1500)
  await rejects(`Day;b\n${many}30.02.2026;x\n`, german).toThrow(
    'Row 1502, column 1 (Day): "30.02.2026" is not',
  )
  await rejects('a;b\n1;2\n', german).toThrow(
    'No column has dates in the format dd.MM.yyyy, such as 31.12.2026.',
  )
  await rejects('a;b\n1;2\n', { dateFormat: 'detect' }).toThrow('No column with dates was detected.')
  await rejects('a;b\n1;2\n', { ...german, dateColumns: ['c'] }).toThrow(
    'The file has no column “c” for dates.',
  )
  await rejects('a;b\nx y;2\n', { dateFormat: 'detect', dateColumns: ['a'] }).toThrow(
    'No date format fits the first values of “a”, such as "x y". Choose the date format.',
  )
  await rejects('a;b\n01/02/2026;2\n', { dateFormat: 'detect' }).toThrow(
    'The dates of “a”, such as 01/02/2026, can be in the format dd/MM/yyyy or MM/dd/yyyy. Choose the date format.',
  )
})

test('a file with a header only, and columns without values, have no dates to convert', async () => {
  expect(await plain('a;b\n', { dateFormat: 'detect' })).toBe('a,b\n')
  expect(await plain('a;b\n;1\n', { dateFormat: 'detect', dateColumns: ['a'] })).toBe('a,b\n,1\n')
})
