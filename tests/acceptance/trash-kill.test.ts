import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

const group = 'Killed'
const killCount = inject('campaign') === 'long' ? 200 : 2
const files = ['a', 'b', 'c']

let dataFolder: string
/** Database of the test run: killing the server would leave its own PostgreSQL running. */
let database: TestDatabase
let server: ServerProcess

const start = () => startServerProcess(dataFolder, { DATABASE_URL: database.connectionString })
const api = () => administratorOf(server.url)

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-trash-kill-'))
  database = await createTestDatabase()
  server = await start()
  await api().post('/file/group', { name: group })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

const remove = async (path: string) => (await api().request(path, { method: 'DELETE' })).status
const statusOf = async (fid: string) => (await api().request(`/file/${fid}`)).status
const isInTrash = async (fid: string) => {
  const { items } = await api().get('/trash/files')
  return (items as { id: string }[]).some(({ id }) => id === fid)
}

/** Returns all values of the group, in order. */
async function values(): Promise<string[]> {
  const response = await api().request('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ groupName: group, corrections: 'true' }),
  })
  if (response.status === 404) return []
  return (await response.text())
    .split('\n')
    .filter((line) => line.includes('2026'))
    .toSorted()
}

test('a server that is killed repeatedly loses no acknowledged restoration, and no file is both in and outside the trash', async () => {
  const rows = (name: string) =>
    Array.from({ length: 500 }, (_, day) => {
      const date = new Date(Date.UTC(2026, 0, 1) + day * 43_200_000).toISOString().slice(0, 19)
      return `${name},${date},${day}\n`
    }).join('')
  const fids = new Map<string, string>()
  for (const name of files) {
    const content = `Code,Date,Close\n${rows(name)}`
    const { fileId } = await api().upload({
      groupName: group,
      fileName: `${name}.csv`,
      fileType: 'NCSV',
      content,
    })
    fids.set(name, fileId)
  }
  const complete = await values()
  for (let kill = 0; kill < killCount; kill++) {
    for (const fid of fids.values())
      if ((await statusOf(fid)) === 200) expect(await remove(`/file/${fid}`)).toBe(200)
    expect(await values()).toEqual([])
    const restored: string[] = []
    const settled = Promise.allSettled(
      [...fids.values()].map(async (fid) => {
        const { isBeingRestored } = await api().post(`/trash/files/${fid}/restore`, {})
        if (isBeingRestored === false) restored.push(fid)
      }),
    )
    await sleep(20 + ((kill * 97) % 300))
    server.kill(server.pid)
    await server.gone
    await settled
    server = await start()
    for (const fid of restored) expect(await statusOf(fid)).toBe(200)
    for (const fid of fids.values()) {
      // Work that had begun is completed.
      await expect
        .poll(async () => [await statusOf(fid), await isInTrash(fid)])
        .toSatisfy(([status, inTrash]) => (status === 200) !== inTrash)
      if ((await statusOf(fid)) === 404)
        await expect
          .poll(
            async () =>
              (
                await api().request(`/trash/files/${fid}/restore`, {
                  method: 'POST',
                  body: '{}',
                  headers: { 'Content-Type': 'application/json' },
                })
              ).status,
          )
          .toSatisfy((status) => status === 200 || status === 404)
      await expect.poll(() => statusOf(fid)).toBe(200)
    }
    expect(await values()).toEqual(complete)
  }

  // A group that is restored or purged while the server is killed is either complete or deleted.
  const { groupId } = await api().get(`/file/group/${group}`)
  expect(await remove(`/file/group/${group}`)).toBe(200)
  const outcome = Promise.allSettled([
    api().post(`/trash/groups/${String(groupId)}/restore`, {}),
    remove(`/trash/groups/${String(groupId)}`),
  ])
  await sleep(10)
  server.kill(server.pid)
  await server.gone
  await outcome
  server = await start()
  const isLive = (await api().request(`/file/group/${group}`)).status === 200
  const { items } = await api().get('/trash/groups')
  if (isLive || (items as unknown[]).length > 0) {
    if (!isLive) await api().post(`/trash/groups/${String(groupId)}/restore`, {})
    expect(await values()).toEqual(complete)
  } else expect(await values()).toEqual([])
})
