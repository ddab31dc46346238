import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOwnStorage, updateStorageLimits } from '@headwater/accounts/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { completeParts, createFile, listParts, type FileTicket } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  await anna.call(createGroup, { body: { name: 'Assembled' } })
})
afterAll(() => server.stop())

const mebibyte = 1024 * 1024
const parts = [randomBytes(mebibyte), randomBytes(mebibyte), randomBytes(mebibyte), randomBytes(1000)]
const whole = Buffer.concat(parts)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const announce = (fileName: string, groupName = 'Assembled'): Promise<FileTicket> =>
  anna.call(createFile, { body: { groupName, fileName, fileType: 'SOURCE' } })

function sendPart(
  { fileId, permit }: FileTicket,
  number: number,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  const url = `${server.url}/file/${fileId}/parts/${number}?token=${permit}`
  return fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })
}

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

const bytesOf = async (fid: string) =>
  Buffer.from(await (await anna.fetch(`/file/${fid}/download`)).arrayBuffer())
const usedBytes = async () => (await anna.call(getOwnStorage, {})).storedBytes
const assemblies = () => readdir(join(server.dataFolder, 'content', 'assemblies'))

/** Returns the names of the stored contents. */
async function contents(): Promise<string[]> {
  const entries = await readdir(join(server.dataFolder, 'content'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

test('concurrent parts are written into one file, which becomes the content', async () => {
  const ticket = await announce('concurrent.bin')
  await Promise.all([1, 0, 2].map((index) => sendPart(ticket, index + 1, parts[index]!)))
  await sendPart(ticket, 4, parts[3]!)
  expect(await assemblies()).toEqual([ticket.fileId])
  const stored = await contents()
  for (const part of parts) expect(stored).not.toContain(sha256(part))
  const other = await refusal(complete(ticket, { parts: 4, size: whole.length, sha256: sha256(parts[0]!) }))
  expect(other.body.code).toBe('digestWrong')
  const receipt = await complete(ticket, { parts: 4, size: whole.length, sha256: sha256(whole) })
  expect(receipt).toMatchObject({ status: 'READY', size: whole.length, sha256: sha256(whole) })
  expect((await bytesOf(ticket.fileId)).equals(whole)).toBe(true)
  expect(await assemblies()).toEqual([])
})

test('a rejected part is not stored; a replaced part and one of another size are joined with the others', async () => {
  const ticket = await announce('mixed.bin')
  const damaged = await sendPart(ticket, 1, parts[0]!, { 'X-Content-SHA256': sha256(parts[1]!) })
  expect(damaged.status).toBe(400)
  expect(await assemblies()).toEqual([])
  const larger = Buffer.concat([parts[2]!, parts[3]!])
  await sendPart(ticket, 1, parts[2]!)
  await sendPart(ticket, 2, parts[1]!)
  await sendPart(ticket, 3, larger)
  await sendPart(ticket, 1, parts[0]!)
  const { fileId, permit } = ticket
  const listed = await server.nobody.call(listParts, { params: { fid: fileId }, query: { token: permit } })
  expect(listed.parts.map((part) => part.sha256)).toEqual([parts[0]!, parts[1]!, larger].map(sha256))
  await complete(ticket, { parts: 3, size: whole.length })
  expect((await bytesOf(fileId)).equals(whole)).toBe(true)
  const stored = await contents()
  for (const bytes of [parts[0]!, larger]) expect(stored).not.toContain(sha256(bytes))
  expect(await assemblies()).toEqual([])
})

test('parts of different sizes never overwrite each other', async () => {
  const ticket = await announce('sizes.bin')
  const [first, second, third] = parts as [Buffer, Buffer, Buffer, Buffer]
  const contentOf = [first, second, Buffer.concat([third, first]), second, third]
  for (const number of [3, 1, 5, 2, 4]) await sendPart(ticket, number, contentOf[number - 1]!)
  const expected = Buffer.concat(contentOf)
  await complete(ticket, { parts: 5, size: expected.length })
  expect((await bytesOf(ticket.fileId)).equals(expected)).toBe(true)
})

test('if content is joined without its last parts, the parts are copied', async () => {
  const ticket = await announce('shorter.bin')
  for (const index of [0, 1, 2]) await sendPart(ticket, index + 1, parts[index]!)
  await complete(ticket, { parts: 2, size: 2 * mebibyte })
  expect((await bytesOf(ticket.fileId)).equals(whole.subarray(0, 2 * mebibyte))).toBe(true)
})

test('parts in an assembly count towards the limit of the user', async () => {
  const before = await usedBytes()
  await server.admin.call(updateStorageLimits, { body: { bytesPerUser: before + 2 * mebibyte } })
  const ticket = await announce('counted.bin')
  const sent = await Promise.all([0, 1, 2].map((index) => sendPart(ticket, index + 1, parts[index]!)))
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 413])
  expect(await usedBytes()).toBe(before + 2 * mebibyte)
  await server.admin.call(updateStorageLimits, { body: { bytesPerUser: 0 } })
  for (const index of [0, 1, 2]) if (!sent[index]!.ok) await sendPart(ticket, index + 1, parts[index]!)
  await complete(ticket, { parts: 3, size: 3 * mebibyte })
  expect(await usedBytes()).toBe(before + 3 * mebibyte)
  expect((await bytesOf(ticket.fileId)).equals(whole.subarray(0, 3 * mebibyte))).toBe(true)
})

test('assemblies of uploads that were rejected, sent in one request or in deleted groups are removed at once, and the sweep removes the rest', async () => {
  const refused = await announce('concurrent.bin')
  const replaced = await announce('replaced.bin')
  await anna.call(createGroup, { body: { name: 'Deleted' } })
  const deleted = await announce('deleted.bin', 'Deleted')
  for (const ticket of [refused, replaced, deleted]) await sendPart(ticket, 1, parts[0]!)
  expect(await assemblies()).toHaveLength(3)
  expect((await refusal(complete(refused, { parts: 1, size: mebibyte }, 'none'))).status).toBe(409)
  await fetch(replaced.location, { method: 'PUT', body: 'in one request' })
  expect(await assemblies()).toEqual([deleted.fileId])
  await anna.call(deleteGroup, { params: { name: 'Deleted' } })
  await expect.poll(assemblies).toEqual([])

  const open = await announce('open.bin')
  await sendPart(open, 1, parts[0]!)
  // A crash after the end of an upload leaves its assembly.
  await writeFile(join(server.dataFolder, 'content', 'assemblies', replaced.fileId), parts[0]!)
  await server.running.platform.files.sweep()
  expect(await assemblies()).toEqual([open.fileId])
})
