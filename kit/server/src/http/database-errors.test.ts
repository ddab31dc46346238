import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../testing/index.ts'
import { explainDatabaseError } from './database-errors.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** What a caller is told of the failure of a statement. */
async function told(statement: string, connectionString = database.connectionString) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    const { status, code } = explainDatabaseError(error) ?? {}
    return [status, code]
  } finally {
    await client.end().catch(() => {})
  }
  return expect.unreachable('the statement did not fail')
}

test('a database that ends in the middle of a statement is told of as away', async () => {
  expect(await told('select pg_terminate_backend(pg_backend_pid())')).toEqual([503, 'databaseAway'])
})

test('so is one that nothing listens for', async () => {
  const nowhere = `postgresql://user:word@/name?host=${encodeURIComponent(join(tmpdir(), 'absent'))}`
  expect(await told('select 1', nowhere)).toEqual([503, 'databaseAway'])
})

test('so is one that was killed while its connection waited', () => {
  const failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write', errno: -32 })
  expect(explainDatabaseError(failure)?.code).toBe('databaseAway')
})

test('a full disk is told of as one', async () => {
  expect(await told(`do $$ begin raise exception using errcode = 'disk_full'; end $$`)).toEqual([
    507,
    'databaseFull',
  ])
})

test('text that cannot be stored is the caller’s to change', async () => {
  expect(await told(`select convert_from('\\xff', 'utf8')`)).toEqual([400, 'invalidText'])
})

test('what is wrong with a statement is nobody’s but ours', async () => {
  expect(await told('select nothing')).toEqual([undefined, undefined])
})
