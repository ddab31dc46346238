import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@headwater/server-kit'
import { createTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { createInsightLocks } from './insight-locks.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const open = () => openDatabase({ connectionString: database.connectionString, log: silentLog() })

test('serializes work on the same insights across servers', async () => {
  const servers = [open(), open()]
  const locks = servers.map((server) => createInsightLocks(server))
  const [a, b] = [
    { groupId: 1, insightName: 'a' },
    { groupId: 1, insightName: 'b' },
  ]
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    // The statement gives the other callers an opportunity to interleave.
    await servers[0]!.pool.query('select pg_sleep(0.01)')
    inside -= 1
  }
  await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      locks[index % 2]!.whileLocked(index % 3 === 0 ? [b!, a!] : [a!, b!], work),
    ),
  )
  expect(most).toBe(1)
  await Promise.all(servers.map((server) => server.close()))
})

test('a lock is released when its work fails', async () => {
  const server = open()
  const locks = createInsightLocks(server)
  const target = { groupId: 1, insightName: 'a' }
  for (let round = 0; round < 6; round += 1)
    await expect(locks.whileLocked([target], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await locks.whileLocked([target], async () => 'done')).toBe('done')
  await server.close()
})
