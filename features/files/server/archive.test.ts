import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { createArchive, maxArchivedFiles } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Desk', 'Other', 'Ranged']) await anna.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

const put = async (
  groupName: string,
  fileName: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields = {},
) => (await upload(anna, { groupName, fileName, content, ...fields })).fileId
const locationOf = async (session: Session, fileIds: string[]) =>
  (await session.call(createArchive, { body: { fileIds } })).location
const share = (groupName: string, range = {}) =>
  anna.call(shareGroups, {
    body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName, ...range }] },
  })

/** Reads an archive with a program that is not ours: paths, texts and times in their order. */
async function unpackTimed(response: Response): Promise<[string, string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'a.zip')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const program = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert not archive.testzip()
print(json.dumps([
  [i.filename, archive.read(i).decode(), "%04d-%02d-%02dT%02d:%02d:%02dZ" % i.date_time]
  for i in archive.infolist()
]))`
  return JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' })) as Awaited<
    ReturnType<typeof unpackTimed>
  >
}

/** Returns the paths and texts of an archive of files. */
const archiveOf = async (session: Session, fileIds: string[]) =>
  (await unpackTimed(await fetch(await locationOf(session, fileIds)))).map(([path, text]) => [path, text])

test('an archive contains the files with unique paths and their times of arrival; its address needs no credentials', async () => {
  const before = Date.now()
  const text = 'Größe;1\n'.repeat(50_000)
  const ids = [
    await put('Desk', 'a.csv', text),
    await put('Other', 'a.csv', 'other'),
    await put('Desk', 'empty.txt', ''),
  ]
  const response = await fetch(await locationOf(anna, [...ids, ids[0]!]))
  expect(response.headers.get('Content-Type')).toBe('application/zip')
  expect(response.headers.get('Content-Disposition')).toContain('attachment; filename="files.zip"')
  const unpacked = await unpackTimed(response)
  expect(unpacked.map(([path, content]) => [path, content])).toEqual([
    ['Desk/a.csv', text],
    ['Other/a.csv', 'other'],
    ['empty.txt', ''],
  ])
  // Times have a precision of two seconds.
  for (const [, , time] of unpacked) {
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 2000)
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
  }
})

test('each file requires access, also within the range of a share, and the permit covers exactly these files', async () => {
  const fid = await put('Desk', 'mine.txt', 'secret')
  const other = await put('Desk', 'second.txt', 'secret')
  const period = (day: string) => ({
    fields: [
      { name: 'dataStart', value: String(Date.parse(`${day}T00:00:00Z`)) },
      { name: 'dataEnd', value: String(Date.parse(`${day}T12:00:00Z`)) },
    ],
  })
  const inside = await put('Ranged', 'in.txt', 'in', period('2026-03-10'))
  const outside = await put('Ranged', 'out.txt', 'out', period('2026-06-10'))
  await share('Ranged', { dataStart: '2026-03-01', dataEnd: '2026-03-31' })
  expect(await archiveOf(ben, [inside])).toEqual([['in.txt', 'in']])
  const refused = [
    [fid, 'fileNotFound'],
    [outside, 'groupLimited'],
    [randomUUID(), 'fileNotFound'],
  ] as const
  for (const [hidden, code] of refused)
    expect(await refusal(ben.call(createArchive, { body: { fileIds: [inside, hidden] } }))).toMatchObject({
      body: { code, validationErrors: [{ field: 'fileIds[1]' }] },
    })
  const address = new URL(await locationOf(anna, [fid]))
  for (const files of [other, `${fid},${other}`, '']) {
    address.searchParams.set('files', files)
    expect((await fetch(address)).status).toBe(403)
  }
  const many = Array.from({ length: maxArchivedFiles + 1 }, () => randomUUID())
  expect(await refusal(anna.call(createArchive, { body: { fileIds: many } }))).toMatchObject({
    status: 400,
    body: { validationErrors: [{ message: 'An archive can have at most 100 files. Choose fewer files.' }] },
  })
})

test('a revoked share ends the address, and closes the connection of a transfer before the end of its archive', async () => {
  const ids = [await put('Other', 'large.bin', randomBytes(48_000_000)), await put('Other', 'b.txt', 'b')]
  await share('Other')
  const location = await locationOf(ben, ids)
  const response = await fetch(location)
  const reader = response.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await anna.call(unshareGroup, { body: { groupName: 'Other', emails: ['ben@example.com'] } })
  const readAll = async () => {
    while (!(await reader.read()).done);
  }
  await expect(readAll()).rejects.toThrow('terminated')
  const refused = await fetch(location)
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'linkNotValid' }])
})
