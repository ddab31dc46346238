import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { runLookup, startLookupTime } from './run-lookup.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('a slow lookup is cancelled with an error, and the next one has its own time limit', async () => {
  const db = database.tables<Record<string, never>>()
  await expect(runLookup(db, sql`select pg_sleep(60)`, startLookupTime(1))).rejects.toMatchObject({
    code: 'lookupTooSlow',
    status: 400,
    message: expect.stringContaining('longer than 1 s'),
  })
  expect(await runLookup(db, sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('lookups of one request share a time limit: after the first one has used it up, the next one fails', async () => {
  const db = database.tables<Record<string, never>>()
  const time = startLookupTime(1)
  const tooSlow = { code: 'lookupTooSlow', message: expect.stringContaining('longer than 1 s') }
  await expect(runLookup(db, sql`select pg_sleep(60)`, time)).rejects.toMatchObject(tooSlow)
  await expect(runLookup(db, sql`select 1 as one`, time)).rejects.toMatchObject(tooSlow)
})
