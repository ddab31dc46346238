import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFile, deleteFile, searchFiles, transferOwnership } from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup, updateGroup } from '@headwater/groups/contract'
import { createInsight, searchInsights } from '@headwater/insights/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { listSymbolGroups, searchSymbols } from '@headwater/symbols/contract'
import { deleteTrashed } from '@headwater/trash/contract'
import { startTestServer, upload, type Session, type TestServer } from './testing.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser()
})
afterAll(() => server.stop())

const named = (name: string) => ({ params: { name } })

async function newGroup(name: string): Promise<number> {
  const { groupId } = await anna.call(createGroup, { body: { name } })
  const content = `Code,Date,Close\n${name},2026-01-02,1\n`
  const file = { groupName: name, fileName: 'prices.csv', fileType: 'NCSV', content }
  expect(await upload(anna, file)).toMatchObject({ status: 'READY' })
  return groupId
}

const deletePermanently = (groupId: number) =>
  anna.call(deleteTrashed, { params: { kind: 'groups', id: String(groupId) } })

const put = (location: string, content: string) => fetch(location, { method: 'PUT', body: content })

const isSome = (count: number) => count > 0

const outcome = (call: Promise<unknown>): Promise<{ status: number }> =>
  call.then(
    () => ({ status: 200 }),
    (error: { status: number }) => error,
  )

const announce = (groupName: string, fileName: string, fileType: string) =>
  anna.call(createFile, { body: { groupName, fileName, fileType } })

/** Returns whether the points of a group are on the disk. */
async function hasDataset(groupId: number): Promise<boolean> {
  // Unlike a recursive readdir, this does not fail if the engine removes a folder in the meantime.
  for await (const _name of glob(`**/dataset_${groupId}.sql`, { cwd: join(server.dataFolder, 'series') }))
    return true
  return false
}

test('DP-050 deletes a group with its files, symbols, insights and points', async () => {
  const groupId = await newGroup('Whole')
  const { fileId, location } = await announce('Whole', 'never.txt', 'SOURCE')
  await anna.call(createInsight, {
    body: {
      insightName: 'Whole',
      groupName: 'Whole',
      content: { type: 'VISUALISATION', tiles: [] } as never,
    },
  })
  const counts = async () => ({
    files: (await anna.call(searchFiles, { query: { query: 'groupName=Whole' } })).totalSize,
    symbols: (await anna.call(searchSymbols, { query: { query: 'Code=Whole' } })).totalSize,
    symbolGroups: (await anna.call(listSymbolGroups, { query: { query: 'Whole' } })).totalSize,
    insights: (await anna.call(searchInsights, { query: { query: 'Whole' } })).totalSize,
  })
  expect(await counts()).toEqual({ files: 2, symbols: 1, symbolGroups: 1, insights: 1 })
  expect(await hasDataset(groupId)).toBe(true)

  await anna.call(deleteGroup, named('Whole'))
  await expect(anna.call(getGroup, named('Whole'))).rejects.toMatchObject({ status: 404 })
  expect(await counts()).toEqual({ files: 0, symbols: 0, symbolGroups: 0, insights: 0 })
  expect(await hasDataset(groupId)).toBe(true)
  await deletePermanently(groupId)
  await expect.poll(() => hasDataset(groupId)).toBe(false)
  expect((await fetch(location, { method: 'PUT', body: 'late' })).status).toBe(403)
  const { items } = await anna.call(searchStatuses, { query: { groupName: 'Whole' } })
  const components = items.flatMap((item) => item.componentStatuses)
  expect(components.find(({ payload }) => payload.fileId === fileId)).toMatchObject({ status: 'ERROR' })
})

test('a group with the name of a deleted one starts empty', async () => {
  await newGroup('Again')
  await anna.call(deleteGroup, named('Again'))
  await anna.call(createGroup, { body: { name: 'Again' } })
  expect((await anna.call(searchFiles, { query: { query: 'groupName=Again' } })).totalSize).toBe(0)
  expect((await anna.call(searchSymbols, { query: { query: 'Code=Again' } })).totalSize).toBe(0)
})

test('every request that races with the deletion of a group succeeds or is rejected, without an unexpected error', async () => {
  const body = (name: string) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ groupName: name, fileName: 'a.csv', fileType: 'NCSV' }),
  })
  const outcomes = { done: 0, refused: 0 }
  for (let round = 0; round < 9; round++) {
    const name = `Raced ${round}`
    await newGroup(name)
    const waiting = await Promise.all(Array.from({ length: 3 }, () => announce(name, 'prices.csv', 'NCSV')))
    const there = (await anna.call(searchFiles, { query: { query: `groupName=${name}` } })).items
    const calls = [
      () => anna.fetch('/file', body(name)),
      () => anna.fetch('/file', body(name)),
      () => outcome(anna.call(updateGroup, { ...named(name), body: { groupTags: [name, 'raced'] } })),
      () => outcome(anna.call(deleteFile, { params: { fid: there[0]!.fid } })),
      () =>
        outcome(
          anna.call(transferOwnership, {
            body: {
              fileIds: [there[0]!.fid],
              currentOwnerUser: anna.userName,
              targetOwnerUser: server.admin.userName,
            },
          }),
        ),
      ...waiting.map(
        ({ location }) =>
          () =>
            put(location, `Code,Date,Close\n${name},2026-01-02,2\n`),
      ),
    ]
    // The deletion has another position in each round.
    calls.splice(round % calls.length, 0, () => outcome(anna.call(deleteGroup, named(name))))
    for (const { status } of await Promise.all(calls.map((call) => call()))) {
      expect([200, 400, 403, 404]).toContain(status)
      outcomes[status === 200 ? 'done' : 'refused'] += 1
    }
    await expect(anna.call(getGroup, named(name))).rejects.toMatchObject({ status: 404 })
  }
  expect(outcomes).toEqual({ done: expect.toSatisfy(isSome), refused: expect.toSatisfy(isSome) })
})

test('the next start removes points of a group that was deleted just before a crash', async () => {
  const groupId = await newGroup('Interrupted')
  await server.running.platform.jobs.stop()
  await anna.call(deleteGroup, named('Interrupted'))
  await deletePermanently(groupId)
  expect(await hasDataset(groupId)).toBe(true)

  const { connectionString } = server.running.platform.database.pool.options
  await server.running.stop()
  const next = await startTestServer({
    dataFolder: server.dataFolder,
    env: { DATABASE_URL: connectionString! },
  })
  try {
    await expect(next.admin.call(getGroup, named('Interrupted'))).rejects.toMatchObject({ status: 404 })
    await expect.poll(() => hasDataset(groupId)).toBe(false)
  } finally {
    await next.stop()
    await server.stop()
    server = await startTestServer()
    anna = await server.createUser()
  }
})
