import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { previewSeries } from '../contract/index.ts'
import { readSeriesPreview } from './preview-series.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
})
afterAll(() => server.stop())

async function* chunksOf(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('returns column types, first rows with their lines, symbols and dates of a series file, but only to its readers', async () => {
  const groupName = `group ${randomUUID()}`
  await anna.call(createGroup, { body: { name: groupName } })
  const content = Buffer.from(
    '# export\nCode,Desk,Date(Europe/Warsaw),Price,Lots(I),Unit(MD-S)\nB,,2024-02-01,2,3,EUR\nA,East,2024-01-31T10:00,1.5,,"a ""b"""\nB,,2024-03-01,,,EUR\n',
  )
  const { fileId: fid } = await upload(anna, { groupName, fileName: 'a.ncsv', fileType: 'NCSV', content })
  expect(await anna.call(previewSeries, { params: { fid } })).toEqual({
    columns: [
      { name: 'Code', kind: 'symbol', type: 'string' },
      { name: 'Desk', kind: 'symbol', type: 'string' },
      { name: 'Date', kind: 'date', type: 'date' },
      { name: 'Price', kind: 'value', type: 'double' },
      { name: 'Lots', kind: 'value', type: 'integer' },
      { name: 'Unit', kind: 'metadata', type: 'string' },
    ],
    columnCount: 6,
    timezone: 'Europe/Warsaw',
    rows: [
      { line: 3, cells: ['B', '', '2024-02-01', '2', '3', 'EUR'] },
      { line: 4, cells: ['A', 'East', '2024-01-31T10:00', '1.5', '', 'a "b"'] },
      { line: 5, cells: ['B', '', '2024-03-01', '', '', 'EUR'] },
    ],
    rowCount: 3,
    symbols: [{ Code: 'B' }, { Code: 'A', Desk: 'East' }],
    symbolCount: 2,
    firstDate: '2024-01-31T09:00:00.000Z',
    lastDate: '2024-02-29T23:00:00.000Z',
    isWhole: true,
  })
  const ben = await server.createUser({ email: 'ben@example.com' })
  await expect(ben.call(previewSeries, { params: { fid } })).rejects.toMatchObject({ status: 404 })
  const plain = await upload(anna, { groupName, fileName: 'a.csv', content })
  await expect(anna.call(previewSeries, { params: { fid: plain.fileId } })).rejects.toMatchObject({
    status: 400,
    body: { code: 'notSeriesFile' },
  })
})

test('a preview is limited to 50 rows, 100 symbols and 200 columns, and counts all rows', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `c${at}`)
  const rows = Array.from({ length: 150 }, (_, at) => `S${at},2024-01-31${',1'.repeat(300)}\n`)
  const preview = await readSeriesPreview(chunksOf(`Code,Date,${names.join()}\n${rows.join('')}`, 4096), true)
  expect(preview).toMatchObject({ columnCount: 302, rowCount: 150, symbolCount: 150 })
  expect([preview.columns.length, preview.rows.length, preview.symbols.length]).toEqual([200, 50, 100])
  expect(preview.rows[0]!.cells).toHaveLength(200)
  const wide = await readSeriesPreview(
    chunksOf(`Code,Date,Note(S)\nA,2024-01-31,${'x'.repeat(5000)}\n`),
    true,
  )
  expect(wide.rows[0]!.cells[2]).toHaveLength(200)
})

test('the excerpt of a large file ends with its last complete row; a problem names its row', async () => {
  const cut = await readSeriesPreview(chunksOf('Code,Date,Price\nA,2024-01-31,1\nA,2024-02-0'), false)
  expect(cut).toMatchObject({ rowCount: 1, isWhole: false, lastDate: '2024-01-31T00:00:00.000Z' })
  expect(cut.problem).toBeUndefined()
  const quoted = await readSeriesPreview(chunksOf('Code,Date,Note(S)\nA,2024-01-31,"x\n', 100), false)
  expect(quoted.problem).toBeUndefined()
  const broken = await readSeriesPreview(chunksOf('Code,Date,Price\nA,2024-01-31,x\n'), true)
  expect(broken.problem).toContain('Row 2, column 3 (Price): "x" is not a number.')
  expect(broken.rows).toEqual([{ line: 2, cells: ['A', '2024-01-31', 'x'] }])
  expect((await readSeriesPreview(chunksOf(''), true)).problem).toContain('The file is empty')
})
