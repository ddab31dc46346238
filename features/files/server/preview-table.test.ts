import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { convertTable } from '@headwater/tables'
import { previewTable } from '../contract/index.ts'
import { createPreviewTable } from './preview-table.ts'

let server: TestServer
let anna: Session
let groupName: string
let workbook: Buffer<ArrayBuffer>
let parquetFile: Buffer<ArrayBuffer>

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  groupName = `group ${randomUUID()}`
  await anna.call(createGroup, { body: { name: groupName } })
  const csv = 'Day,Tank,Level\n2026-01-31,Rotterdam,7.5\n2026-02-01,,8\n'
  workbook = await tableOf(csv, 'XLSX')
  parquetFile = await tableOf(csv, 'Parquet')
})
afterAll(() => server.stop())

const never = () => new AbortController().signal
const sourceOf = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  read: async (start: number, end: number) => bytes.subarray(start, end),
})
const tableOf = (csv: string, format: 'XLSX' | 'Parquet') =>
  buffer(convertTable(sourceOf(Buffer.from(csv)), { formats: `CSV to ${format}` }, never()))
const preview = (session: Session, fid: string, sheet?: number) =>
  session.call(previewTable, { params: { fid }, query: { sheet } })

test('returns the first rows of a workbook and a Parquet file with the types of their columns', async () => {
  const xlsx = await upload(anna, { groupName, fileName: 'a.XLSX', content: workbook })
  expect(await preview(anna, xlsx.fileId)).toMatchObject({
    format: 'XLSX',
    sheetCount: 1,
    columns: [
      { name: 'A', type: 'date' },
      { name: 'B', type: 'text' },
      { name: 'C', type: 'number' },
    ],
    rows: [
      { number: 1, cells: ['Day', 'Tank', 'Level'] },
      { number: 2, cells: ['2026-01-31', 'Rotterdam', '7.5'] },
      { number: 3, cells: ['2026-02-01', null, '8'] },
    ],
    rowCount: 3,
  })
  const parquet = await upload(anna, { groupName, fileName: 'a.parquet', content: parquetFile })
  expect(await preview(anna, parquet.fileId)).toMatchObject({
    format: 'Parquet',
    columns: [
      { name: 'Day', type: 'date' },
      { name: 'Tank', type: 'text' },
      { name: 'Level', type: 'number' },
    ],
    rows: [
      { number: 1, cells: ['2026-01-31', 'Rotterdam', '7.5'] },
      { number: 2, cells: ['2026-02-01', null, '8'] },
    ],
    rowCount: 2,
  })
})

test('a share with a range lets a user preview only files within the range; other users cannot preview any file', async () => {
  const fidOf = async (fileName: string, start: string, end: string) => {
    const fields = Object.entries({ dataStart: start, dataEnd: end }).map(([name, date]) => ({
      name,
      value: String(Date.parse(date)),
    }))
    return (await upload(anna, { groupName, fileName, content: workbook, fields })).fileId
  }
  const within = await fidOf('within.xlsx', '2026-01-05', '2026-01-20')
  const after = await fidOf('after.xlsx', '2026-01-05', '2026-03-01')
  const ben = await server.createUser({ email: 'ben@example.com' })
  const carl = await server.createUser({ email: 'carl@example.com' })
  const range = { dataStart: '2026-01-01', dataEnd: '2026-01-31' }
  const entry = { groupName, email: ben.userName, access: 'R' as const, sendMessage: false, merge: false }
  await anna.call(shareGroups, { body: { sharesList: [{ ...entry, ...range }] } as never })
  expect((await preview(ben, within)).rows).toHaveLength(3)
  await expect(preview(ben, after)).rejects.toMatchObject({ status: 403, body: { code: 'groupLimited' } })
  await expect(preview(carl, within)).rejects.toMatchObject({ status: 404, body: { code: 'fileNotFound' } })
})

test('files of other types, damaged and encrypted files, and unknown sheets are rejected with the reason', async () => {
  const refused = async (fileName: string, content: Buffer<ArrayBuffer>, sheet?: number) => {
    const { fileId } = await upload(anna, { groupName, fileName, content })
    return preview(anna, fileId, sheet).catch(({ status, body }: { status: number; body: unknown }) => ({
      status,
      ...(body as { code: string; message: string }),
    }))
  }
  expect(await refused('b.csv', Buffer.from('a\n'))).toMatchObject({ status: 400, code: 'notTableFile' })
  expect(await refused('b.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatchObject({
    status: 422,
    code: 'tableNotReadable',
    message:
      '“b.xlsx” has no preview. The workbook has a password or the old format XLS. Save it as XLSX without a password. You can still download the file.',
  })
  for (const [fileName, content] of [
    ['c.xlsx', workbook.subarray(0, -40)],
    [
      'c.parquet',
      Buffer.concat([parquetFile.subarray(0, 4), Buffer.alloc(60, 0xff), parquetFile.subarray(64)]),
    ],
  ] as const)
    expect([fileName, await refused(fileName, content)]).toMatchObject([
      fileName,
      { status: 422, code: 'tableNotReadable' },
    ])
  expect(await refused('e.xlsx', workbook, 2)).toMatchObject({ status: 422, code: 'tableNotReadable' })
  expect(await refused('e.xlsx', workbook, 0)).toMatchObject({ status: 400 })
})

test('a file above the limit of its format is rejected before it is read', async () => {
  const read = createPreviewTable({ read: () => Promise.reject(new Error('read')) })
  const request = { userId: 1, sheet: 1, signal: never() }
  for (const [name, sizeBytes] of [
    ['a.xlsx', 100_000_001],
    ['a.parquet', 5_000_000_001],
  ] as const)
    await expect(read({ name, hash: 'x', sizeBytes }, request)).rejects.toMatchObject({
      status: 400,
      code: 'tableTooLarge',
    })
})

test('a preview ends when its caller disconnects; each user has at most one running preview and ten waiting ones', async () => {
  const waiting = createPreviewTable({ read: () => new Promise(() => {}) })
  const leaving = new AbortController()
  const file = { name: 'a.xlsx', hash: 'x', sizeBytes: 100 }
  const started = Array.from({ length: 11 }, () =>
    waiting(file, { userId: 1, sheet: 1, signal: leaving.signal }).catch((error: unknown) => error),
  )
  await expect(waiting(file, { userId: 1, sheet: 1, signal: never() })).rejects.toMatchObject({
    status: 429,
    code: 'tooManyTablePreviews',
  })
  leaving.abort(new Error('left'))
  expect(await Promise.all(started)).toEqual(Array.from({ length: 11 }, () => new Error('left')))
})
