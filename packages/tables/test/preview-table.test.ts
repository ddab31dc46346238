import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import writeWorkbook from 'write-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { converted } from '../src/isolated/conversion.ts'
import { previewTable } from '../src/isolated/preview-table.ts'
import { readTablePreview } from '../src/read-table-preview.ts'
import type { TablePreviewOptions } from '../src/table-preview.ts'
import { zipOf } from '../src/zip/zip-writer.ts'
import { joined, sourceOf, workbookOf } from './bytes.ts'
import { clickhouse } from './clickhouse.ts'
import { endlessParquet } from './endless-parquet.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'))
})
afterAll(() => rm(folder, { recursive: true }))

const defaults = { format: 'XLSX', sheet: 1, maxRows: 100, maxColumns: 100, maxCellLength: 200 } as const
const previewOf = (bytes: Uint8Array, options: Partial<TablePreviewOptions> = {}) =>
  readTablePreview(sourceOf(bytes), { ...defaults, ...options })
const previewOfParquet = (bytes: Uint8Array, options: Partial<TablePreviewOptions> = {}) =>
  previewOf(bytes, { format: 'Parquet', ...options })
const isolated = (bytes: Uint8Array, format: 'XLSX' | 'Parquet', maxMs: number) =>
  previewTable(sourceOf(bytes), { ...defaults, format }, { signal: new AbortController().signal, maxMs })
const rowsOf = (count: number, cells: (row: number) => string) =>
  Array.from({ length: count }, (_, at) => `<row r="${at + 1}">${cells(at + 1)}</row>`).join('')

async function parquetOf(name: string, select: string): Promise<Buffer> {
  const path = join(folder, `${name}.parquet`)
  await clickhouse(`INSERT INTO FUNCTION file('${path}', Parquet) ${select}`)
  return readFile(path)
}

test('the preview of a workbook lists its sheets, rows with their numbers, and cells of each type as text', async () => {
  const workbook = await writeWorkbook([
    [{ value: 'Name' }, { value: 'Day' }, { value: 'Price' }, { value: 'Open' }, { value: 'Mixed' }],
    [
      { value: '=cmd()' },
      { value: new Date(Date.UTC(2026, 0, 31)), type: Date, format: 'dd.mm.yyyy' },
      { value: 70.1, type: Number },
      { value: true, type: Boolean },
      { value: 'x' },
    ],
    [],
    [null, null, null, null, { value: 7, type: Number }],
  ] as never).toBuffer()
  expect(await previewOf(workbook)).toEqual({
    sheets: ['Sheet1'],
    sheetCount: 1,
    columns: [
      { name: 'A', type: 'text' },
      { name: 'B', type: 'date' },
      { name: 'C', type: 'number' },
      { name: 'D', type: 'boolean' },
      { name: 'E', type: 'mixed' },
    ],
    columnCount: 5,
    columnsWithoutText: [],
    rows: [
      { number: 1, cells: ['Name', 'Day', 'Price', 'Open', 'Mixed'] },
      { number: 2, cells: ['=cmd()', '2026-01-31', '70.1', 'true', 'x'] },
      { number: 4, cells: [null, null, null, null, '7'] },
    ],
    rowCount: 3,
    isRowCountExact: true,
    hasCutTexts: false,
  })
})

test('a formula has its stored value, or its text if none is stored; errors and an empty result are preserved', async () => {
  const workbook = await workbookOf({
    sheets: {
      Data: '<row r="3"><c r="A3"><f>SUM(B1:B2)</f><v>3</v></c><c r="B3"><f>A1&amp;"x"</f></c><c r="C3" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D3" t="str"><f>""</f><v></v></c><c r="AB3"><v>1</v></c></row>',
      Other: '<row><c t="inlineStr"><is><t>second</t></is></c></row>',
      Empty: '',
    },
  })
  const { rows, columns, columnCount } = await previewOf(workbook)
  expect(rows).toEqual([
    { number: 3, cells: ['3', '=A1&"x"', '#DIV/0!', ...Array.from({ length: 24 }, () => null), '1'] },
  ])
  expect([columnCount, columns.at(-1)]).toEqual([28, { name: 'AB', type: 'number' }])
  expect(await previewOf(workbook, { sheet: 2 })).toMatchObject({
    sheets: ['Data', 'Other', 'Empty'],
    rows: [{ number: 1, cells: ['second'] }],
  })
  expect(await previewOf(workbook, { sheet: 3 })).toMatchObject({ rows: [], columns: [], rowCount: 0 })
  await expect(previewOf(workbook, { sheet: 4 })).rejects.toThrow('The workbook has no sheet 4; it has 3.')
})

test('rows and columns are limited and all rows with a value are counted; long texts are cut', async () => {
  const wide = rowsOf(150, (row) => `<c r="A${row}" t="str"><v>${'ä'.repeat(30)}</v></c><c r="C${row}"/>`)
  const preview = await previewOf(await workbookOf({ sheets: { Data: `${wide}<row r="151"/>` } }), {
    maxRows: 10,
    maxCellLength: 20,
  })
  expect(preview).toMatchObject({ rowCount: 150, isRowCountExact: true, hasCutTexts: true, columnCount: 1 })
  expect(preview.rows).toHaveLength(10)
  expect(preview.rows[9]).toEqual({ number: 10, cells: ['ä'.repeat(20)] })
  const csv = `${Array.from({ length: 30 }, (_, at) => `c${at}`).join()}\n${'1'.concat(',1'.repeat(29), '\n').repeat(40)}`
  const source = () => sourceOf(csv)
  for (const format of ['XLSX', 'Parquet'] as const) {
    const file = await joined(converted(source(), { formats: `CSV to ${format}` }))
    const cut = await previewOf(file, { format, maxRows: 12, maxColumns: 7 })
    expect([cut.rows.length, cut.columns.length, cut.rows[1]!.cells.length, cut.columnCount]).toEqual([
      12, 7, 7, 30,
    ])
    expect(cut.rowCount).toBe(format === 'XLSX' ? 41 : 40)
  }
})

test('the preview of a Parquet file shows types, exact decimals, dates and null, and reports columns without text separately', async () => {
  const parquet = await parquetOf(
    'types',
    `SELECT number AS id, if(number = 1, NULL, concat('näme ', toString(number))) AS name, toDecimal64(number, 3) / 8 AS exact, toDate32('2026-01-01') + number AS day, toDateTime64('2026-01-01 00:00:00.250', 3, 'UTC') AS at, toFloat32(0.1) AS small, number % 2 = 0 AS even, [1, 2] AS list, unhex('ff00') AS bytes, '' AS blank FROM numbers(5000) SETTINGS output_format_parquet_row_group_size = 2, output_format_parquet_string_as_string = 0`,
  )
  const preview = await previewOfParquet(parquet, { maxRows: 3 })
  expect(preview).toMatchObject({ rowCount: 5000, isRowCountExact: true, columnCount: 10, sheets: [] })
  expect(preview.columns.filter(({ name }) => name !== 'even')).toEqual([
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'text' },
    { name: 'exact', type: 'decimal' },
    { name: 'day', type: 'date' },
    { name: 'at', type: 'timestamp' },
    { name: 'small', type: 'number' },
    { name: 'blank', type: 'text' },
  ])
  expect(preview.columnsWithoutText.map(({ name }) => name)).toEqual(['list', 'bytes'])
  const even = preview.columns.findIndex(({ name }) => name === 'even')
  expect(preview.rows.map(({ number, cells }) => [number, ...cells.toSpliced(even, 1)])).toEqual([
    [1, '0', 'näme 0', '0.000', '2026-01-01', '2026-01-01T00:00:00.250Z', '0.1', ''],
    [2, '1', null, '0.125', '2026-01-02', '2026-01-01T00:00:00.250Z', '0.1', ''],
    [3, '2', 'näme 2', '0.250', '2026-01-03', '2026-01-01T00:00:00.250Z', '0.1', ''],
  ])
})

test('files that are not tables, encrypted or damaged, and zip bombs, are rejected with a reason', async () => {
  await expect(previewOf(Buffer.from('a,b\n'))).rejects.toThrow('it is not a zip archive')
  await expect(previewOf(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow(
    'The workbook has a password',
  )
  await expect(previewOf(await joined(zipOf([{ path: 'a.txt', content: ['x'] }])))).rejects.toThrow(
    'The file is not an XLSX workbook.',
  )
  await expect(previewOfParquet(Buffer.from('x'))).rejects.toThrow('The file is not a Parquet file.')
  await expect(previewOfParquet(Buffer.from('PAR1 xxxxxxxx PARE'))).rejects.toThrow('is encrypted')
  const workbook = await workbookOf({ sheets: { Data: rowsOf(3, (row) => `<c r="A${row}"><v>1</v></c>`) } })
  const directory = workbook.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const bomb = Buffer.from(workbook)
  // The archive states a smaller size than the sheet has.
  bomb.writeUInt32LE(10, directory + 24)
  await expect(previewOf(bomb)).rejects.toThrow('is larger than the archive states')
  const damaged = Buffer.from(workbook)
  damaged.writeUInt32LE(7, directory + 16)
  await expect(previewOf(damaged)).rejects.toThrow('sheet0.xml is damaged')
  // Damage after the listed rows is a problem of the preview.
  const { rows, isRowCountExact, problem } = await previewOf(damaged, { maxRows: 2 })
  expect([rows.length, isRowCountExact]).toEqual([2, false])
  expect(problem).toContain('sheet0.xml is damaged')
})

test('a preview runs in its own process: it returns the result, and a reader that loops is stopped after its time limit', async () => {
  const workbook = await workbookOf({ sheets: { Data: '<row><c><v>1</v></c></row>' } })
  expect(await isolated(workbook, 'XLSX', 60_000)).toEqual(await previewOf(workbook))
  await expect(isolated(Buffer.from('x'), 'Parquet', 60_000)).rejects.toThrow(
    'The file is not a Parquet file.',
  )
  await expect(isolated(await endlessParquet(), 'Parquet', 5000)).rejects.toThrow(
    'The file could not be read within 5 seconds.',
  )
})

test('only rows in the first 100 MB of a large sheet are counted', async () => {
  const note = 'x'.repeat(1000)
  const rows = (function* () {
    for (let row = 1; row <= 120_000; row++)
      yield `<row r="${row}"><c r="A${row}" t="str"><v>${note}</v></c></row>`
  })()
  const parts = {
    '_rels/.rels':
      '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': '<workbook><sheets><sheet name="Data" id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="s" Type="x/worksheet" Target="sheet.xml"/></Relationships>',
  }
  const large = await joined(
    zipOf([
      ...Object.entries(parts).map(([path, text]) => ({ path, content: [text] })),
      {
        path: 'xl/sheet.xml',
        content: (function* () {
          yield '<worksheet><sheetData>'
          yield* rows
          yield '</sheetData></worksheet>'
        })(),
      },
    ]),
  )
  const { rowCount, isRowCountExact, rows: first } = await previewOf(large)
  expect([first.length, isRowCountExact]).toEqual([100, false])
  expect(rowCount).toBeGreaterThan(90_000)
  expect(rowCount).toBeLessThan(100_000)
})
