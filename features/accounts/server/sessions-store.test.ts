import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@headwater/server-kit'
import { fixedClock, openTestDatabase } from '@headwater/server-kit/testing'
import { migrationsFolder } from './index.ts'
import { createSessionsStore } from './sessions-store.ts'
import { createUsersStore } from './users-store.ts'

const clock = fixedClock('2026-03-01T08:00:00Z')
const hour = 3_600_000
let database: Database
let userId: number
beforeAll(async () => {
  database = await openTestDatabase([migrationsFolder])
  const users = createUsersStore({ database, clock })
  const companyId = await users.firstCompanyId()
  const user = await users.create(
    { userName: 'a@example.com', companyId, roleIds: [], status: 'ACTIVE' },
    async () => {},
  )
  userId = user?.userId ?? 0
})
afterAll(() => database.close())

async function countSessions(): Promise<number> {
  const { rows } = await database.pool.query('select count(*) as sessions from sessions')
  return rows[0].sessions
}

test('the database contains hashes and no refresh tokens', async () => {
  const { refreshToken } = await createSessionsStore({ database, clock }).start(userId)
  const { rows } = await database.pool.query(
    `select encode(hash, 'hex') as hex, encode(hash, 'escape') as text from refresh_tokens`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { hex, text } of rows) {
    expect(hex).not.toContain(Buffer.from(refreshToken).toString('hex'))
    expect(text).not.toContain(refreshToken)
  }
})

test('the cleanup removes ended and expired sessions and preserves active ones', async () => {
  await database.pool.query('delete from sessions')
  const store = createSessionsStore({ database, clock })
  const ended = await store.start(userId)
  await store.endByToken(ended.refreshToken)
  await store.start(userId)
  clock.advance(25 * 24 * hour)
  const living = await store.start(userId)
  await store.cleanUp()
  expect(await countSessions()).toBe(2)
  clock.advance(6 * 24 * hour)
  await store.cleanUp()
  expect(await countSessions()).toBe(1)
  expect(await store.rotate(living.refreshToken)).toMatchObject({ outcome: 'rotated', userId })
})

test('a session in use continues beyond the 30 days of its first token', async () => {
  const store = createSessionsStore({ database, clock })
  const first = await store.start(userId)
  clock.advance(20 * 24 * hour)
  const second = await store.rotate(first.refreshToken)
  if (second.outcome !== 'rotated') throw new Error(`The token is ${second.outcome}.`)
  clock.advance(20 * 24 * hour)
  await store.cleanUp()
  expect(await store.findUserId(first.sessionId)).toBe(userId)
  expect(await store.rotate(second.refreshToken)).toMatchObject({ outcome: 'rotated', userId })
})
