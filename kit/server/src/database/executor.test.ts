import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/index.ts'
import { executorOf, tablesOn } from './executor.ts'

interface Tables {
  counted: { number: number }
}

let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.connectionString })
  await pool.query('create table counted (number integer); insert into counted values (1), (2), (3)')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('a shared transaction reports how many rows a statement changed', async () => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const changed = await db
    .transaction()
    .execute((transaction) =>
      tablesOn<Tables>(executorOf(transaction))
        .updateTable('counted')
        .set({ number: 0 })
        .where('number', '>', 1)
        .executeTakeFirst(),
    )
  expect(changed.numUpdatedRows).toBe(2n)
})
