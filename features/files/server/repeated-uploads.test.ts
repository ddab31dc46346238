import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { streamData } from '@headwater/symbols/contract'
import {
  createFile,
  deleteFile,
  getFile,
  listFileVersions,
  searchFiles,
  type ContentReceipt,
} from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
})
afterAll(() => server.stop())

async function newGroup(): Promise<string> {
  return (await anna.call(createGroup, { body: { name: `group ${randomUUID()}` } })).name
}

const text = (groupName: string, content: string, fileName = 'result.txt') => ({
  groupName,
  fileName,
  fileType: 'SOURCE',
  fields: [],
  content,
})

const findById = async (fileId: string) =>
  (await anna.call(searchFiles, { query: { query: `uuid=${fileId}`, size: 1 } })).items

async function versionsOf({ fileId }: ContentReceipt): Promise<number> {
  return (await anna.call(listFileVersions, { params: { fid: fileId }, query: {} })).totalSize
}

test('an attempt that repeats the uploads of a lost one receives their results, and no second version is stored', async () => {
  const groupName = await newGroup()
  const code = await server.startCode(anna)
  const first = await upload(code.session, text(groupName, 'one'))
  const again = await code.restart()
  // Another user has written a newer version in the meantime.
  await upload(anna, text(groupName, 'other'))
  const repeated = await upload(again, text(groupName, 'one'))
  expect(repeated).toEqual(first)
  expect(await versionsOf(first)).toBe(2)
})

test('the id under which a repeated upload was announced leads to the first result', async () => {
  const groupName = await newGroup()
  const code = await server.startCode(anna)
  const first = await upload(code.session, text(groupName, 'one'))
  const again = await code.restart()
  const { content, ...file } = text(groupName, 'one')
  const announced = await again.call(createFile, { body: file })
  const sent = await fetch(announced.location, { method: 'PUT', body: content })
  expect(sent.status).toBe(200)
  expect(announced.fileId).not.toBe(first.fileId)
  expect((await findById(announced.fileId)).map(({ fid }) => fid)).toEqual([first.fileId])
  expect((await again.call(getFile, { params: { fid: announced.fileId } })).fid).toBe(first.fileId)
  // The client libraries look for a final status with the announced id.
  const { items } = await anna.call(searchStatuses, { query: { type: 'ETL' } })
  const components = items.flatMap(({ componentStatuses }) => componentStatuses)
  const own = components.filter(({ payload }) => payload.fileId === announced.fileId)
  expect(own).toMatchObject([{ status: 'INFO', message: 'Uploaded' }])
  // A client that lost the response sends the content again.
  expect((await fetch(announced.location, { method: 'PUT', body: 'one' })).status).toBe(200)
  expect((await fetch(announced.location, { method: 'PUT', body: 'two' })).status).toBe(409)
  await again.call(deleteFile, { params: { fid: announced.fileId } })
  expect(await findById(first.fileId)).toEqual([])
})

test('other content, another name, another step or a second upload in the same attempt creates a new version', async () => {
  const groupName = await newGroup()
  const code = await server.startCode(anna)
  const first = await upload(code.session, text(groupName, 'one'))
  const twice = await upload(code.session, text(groupName, 'one'))
  expect(await versionsOf(first)).toBe(2)
  const again = await code.restart()
  expect((await upload(again, text(groupName, 'one'))).fileId).toBe(first.fileId)
  expect((await upload(again, text(groupName, 'one'))).fileId).toBe(twice.fileId)
  expect(await versionsOf(first)).toBe(2)
  const third = await code.restart()
  expect((await upload(third, text(groupName, 'one'))).fileId).toBe(first.fileId)
  const changed = await upload(third, text(groupName, 'two'))
  expect(changed.fileId).not.toBe(first.fileId)
  expect(await versionsOf(first)).toBe(3)
  const renamed = await upload(third, text(groupName, 'one', 'other.txt'))
  expect(await versionsOf(renamed)).toBe(1)
  const otherStep = await server.startCode(anna)
  await upload(otherStep.session, text(groupName, 'one'))
  expect(await versionsOf(first)).toBe(4)
})

test('repeating a write of series stores no second value, even if the first write avoided duplicates', async () => {
  const groupName = await newGroup()
  const code = await server.startCode(anna)
  const series = (flags: string[]) => ({
    groupName,
    fileName: 'prices.csv',
    fileType: 'NCSV',
    fields: flags.map((name) => ({ name, value: 'true' })),
    content: 'Code,Date(UTC),Close\nBRENT,2026-01-01T00:00:00,1.5\n',
  })
  const first = await upload(code.session, series(['AVOID_DUPLICATES']))
  expect(first.status).toBe('READY')
  await upload(code.session, series([]))
  const again = await code.restart()
  expect(await upload(again, series(['AVOID_DUPLICATES']))).toEqual(first)
  await upload(again, series([]))
  const body = { keys: [{ groupName, symbols: { Code: 'BRENT' } }], formatType: 'NCSV', corrections: 'true' }
  const response = await anna.fetch(streamData.path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  expect((await response.text()).trim().split('\n').slice(1)).toHaveLength(2)
})

test('a step executed by the server writes its file once, even if the content contains the time', async () => {
  const groupName = await newGroup()
  const { files, accounts } = server.running.platform
  const { grant, restart } = await server.startCode(anna)
  const principal = (await accounts.findPrincipal(grant.userId))!
  const write = async (attempt: number, content: string) => {
    const asStep = { ...principal, run: { ...grant.run, attempt, isBuiltIn: true } }
    const file = { groupName, fileName: 'report.html', fileType: 'SOURCE', fields: [] }
    const { fileId, token } = await files.create(asStep, file, undefined)
    return files.putContent(fileId, token, {
      stream: Readable.from([Buffer.from(content)]),
      announcedBytes: undefined,
      announcedHash: undefined,
    })
  }
  const first = await write(1, 'at 12:00')
  await restart()
  expect(await write(2, 'at 12:05')).toEqual(first)
  expect(await versionsOf(first)).toBe(1)
})
