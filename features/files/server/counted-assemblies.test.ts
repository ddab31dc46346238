import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getOwnStorage, updateStorageLimits } from '@headwater/accounts/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import {
  migrateUntil,
  migrationsFolders,
  startTestServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { migrate } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { completeParts, createFile, type FileTicket } from '../contract/index.ts'
import { beginAssembling } from './assembled-parts.ts'
import type { StoredFile } from './file-rows.ts'
import { createPartMemory } from './part-memory.ts'
import { createPartPlacements } from './part-placements.ts'
import type { UploadDependencies } from './upload-dependencies.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
  await anna.call(createGroup, { body: { name: 'Counted' } })
})
afterAll(() => server.stop())
afterEach(() => server.admin.call(updateStorageLimits, { body: { bytesPerUser: 0 } }))

const mebibyte = 1024 * 1024
const parts = [randomBytes(mebibyte), randomBytes(mebibyte), randomBytes(mebibyte), randomBytes(1000)]
const whole = Buffer.concat(parts)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const announce = (fileName: string, groupName = 'Counted'): Promise<FileTicket> =>
  anna.call(createFile, { body: { groupName, fileName, fileType: 'SOURCE' } })

function sendPart({ fileId, permit }: FileTicket, number: number, body: Buffer): Promise<Response> {
  const url = `${server.url}/file/${fileId}/parts/${number}?token=${permit}`
  return fetch(url, { method: 'PUT', body: new Uint8Array(body) })
}

const complete = ({ fileId, permit }: FileTicket, body: { parts: number; size: number; sha256?: string }) =>
  server.nobody.call(completeParts, {
    params: { fid: fileId },
    query: { token: permit },
    body,
  })

const bytesOf = async (fid: string) =>
  Buffer.from(await (await anna.fetch(`/file/${fid}/download`)).arrayBuffer())
const usedBytes = async () => (await anna.call(getOwnStorage, {})).storedBytes

/** Returns the names of the stored contents. */
async function contents(): Promise<string[]> {
  const entries = await readdir(join(server.dataFolder, 'content'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Returns the size of an assembly on the disk; 0 without one. */
const assemblyBytes = async ({ fileId }: FileTicket) =>
  stat(join(server.dataFolder, 'content', 'assemblies', fileId)).then(
    ({ size }) => size,
    () => 0,
  )

test.each(['completed', 'sent in one request', 'deleted with its group', 'swept'])(
  'bytes of replaced parts in an assembly count towards the limit until the upload is %s',
  async (end) => {
    const groupName = `Replaced, ${end}`
    await anna.call(createGroup, { body: { name: groupName } })
    const before = await usedBytes()
    await server.admin.call(updateStorageLimits, { body: { bytesPerUser: before + 2 * mebibyte + 10 } })
    const ticket = await announce('replaced.bin', groupName)
    const statuses: number[] = []
    for (const number of [1, 2, 3])
      for (const body of [parts[0]!, Buffer.from('x')]) {
        statuses.push((await sendPart(ticket, number, body)).status)
        expect(await assemblyBytes(ticket)).toBeLessThanOrEqual((await usedBytes()) - before)
      }
    expect(statuses).toEqual([200, 200, 200, 200, 413, 200])
    expect(await usedBytes()).toBe(before + 2 * mebibyte + 3)
    let fileBytes = 0
    if (end === 'completed') fileBytes = (await complete(ticket, { parts: 3, size: 3 })).size
    else if (end === 'sent in one request') {
      await fetch(ticket.location, { method: 'PUT', body: 'whole' })
      fileBytes = 5
    } else if (end === 'swept') {
      const { database, files } = server.running.platform
      await database.pool.query(
        `update files set announced_at = announced_at - interval '2 days' where id = $1`,
        [ticket.fileId],
      )
      await files.sweep()
    } else await anna.call(deleteGroup, { params: { name: groupName } })
    await expect.poll(() => assemblyBytes(ticket)).toBe(0)
    expect(await usedBytes()).toBe(before + fileBytes)
  },
)

test('concurrent parts that are rejected or lose against another part with their number leave no uncounted bytes', async () => {
  const before = await usedBytes()
  await server.admin.call(updateStorageLimits, { body: { bytesPerUser: before + 3 * mebibyte } })
  const ticket = await announce('concurrent replacements.bin')
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
  await sendPart(ticket, 1, parts[0]!)
  await Promise.all(
    numbers.flatMap((number) => [
      sendPart(ticket, number, randomBytes(mebibyte)),
      sendPart(ticket, number, Buffer.from('x')),
    ]),
  )
  const assembly = await readFile(join(server.dataFolder, 'content', 'assemblies', ticket.fileId))
  // The assembly has gaps, which use no space.
  const written = numbers.map((number) => {
    const range = assembly.subarray((number - 1) * mebibyte, number * mebibyte)
    return range.findLastIndex((byte) => byte !== 0) + 1
  })
  const writtenBytes = written.reduce((sum, size) => sum + size, 0)
  expect(writtenBytes).toBeGreaterThan(0)
  expect(writtenBytes).toBeLessThanOrEqual((await usedBytes()) - before)
})

test('a part that is sent again with the same bytes remains in the assembly and needs no more space, even at the limit', async () => {
  const before = await usedBytes()
  await server.admin.call(updateStorageLimits, { body: { bytesPerUser: before + whole.length } })
  const ticket = await announce('sent again.bin')
  for (const index of [0, 1, 1, 2, 3, 0, 3]) {
    const sent = await sendPart(ticket, index + 1, parts[index]!)
    expect(sent.status).toBe(200)
    expect(await sent.json()).toMatchObject({ number: index + 1, sha256: sha256(parts[index]!) })
  }
  expect(await usedBytes()).toBe(before + whole.length)
  const stored = await contents()
  for (const part of parts) expect(stored).not.toContain(sha256(part))
  await complete(ticket, { parts: 4, size: whole.length, sha256: sha256(whole) })
  expect(await usedBytes()).toBe(before + whole.length)
  expect((await bytesOf(ticket.fileId)).equals(whole)).toBe(true)
})

test('a part that is written after its upload has ended leaves no assembly', async () => {
  const written = new Set<string>()
  const placements = createPartPlacements()
  const deps = {
    contents: {
      assemblies: {
        write: async (id: string) => written.add(id).has(id),
        remove: async (id: string) => void written.delete(id),
      },
    },
    store: {
      reserveRange: async (
        _id: string,
        _size: number,
        choosePosition: (parts: []) => number | undefined,
      ) => ({
        position: choosePosition([]),
      }),
      addAssembledPart: async () => {
        expect(written.size).toBe(1)
        return undefined
      },
    },
    partMemory: createPartMemory(),
    placements,
  } as unknown as UploadDependencies
  const file = { id: randomUUID(), type: 'SOURCE' } as StoredFile
  const assembling = beginAssembling(deps, file, [], { number: 1, sizeBytes: mebibyte })!
  const taken = assembling.take(Readable.from([parts[0]!]), { admission: undefined })
  await expect(taken).rejects.toMatchObject({ code: 'contentThere' })
  expect(written.size).toBe(0)
  expect(placements.has(file.id)).toBe(false)
})

test('the parts of an earlier version count once after the upgrade', async () => {
  const database = await openTestDatabase()
  const { pool } = database
  try {
    await migrateUntil(pool, '2026-11-30T1639')
    await pool.query(`insert into users (user_name, company_id) select 'anna', id from companies`)
    await pool.query(
      `insert into groups (name, owner_id) select 'Own', id from users where user_name = 'anna'`,
    )
    const fileId = randomUUID()
    await pool.query(
      `insert into files (id, group_id, name, type, owner_id, job_id, state, announced_at, zipped, partial_update, avoid_duplicates,
         skip_metadata)
       select $1, groups.id, 'a.bin', 'SOURCE', owner_id, $2, 'awaiting', now(), false, false, false, false
       from groups where name = 'Own'`,
      [fileId, randomUUID()],
    )
    await pool.query(
      `insert into upload_parts (file_id, number, owner_id, hash, size_bytes, position)
       select $1, part.number, owner_id, 'hash ' || part.number, part.bytes, part.position
       from groups, (values (1, 100, 0), (2, 100, 100), (3, 7, null)) as part (number, bytes, position)
       where name = 'Own'`,
      [fileId],
    )
    await migrate(pool, migrationsFolders)
    const counted = async () =>
      Number((await pool.query('select sum(bytes) as bytes from stored_bytes')).rows[0].bytes)
    expect(await counted()).toBe(207)
    await pool.query('delete from upload_parts where number = 2')
    expect(await counted()).toBe(207)
    await pool.query('delete from files where id = $1', [fileId])
    expect(await counted()).toBe(0)
  } finally {
    await database.close()
  }
})
