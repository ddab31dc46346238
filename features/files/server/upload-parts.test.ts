import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getOwnStorage, updateStorageLimits } from '@headwater/accounts/contract'
import { createGroup, deleteGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
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

function announce(
  fileName: string,
  fileType = 'SOURCE',
  groupName = 'Large',
  session = anna,
): Promise<FileTicket> {
  return session.call(createFile, { body: { groupName, fileName, fileType } })
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

test('parts that arrive concurrently and in any order form one content', async () => {
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
  // The client lost the response and repeats the request.
  expect(await complete(ticket, { parts: 3, size: whole.length })).toEqual(receipt)
  const otherSize = await refusal(complete(ticket, { parts: 3, size: 4 }))
  expect(otherSize.body.code).toBe('contentThere')
  expect((await sendPart(ticket, 1, 'late')).status).toBe(409)
})

test('the series of a file uploaded in parts are ingested', async () => {
  const ticket = await announce('series.csv', 'NCSV')
  const text = 'Commodity,Date,Close\nParted,2026-03-02,78.5\nParted,2026-03-03,79.25\n'
  await sendPart(ticket, 1, text.slice(0, 30))
  await sendPart(ticket, 2, text.slice(30))
  const receipt = await complete(ticket, { parts: 2, size: text.length })
  expect(receipt).toMatchObject({ status: 'READY', message: 'Ingested 2 rows of 1 symbol.' })
})

test('an interrupted upload resumes: stored parts remain, a part can be replaced, and missing ones are listed', async () => {
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

test('a damaged, empty or oversized part and an invalid part number are rejected, and nothing of them is stored', async () => {
  const ticket = await announce('damaged.txt')
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
  const damaged = await sendPart(ticket, 1, 'damaged', { 'X-Content-SHA256': sha256('intact') })
  expect([damaged.status, await codeOf(damaged)]).toEqual([400, 'digestWrong'])
  const empty = await sendPart(ticket, 1, '')
  expect(empty.status).toBe(400)
  expect(await empty.json()).toMatchObject({
    code: 'partEmpty',
    message: 'The part has no bytes. Send at least one byte.',
  })
  const large = await sendPart(ticket, 1, 'x'.repeat(64 * 1024 * 1024 + 1))
  expect([large.status, await codeOf(large)]).toEqual([413, 'partTooLarge'])
  for (const number of ['0', '10001', '1.5', 'x', '1e3', '0x10', '%201', '+1', '01'])
    expect((await sendPart(ticket, number, 'a')).status).toBe(400)
  expect((await stored(ticket)).parts).toEqual([])
  expect(await readdir(join(server.dataFolder, 'content', 'unfinished'))).toEqual([])
})

test('another permit, the permit of another file and that of a deleted group give no access to parts', async () => {
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

test('after an owner loses write access to the group, parts are not stored, listed or joined, and no receipt is repeated', async () => {
  const ben = await server.createUser({ email: 'ben-parts@example.com' })
  const groupName = 'Lent'
  await anna.call(createGroup, { body: { name: groupName } })
  await anna.call(shareGroups, { body: { sharesList: [{ groupName, email: ben.userName, access: 'RW' }] } })
  const done = await announce('done.txt', 'SOURCE', groupName, ben)
  await sendPart(done, 1, 'x')
  await complete(done, { parts: 1, size: 1 })
  const open = await announce('open.txt', 'SOURCE', groupName, ben)
  expect((await sendPart(open, 1, 'x')).status).toBe(200)
  await anna.call(unshareGroup, { body: { groupName, emails: [ben.userName] } })
  const refused = { status: 403, body: { code: 'linkNotValid' } }
  const put = await sendPart(open, 2, 'y')
  expect({ status: put.status, body: await put.json() }).toMatchObject(refused)
  const others = [
    refusal(stored(open)),
    refusal(complete(open, { parts: 1, size: 1 })),
    refusal(complete(done, { parts: 1, size: 1 })),
  ]
  for (const other of await Promise.all(others)) expect(other).toMatchObject(refused)
  await anna.call(shareGroups, { body: { sharesList: [{ groupName, email: ben.userName, access: 'RW' }] } })
  expect((await stored(open)).parts.map(({ number }) => number)).toEqual([1])
})

test('parts count once towards the limit of the user, even while they are joined', async () => {
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

/** Returns the hashes of the stored contents. */
async function contentHashes(): Promise<string[]> {
  const entries = await readdir(join(server.dataFolder, 'content'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

test('bytes of parts that are replaced, joined, rejected or abandoned are freed at once, except those that other uploads use', async () => {
  const ticket = await announce('freed.txt')
  const shared = await announce('shared.txt')
  await sendPart(ticket, 1, 'replaced part')
  await sendPart(ticket, 2, 'part of both')
  await sendPart(shared, 1, 'part of both')
  await sendPart(ticket, 1, 'first part ')
  await sendPart(ticket, 2, 'second part')
  expect(await contentHashes()).not.toContain(sha256('replaced part'))
  expect(await contentHashes()).toContain(sha256('part of both'))
  expect(await contentHashes()).toEqual(
    expect.arrayContaining([sha256('first part '), sha256('second part')]),
  )

  await complete(ticket, { parts: 2, size: 22 })
  expect(await textOf(ticket.fileId)).toBe('first part second part')
  expect(await contentHashes()).not.toContain(sha256('first part '))

  await complete(shared, { parts: 1, size: 12 })
  expect(await textOf(shared.fileId)).toBe('part of both')
  const late = await announce('freed.txt')
  await sendPart(late, 1, 'late part')
  await refusal(complete(late, { parts: 1, size: 9 }, 'none'))
  expect(await contentHashes()).not.toContain(sha256('late part'))
  const other = await announce('other content.txt')
  await sendPart(other, 1, 'part without use')
  await fetch(other.location, { method: 'PUT', body: 'in one request' })
  expect(await contentHashes()).not.toContain(sha256('part without use'))
  expect(await textOf(other.fileId)).toBe('in one request')
})

test('bytes of the parts of uploads to a deleted group are freed, except for parts that other uploads use', async () => {
  await anna.call(createGroup, { body: { name: 'Deleted' } })
  const deleted = await announce('deleted.txt', 'SOURCE', 'Deleted')
  await sendPart(deleted, 1, 'part of a deleted group')
  await sendPart(deleted, 2, 'part of two groups')
  await sendPart(await announce('remaining.txt'), 1, 'part of two groups')
  expect(await contentHashes()).toContain(sha256('part of a deleted group'))
  await anna.call(deleteGroup, { params: { name: 'Deleted' } })
  await expect.poll(contentHashes).not.toContain(sha256('part of a deleted group'))
  expect(await contentHashes()).toContain(sha256('part of two groups'))
})

test('the same part that is uploaded, replaced and joined concurrently is never lost', async () => {
  const tickets = await Promise.all(Array.from({ length: 12 }, (_, index) => announce(`same ${index}.txt`)))
  await Promise.all(
    tickets.map(async (ticket, index) => {
      await sendPart(ticket, 1, 'same')
      if (index % 2 === 0) await sendPart(ticket, 1, `own ${index}`)
      await sendPart(ticket, 1, 'same')
      expect(await complete(ticket, { parts: 1, size: 4 })).toMatchObject({ status: 'READY' })
    }),
  )
  for (const { fileId } of tickets) expect(await textOf(fileId)).toBe('same')
})

test('two concurrent calls that complete an upload join its parts once and return the same receipt', async () => {
  const ticket = await announce('twice.txt')
  // A part of this size is separate content.
  const size = 17 * 1024 * 1024
  await sendPart(ticket, 1, 'x'.repeat(size))
  // Content is written to a separate file in this folder.
  const folder = join(server.dataFolder, 'content', 'unfinished')
  const written = new Set<string>()
  const { promise: isMarked, resolve: mark } = Promise.withResolvers<void>()
  const watcher = watch(folder, (_event, name) => {
    if (name === 'marker') mark()
    else if (name !== null) written.add(name)
  })
  onTestFinished(() => watcher.close())
  const [one, two] = await Promise.all([
    complete(ticket, { parts: 1, size }),
    complete(ticket, { parts: 1, size }),
  ])
  expect(two).toEqual(one)
  // The watcher reports changes of the folder in their order.
  await writeFile(join(folder, 'marker'), '')
  await isMarked
  await rm(join(folder, 'marker'))
  expect(written.size).toBe(1)
})

test.each([
  { what: 'based on an older version', code: 'notNewestVersion' },
  { what: 'for a new name that the group has meanwhile', code: 'fileNameTaken' },
])('an upload in parts $what is rejected; its parts are removed and no longer count', async ({ code }) => {
  const fileName = `based-${code}.txt`
  const versions: string[] = []
  for (const text of ['first', 'other']) {
    const ticket = await announce(fileName)
    await sendPart(ticket, 1, text)
    await complete(ticket, { parts: 1, size: 5 })
    versions.push(ticket.fileId)
  }
  const before = await usedBytes()
  const late = await announce(fileName)
  await sendPart(late, 1, 'too ')
  await sendPart(late, 2, 'late')
  expect(await usedBytes()).toBe(before + 8)
  const basedOn = code === 'notNewestVersion' ? versions[0] : 'none'
  expect((await refusal(complete(late, { parts: 2, size: 8 }, basedOn))).body.code).toBe(code)
  expect(await usedBytes()).toBe(before)
  const { rows } = await server.running.platform.database.pool.query(
    'select from upload_parts where file_id = $1',
    [late.fileId],
  )
  expect(rows).toEqual([])
  expect(await textOf(versions[1]!)).toBe('other')
})
