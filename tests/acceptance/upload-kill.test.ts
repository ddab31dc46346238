import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FileTicket, UploadPart } from '@headwater/files/contract'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

const mebibyte = 1024 * 1024
const partCount = 8
const killCount = inject('campaign') === 'long' ? 200 : 3
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let dataFolder: string
/** Database of the test run: killing the server would leave its own PostgreSQL running. */
let database: TestDatabase
let server: ServerProcess

const start = () => startServerProcess(dataFolder, { DATABASE_URL: database.connectionString })

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-upload-kill-'))
  database = await createTestDatabase()
  server = await start()
  await administratorOf(server.url).post('/file/group', { name: 'Killed' })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

test('a server that is killed repeatedly during uploads in parts loses no acknowledged part and no acknowledged file', async () => {
  for (let kill = 0; kill < killCount; kill++) {
    const whole = randomBytes(partCount * mebibyte)
    const partOf = (number: number) => whole.subarray((number - 1) * mebibyte, number * mebibyte)
    const announced = { groupName: 'Killed', fileName: `upload ${kill}.bin`, fileType: 'SOURCE' }
    const ticket: unknown = await administratorOf(server.url).post('/file', { ...announced, fields: [] })
    const { fileId, permit } = ticket as FileTicket
    const partUrl = (path: string) => `${server.url}/file/${fileId}/parts${path}?token=${permit}`
    const send = (number: number) =>
      fetch(partUrl(`/${number}`), { method: 'PUT', body: new Uint8Array(partOf(number)) })
    const complete = () =>
      fetch(partUrl('/complete'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ parts: partCount, size: whole.length }),
      })

    const acknowledged = new Set<number>()
    let isCompleted = false
    // The first kill comes after half of the parts, the second one after all of them, while the upload is being completed.
    const partsBeforeKill = kill < 2 ? [4, 8][kill]! : 1 + ((kill * 5) % partCount)
    const { promise: canKill, resolve: allowKill } = Promise.withResolvers<void>()
    let next = 1
    async function sendParts(): Promise<void> {
      while (next <= partCount) {
        const number = next++
        const response = await send(number)
        if (response.ok) acknowledged.add(number)
        if (acknowledged.size === partsBeforeKill) allowKill()
      }
    }
    const upload = Promise.all(Array.from({ length: 3 }, sendParts))
      .then(async () => {
        isCompleted = (await complete()).ok
      })
      // The kill interrupts requests.
      .catch(() => {})
    await canKill
    await sleep((kill * 7) % 40)
    server.kill(server.pid)
    await Promise.all([server.gone, upload])
    server = await start()

    const listed = await fetch(partUrl(''))
    if (isCompleted) expect(listed.status).toBe(409)
    if (listed.status !== 409) {
      const { parts } = (await listed.json()) as { parts: UploadPart[] }
      const stored = new Map(parts.map(({ number, sha256: hash }) => [number, hash]))
      for (const number of acknowledged) expect(stored.get(number)).toBe(sha256(partOf(number)))
      for (let number = 1; number <= partCount; number++)
        if (!stored.has(number)) expect((await send(number)).status).toBe(200)
    }
    expect(await (await complete()).json()).toMatchObject({ status: 'READY', sha256: sha256(whole) })
    const download = await administratorOf(server.url).request(`/file/${fileId}/download`)
    expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(whole))
  }
})
