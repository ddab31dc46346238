import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup, getGroup } from '@headwater/groups/contract'
import {
  startTestServer,
  upload,
  testPassword,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { fixedClock } from '@headwater/server-kit/testing'
import { createFile, deleteFile, getFile, searchFiles, type ContentReceipt } from '../contract/index.ts'

let server: TestServer
let anna: Session
const clock = fixedClock('2026-03-01T12:00:00Z')

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
})
afterAll(() => server.stop())

const prices = (value: number) =>
  `Code,Date(UTC),Close\nBRENT,2026-01-01T00:00:00,${value}\nBRENT,2026-01-02T00:00:00,2\n`

async function newGroup(session: Session = anna): Promise<string> {
  const { name } = await session.call(createGroup, { body: { name: `group ${randomUUID()}` } })
  return name
}

async function uploadSeries(
  groupName: string,
  content: string,
  flags: string[] = [],
  session: Session = anna,
): Promise<ContentReceipt> {
  const fields = flags.map((name) => ({ name, value: 'true' }))
  return upload(session, { groupName, fileName: 'prices.csv', fileType: 'NCSV', fields, content })
}

/** Statuses of the components that a client library reads, in its order. */
async function statusesOf({ jobId, fileId }: ContentReceipt) {
  const { items } = await anna.call(searchStatuses, { query: { jobId } })
  const components = items[0]?.componentStatuses.filter(({ payload }) => payload.fileId === fileId) ?? []
  return components.map(({ status, message }) => ({ status, message }))
}

const countById = async (fileId: string) =>
  (await anna.call(searchFiles, { query: { query: `uuid=${fileId}`, size: 1 } })).items.length

test('a series file has its final status when the upload responds', async () => {
  const receipt = await uploadSeries(await newGroup(), prices(1))
  expect(receipt.status).toBe('READY')
  expect(await countById(receipt.fileId)).toBe(1)
  expect(await statusesOf(receipt)).toMatchObject([{ status: 'INFO' }])
})

test('an invalid series file is never listed; its job has the status WARN, then ERROR with row and column', async () => {
  const receipt = await uploadSeries(await newGroup(), prices(1).replace(',2\n', ',much\n'))
  expect(receipt.status).toBe('REJECTED')
  expect(receipt.message).toMatch(/3/)
  expect(receipt.message).toMatch(/Close/)
  expect(await countById(receipt.fileId)).toBe(0)
  const statuses = await statusesOf(receipt)
  expect(statuses.map(({ status }) => status).toSorted()).toEqual(['ERROR', 'WARN'])
  expect(statuses.find(({ status }) => status === 'ERROR')?.message).toBe(receipt.message)
})

test('with duplicates to be avoided, WARN reports a duplicate and nothing else', async () => {
  const groupName = await newGroup()
  await uploadSeries(groupName, prices(1))
  const same = await uploadSeries(groupName, prices(1), ['AVOID_DUPLICATES'])
  expect(same.status).toBe('DUPLICATE')
  expect(await countById(same.fileId)).toBe(0)
  expect(await statusesOf(same)).toMatchObject([{ status: 'WARN' }])

  const broken = await uploadSeries(groupName, 'no,series\n', ['AVOID_DUPLICATES'])
  expect(broken.status).toBe('REJECTED')
  expect(await statusesOf(broken)).toMatchObject([{ status: 'ERROR' }])

  const changed = await uploadSeries(groupName, prices(5), ['AVOID_DUPLICATES'])
  expect(changed.status).toBe('READY')
  expect((await anna.call(getFile, { params: { fid: changed.fileId } })).version).toBe(2)
})

test('concurrent series files of one group are all ingested, one after the other', async () => {
  const groupName = await newGroup()
  const receipts = await Promise.all(Array.from({ length: 5 }, (_, n) => uploadSeries(groupName, prices(n))))
  expect(receipts.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'READY'))
  const { items } = await anna.call(searchFiles, { query: { query: `groupName=${groupName}` } })
  expect(items.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
})

test('a series file that is truncated, or differs from the announced file, leaves no points and can be sent again', async () => {
  const groupName = await newGroup()
  const body = { groupName, fileName: 'prices.csv', fileType: 'NCSV', fields: [] }
  const { location, fileId } = await anna.call(createFile, { body })
  const announced = { 'X-Content-SHA256': createHash('sha256').update(prices(1)).digest('hex') }
  const other = await fetch(location, { method: 'PUT', body: prices(9), headers: announced })
  expect(other.status).toBeGreaterThanOrEqual(400)
  const torn = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode(prices(9)))
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.error(new Error('torn'))
    },
  })
  await expect(
    fetch(location, { method: 'PUT', body: torn, duplex: 'half' } as RequestInit),
  ).rejects.toThrow()
  const { rows } = await server.running.platform.database.pool.query(
    'select from ingests where file_id = $1',
    [fileId],
  )
  expect(rows).toEqual([])
  const again = await fetch(location, { method: 'PUT', body: prices(1), headers: announced })
  expect(await again.json()).toMatchObject({ status: 'READY' })
})

test('content without a file is removed, and announcements without content expire', async () => {
  const own = await startTestServer({ clock })
  try {
    const contents = async () =>
      (await readdir(join(own.dataFolder, 'content'), { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      ).length
    const put = async (groupName: string, fileName: string, content: string) => {
      const { location, fileId } = await own.admin.call(createFile, { body: { groupName, fileName } })
      await fetch(location, { method: 'PUT', body: content })
      return fileId
    }
    const [first, second] = [await newGroup(own.admin), await newGroup(own.admin)]
    const shared = await put(first, 'a', 'held twice')
    await put(second, 'b', 'held twice')
    await put(second, 'c', 'held once')
    await uploadSeries(first, 'not series', [], own.admin)
    const { location, fileId } = await own.admin.call(createFile, {
      body: { groupName: first, fileName: 'never' },
    })
    expect(await contents()).toBe(3)

    await own.admin.call(deleteFile, { params: { fid: shared } })
    const { groupId } = await own.admin.call(getGroup, { params: { name: second } })
    await own.admin.call(deleteGroup, { params: { name: second } })
    const endWaitOfReleased = () =>
      own.running.platform.database.pool.query(
        `update released_contents set released_at = now() - interval '61 minutes'`,
      )
    await endWaitOfReleased()
    await own.running.platform.files.sweep()
    // Deleted objects keep their contents while they can be restored.
    expect(await contents()).toBe(2)
    for (const deleted of [`files/${shared}`, `groups/${groupId}`])
      expect((await own.admin.fetch(`/trash/${deleted}`, { method: 'DELETE' })).status).toBe(200)
    await own.running.platform.files.sweep()
    expect(await contents()).toBe(2)
    await endWaitOfReleased()
    await own.running.platform.files.sweep()
    expect(await contents()).toBe(0)

    clock.advance(26 * 3_600_000)
    await own.running.platform.files.sweep()
    expect((await fetch(location, { method: 'PUT', body: 'late' })).status).toBe(403)
    const credentials = Buffer.from(`${own.admin.userName}:${testPassword}`).toString('base64')
    const response = await own.nobody.fetch(`/status?groupName=${encodeURIComponent(first)}`, {
      headers: { Authorization: `Basic ${credentials}` },
    })
    const { items } = searchStatuses.output.parse(await response.json())
    const components = items.flatMap((item) => item.componentStatuses)
    expect(components.find(({ payload }) => payload.fileId === fileId)).toMatchObject({ status: 'ERROR' })
  } finally {
    await own.stop()
  }
})

test('content whose upload began in time is accepted, even if its permit expires during the upload', async () => {
  const own = await startTestServer({ clock })
  try {
    const body = { groupName: await newGroup(own.admin), fileName: 'slow' }
    const { location } = await own.admin.call(createFile, { body })
    const rest = Promise.withResolvers<void>()
    const slow = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('begun in time, '))
        await rest.promise
        controller.enqueue(new TextEncoder().encode('ended later'))
        controller.close()
      },
    })
    const headers = { 'Content-Type': 'application/octet-stream' }
    const response = fetch(location, { method: 'PUT', body: slow, headers, duplex: 'half' } as RequestInit)
    const unfinished = join(own.dataFolder, 'content', 'unfinished')
    await expect.poll(async () => (await readdir(unfinished)).length).toBe(1)
    clock.advance(24.5 * 3_600_000)
    rest.resolve()
    expect((await response).status).toBe(200)
  } finally {
    await own.stop()
  }
})
