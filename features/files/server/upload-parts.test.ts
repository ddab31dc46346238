import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getOwnStorage, updateStorageLimits } from '@headwater/accounts/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { completeParts, createFile, listParts, type FileTicket, type UploadPart } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  await anna.call(createGroup, { body: { name: 'Large' } })
})
afterAll(() => server.stop())
afterEach(() => server.admin.call(updateStorageLimits, { body: { bytesPerUser: 0 } }))

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

function announce(fileName: string, fileType = 'SOURCE', groupName = 'Large'): Promise<FileTicket> {
  return anna.call(createFile, { body: { groupName, fileName, fileType } })
}

function sendPart(
  { fileId, permit }: FileTicket,
  number: number | string,
  content: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/file/${fileId}/parts/${number}?token=${permit}`, {
    method: 'PUT',
    body: content,
    headers,
  })
}

const stored = ({ fileId, permit }: FileTicket) =>
  server.nobody.call(listParts, { params: { fid: fileId }, query: { token: permit } })

const complete = (
  { fileId, permit }: FileTicket,
  body: { parts: number; size: number; sha256?: string },
  basedOn?: string,
) =>
  server.nobody.call(completeParts, {
    params: { fid: fileId },
    query: { token: permit, ...(basedOn === undefined ? {} : { basedOn }) },
    body,
  })

const textOf = async (fid: string) => (await anna.fetch(`/file/${fid}/download`)).text()
const usedBytes = async () => (await anna.call(getOwnStorage, {})).storedBytes

test('parts that arrive in any order and at the same time become one content', async () => {
  const ticket = await announce('parts.txt')
  const texts = ['first ', 'second ', 'third']
  const whole = texts.join('')
  const parts = await Promise.all(
    [2, 0, 1].map(async (index) => (await sendPart(ticket, index + 1, texts[index]!)).json()),
  )
  expect(parts[1]).toEqual({ number: 1, size: 6, sha256: sha256('first ') })
  expect((await stored(ticket)).parts.map(({ number }) => number)).toEqual([1, 2, 3])
  const receipt = await complete(ticket, { parts: 3, size: whole.length, sha256: sha256(whole) })
  expect(receipt).toMatchObject({ status: 'READY', size: whole.length, sha256: sha256(whole) })
  expect(await textOf(ticket.fileId)).toBe(whole)
  // The client lost the response, and asks again.
  expect(await complete(ticket, { parts: 3, size: whole.length })).toEqual(receipt)
  const otherSize = await refusal(complete(ticket, { parts: 3, size: 4 }))
  expect(otherSize.body.code).toBe('contentThere')
  expect((await sendPart(ticket, 1, 'late')).status).toBe(409)
})

test('the series of a file that arrives in parts are ingested', async () => {
  const ticket = await announce('series.csv', 'NCSV')
  const text = 'Commodity,Date,Close\nParted,2026-03-02,78.5\nParted,2026-03-03,79.25\n'
  await sendPart(ticket, 1, text.slice(0, 30))
  await sendPart(ticket, 2, text.slice(30))
  const receipt = await complete(ticket, { parts: 2, size: text.length })
  expect(receipt).toMatchObject({ status: 'READY', message: 'Ingested 2 rows of 1 symbol.' })
})

test('an interrupted upload continues: stored parts remain, a part is replaced, missing ones are named', async () => {
  const ticket = await announce('resumed.txt')
  await sendPart(ticket, 1, 'one,')
  await sendPart(ticket, 3, 'wrong')
  const missing = await refusal(complete(ticket, { parts: 4, size: 16 }))
  expect(missing.status).toBe(409)
  expect(missing.body.message).toBe('2 parts are missing: 2, 4. Send them, then complete the upload again.')
  await sendPart(ticket, 3, 'three,')
  expect((await stored(ticket)).parts).toEqual([
    { number: 1, size: 4, sha256: sha256('one,') },
    { number: 3, size: 6, sha256: sha256('three,') },
  ] satisfies UploadPart[])
  await sendPart(ticket, 2, 'two,')
  await sendPart(ticket, 4, 'four')
  const size = 'one,two,three,four'.length
  const short = await refusal(complete(ticket, { parts: 4, size: size + 1 }))
  expect(short.body.code).toBe('contentLengthWrong')
  const other = await refusal(complete(ticket, { parts: 4, size, sha256: sha256('other') }))
  expect(other.body.code).toBe('digestWrong')
  await complete(ticket, { parts: 4, size })
  expect(await textOf(ticket.fileId)).toBe('one,two,three,four')
})

test('a damaged, empty or too large part and a wrong number are refused, and nothing of them is stored', async () => {
  const ticket = await announce('damaged.txt')
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
  const damaged = await sendPart(ticket, 1, 'damaged', { 'X-Content-SHA256': sha256('intact') })
  expect([damaged.status, await codeOf(damaged)]).toEqual([400, 'digestWrong'])
  const empty = await sendPart(ticket, 1, '')
  expect([empty.status, await codeOf(empty)]).toEqual([400, 'partEmpty'])
  const large = await sendPart(ticket, 1, 'x'.repeat(64 * 1024 * 1024 + 1))
  expect([large.status, await codeOf(large)]).toEqual([413, 'partTooLarge'])
  for (const number of ['0', '10001', '1.5', 'x'])
    expect((await sendPart(ticket, number, 'a')).status).toBe(400)
  expect((await stored(ticket)).parts).toEqual([])
  expect(await readdir(join(server.dataFolder, 'content', 'unfinished'))).toEqual([])
})

test('another permit, the permit of another file and lost write access open no parts', async () => {
  const ticket = await announce('guarded.txt')
  const other = await announce('other.txt')
  expect((await sendPart({ ...ticket, permit: other.permit }, 1, 'x')).status).toBe(403)
  expect((await sendPart({ ...ticket, permit: '' }, 1, 'x')).status).toBe(403)
  expect((await refusal(stored({ ...ticket, permit: other.permit }))).status).toBe(403)
  const wrong = await refusal(complete({ ...ticket, permit: other.permit }, { parts: 1, size: 1 }))
  expect(wrong.status).toBe(403)
  const fid = ticket.fileId
  expect((await anna.fetch(`/file/${fid}/parts/1`, { method: 'PUT', body: 'x' })).status).toBe(403)

  await anna.call(createGroup, { body: { name: 'Short lived' } })
  const gone = await announce('gone.txt', 'SOURCE', 'Short lived')
  await sendPart(gone, 1, 'x')
  await anna.call(deleteGroup, { params: { name: 'Short lived' } })
  expect((await sendPart(gone, 2, 'x')).status).toBe(403)
})

test('parts count against the limit of the user once, also when they are joined', async () => {
  const before = await usedBytes()
  await server.admin.call(updateStorageLimits, { body: { bytesPerUser: before + 1000 } })
  const ticket = await announce('counted.txt')
  await sendPart(ticket, 1, 'x'.repeat(600))
  expect(await usedBytes()).toBe(before + 600)
  expect((await sendPart(ticket, 2, 'x'.repeat(600))).status).toBe(413)
  await sendPart(ticket, 1, 'y'.repeat(500))
  await sendPart(ticket, 2, 'x'.repeat(400))
  expect(await usedBytes()).toBe(before + 900)
  await complete(ticket, { parts: 2, size: 900 })
  expect(await usedBytes()).toBe(before + 900)
})

test('two calls that complete an upload at the same time store it once', async () => {
  const ticket = await announce('twice.txt')
  await sendPart(ticket, 1, 'once')
  const [one, two] = await Promise.all([
    complete(ticket, { parts: 1, size: 4 }),
    complete(ticket, { parts: 1, size: 4 }),
  ])
  expect(two).toEqual(one)
})

test('parts of a content that is based on an older version are not stored', async () => {
  const first = await announce('based.txt')
  await sendPart(first, 1, 'first')
  await complete(first, { parts: 1, size: 5 }, 'none')
  const second = await announce('based.txt')
  await sendPart(second, 1, 'second')
  expect((await refusal(complete(second, { parts: 1, size: 6 }, 'none'))).body.code).toBe('fileNameTaken')
})
