import readWorkbook from 'read-excel-file/node'
import writeWorkbook from 'write-excel-file/node'
import { expect, test } from 'vitest'
import { converted, type TableConversion } from '../src/isolated/conversion.ts'
import { zipOf } from '../src/zip/zip-writer.ts'
import { joined, sourceOf, workbookOf } from './bytes.ts'

const toCsv = async (bytes: Uint8Array, more: Partial<TableConversion> = {}) =>
  (await joined(converted(sourceOf(bytes), { formats: 'XLSX to CSV', ...more }))).toString()
const toXlsx = (csv: string) => joined(converted(sourceOf(csv), { formats: 'CSV to XLSX' }))
const cell = (reference: string, value: string | number, more = '') =>
  `<c r="${reference}" ${more}><v>${value}</v></c>`
const sheetOf = (rows: string) => workbookOf({ sheets: { Data: rows } })

test('a workbook of another program becomes CSV: texts, numbers, dates, booleans and empty cells', async () => {
  const date = new Date(Date.UTC(2026, 0, 31))
  const time = new Date(Date.UTC(2026, 0, 31, 10, 5, 7))
  const workbook = await writeWorkbook([
    [{ value: 'Name' }, { value: 'Day' }, { value: 'At' }, { value: 'Price' }, { value: 'Open' }],
    [
      { value: 'A "x", ü <&>' },
      { value: date, type: Date, format: 'dd.mm.yyyy' },
      { value: time, type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
      { value: 70.1, type: Number },
      { value: true, type: Boolean },
    ],
    [{ value: '007' }, null, null, { value: -1e-7, type: Number }, null],
  ] as never).toBuffer()
  expect(await toCsv(workbook)).toBe(
    'Name,Day,At,Price,Open\n"A ""x"", ü <&>",2026-01-31,2026-01-31T10:05:07,70.1,true\n007,,,-1e-7,\n',
  )
})

test('CSV becomes a workbook that another program reads: numbers and dates as such, all other cells as texts', async () => {
  const workbook = await toXlsx(
    'Code;Day;At;Price\n007;2026-01-31;2026-01-31T10:05:07Z;70.50\n=1+1;2026-02-30;10:00;12345678901234567890\n"a & <b>\u0001_x0041_";;;\n',
  )
  const [sheet] = (await readWorkbook(workbook)) as unknown as { data: unknown[][] }[]
  expect(sheet!.data).toEqual([
    ['Code', 'Day', 'At', 'Price'],
    ['007', new Date(Date.UTC(2026, 0, 31)), new Date(Date.UTC(2026, 0, 31, 10, 5, 7)), 70.5],
    ['=1+1', '2026-02-30', '10:00', '12345678901234567890'],
    ['a & <b>\u0001_x0041_', null, null, null],
  ])
  expect(await toCsv(workbook)).toBe(
    'Code,Day,At,Price\n007,2026-01-31,2026-01-31T10:05:07,70.5\n=1+1,2026-02-30,10:00,12345678901234567890\na & <b>\u0001_x0041_,,,\n',
  )
})

test('texts with a decimal comma become numbers on request; numbers of a workbook, codes, dates and other texts are unchanged', async () => {
  const csv = 'Code;Day;2,5\n1,5;31.12.2025;1.234,5\n007;1.234;-0,25\n1.2.3;1 234,5;+1,5\n'
  const asTexts = await toXlsx(csv)
  const comma = { decimalSign: ',' } as const
  // 1.234 is a number of the workbook.
  expect(await toCsv(asTexts, { ...comma, textColumns: ['Code'] })).toBe(
    'Code,Day,"2,5"\n"1,5",31.12.2025,1234.5\n007,1.234,-0.25\n1.2.3,1234.5,1.5\n',
  )
  expect(await toCsv(asTexts)).toBe(
    'Code,Day,"2,5"\n"1,5",31.12.2025,"1.234,5"\n007,1.234,"-0,25"\n1.2.3,"1 234,5","+1,5"\n',
  )
  const asNumbers = await joined(converted(sourceOf(csv), { formats: 'CSV to XLSX', ...comma }))
  const [sheet] = (await readWorkbook(asNumbers)) as unknown as { data: unknown[][] }[]
  expect(sheet!.data).toEqual([
    ['Code', 'Day', '2,5'],
    [1.5, '31.12.2025', 1234.5],
    ['007', 1234, -0.25],
    ['1.2.3', 1234.5, 1.5],
  ])
})

test('cells without positions, shared and rich texts, stored values of formulas, and dates from 1904 are read', async () => {
  const workbook = await workbookOf({
    properties: 'date1904="1"',
    shared:
      '<si><t>Name</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>hint</t></rPh></si>',
    styles:
      '<numFmts><numFmt numFmtId="170" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="171" formatCode="0.00&quot;day&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="46"/><xf numFmtId="20"/></cellXfs>',
    sheets: {
      Data: [
        '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>Day</t></is></c><c t="str"><f>"x"</f><v>C &gt; D</v></c><c t="str"><v>E</v></c><c t="str"><v>F</v></c></row>',
        '<row r="4"><c t="s"><v>1</v></c><c s="1"><v>0</v></c><c s="2"><f>1+1</f><v>2</v></c><c s="3"><v>1.25</v></c><c s="4"><v>0.5</v></c></row>',
        '<row/><row><c r="B6" t="e"><v>#N/A</v></c><c><v>70.099999999999994</v></c></row>',
      ].join(''),
    },
  })
  expect(await toCsv(workbook)).toBe(
    'Name,Day,C > D,E,F\n"rich ",1904-01-01,2,30:00:00,12:00:00\n,"#N/A",70.1,,\n',
  )
})

test('the sheet and the row of the header can be chosen', async () => {
  const workbook = await workbookOf({
    sheets: {
      Notes: `<row r="1">${cell('A1', 1)}</row>`,
      Data: `<row r="1">${cell('A1', 'Prices of 2026', 't="str"')}</row><row r="3">${cell('A3', 'Code', 't="str"')}${cell('B3', 'Price', 't="str"')}</row><row r="4">${cell('B4', 2)}</row>`,
    },
  })
  expect(await toCsv(workbook)).toBe('1\n')
  expect(await toCsv(workbook, { sheet: 'Data', headerRow: 2 })).toBe('Code,Price\n,2\n')
  await expect(toCsv(workbook, { sheet: 'Data' })).rejects.toThrow(
    'Row 3 has 2 cells, but the header has 1. Choose the row of the header.',
  )
  await expect(toCsv(workbook, { sheet: 'Other' })).rejects.toThrow(
    'The workbook has no sheet “Other”. Its sheets are Notes, Data.',
  )
})

test.each([
  [
    'a formula without a value',
    '<row r="1"><c r="A1"><f>1+1</f></c></row>',
    'has a formula without a value. Open the workbook in a spreadsheet program and save it.',
  ],
  ['rows out of order', '<row r="2"/><row r="1"/>', 'are not in order'],
  ['too many rows', '<row r="1048577"/>', 'more than 1,048,576'],
  ['too many columns', '<row r="1"><c r="XFE1"><v>1</v></c></row>', 'more than 16,384'],
  ['an infinite number', '<row r="1"><c r="A1"><v>1e999</v></c></row>', 'has an invalid number'],
  ['a missing shared text', '<row r="1"><c r="A1" t="s"><v>7</v></c></row>', 'text that does not exist'],
  [
    'a huge number',
    `<row r="1"><c r="A1"><v>${'1'.repeat(2000)}</v></c></row>`,
    'more than 1,000 characters',
  ],
  [
    'a huge cell',
    `<row r="1"><c r="A1" t="inlineStr"><is><t>${'x'.repeat(1_000_001)}</t></is></c></row>`,
    'A cell has more than 1,000,000 characters.',
  ],
  [
    'a huge row of cells that are not too large',
    `<row r="1">${`<c t="inlineStr"><is><t>${'x'.repeat(1_000_000)}</t></is></c>`.repeat(11)}</row>`,
    'Row 1 has more than 10,000,000 characters.',
  ],
  ['a huge tag', `<row r="1" ${' '.repeat(1_100_000)}`, 'A tag has more than 1,000,000 characters.'],
  ['a document type', '<!DOCTYPE x [<!ENTITY a "aaaa">]>', 'contains a document type, which is not allowed'],
  ['an entity', '<row r="1"><c r="A1"><v>&a;</v></c></row>', 'unknown reference “a”'],
  ['an end within a tag', '<row r="1"><c r="A', 'ends within a tag'],
  ['a row without an end', '<row r="1"><c r="A1"><v>1</v></c>', 'not all of its elements end'],
  [
    'a small file with millions of empty cells',
    Array.from({ length: 400 }, (_, row) => `<row><c r="XFD${row + 1}"><v>1</v></c></row>`).join(''),
    'the sheet has 306 cells with a value and 5,013,198 empty ones. Delete the empty columns',
  ],
])('%s is rejected', async (_what, rows, message) => {
  await expect(toCsv(await sheetOf(rows))).rejects.toThrow(message)
})

test('other files, damaged archives and zip bombs are rejected with the reason', async () => {
  await expect(toCsv(Buffer.from('a,b\n1,2\n'))).rejects.toThrow('it is not a zip archive')
  await expect(toCsv(Buffer.alloc(0))).rejects.toThrow('it is not a zip archive')
  await expect(toCsv(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow(
    'has a password or the old format',
  )
  await expect(toCsv(await joined(zipOf([{ path: 'a.txt', content: ['x'] }])))).rejects.toThrow(
    'The file is not an XLSX workbook.',
  )
  const workbook = await sheetOf(`<row r="1">${cell('A1', 1)}</row>`)
  const end = workbook.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const bomb = Buffer.from(workbook)
  // The archive states a smaller size than the sheet has.
  bomb.writeUInt32LE(10, end + 24)
  await expect(toCsv(bomb)).rejects.toThrow('is larger than the archive states')
  const changed = Buffer.from(workbook)
  changed.writeUInt32LE(7, end + 16)
  await expect(toCsv(changed)).rejects.toThrow('xl/worksheets/sheet0.xml is damaged')
  const huge = Buffer.from(workbook)
  huge.writeUInt32LE(0x70000000, huge.indexOf('xl/workbook.xml', end - 400) - 46 + 24)
  await expect(toCsv(huge)).rejects.toThrow(/bytes; at most 67,108,864 are allowed|is damaged/)
})

test('a table that does not fit into a sheet is rejected', async () => {
  await expect(toXlsx(`a\n${'x'.repeat(32_768)}\n`)).rejects.toThrow('a workbook allows 32,767')
  await expect(toXlsx('a,b\n1\n')).rejects.toThrow('Row 2 has 1 cell, but the header has 2.')
  await expect(toXlsx('a,a\n1,2\n')).rejects.toThrow('The header has the column “a” twice.')
  await expect(toXlsx('')).rejects.toThrow('The file is empty.')
})
