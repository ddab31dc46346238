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

/** Returns status and code of the error that a caller gets when a statement fails. */
async function errorOf(statement: string, connectionString = database.connectionString) {
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

test('reports a database that stops during a statement as unavailable', async () => {
  expect(await errorOf('select pg_terminate_backend(pg_backend_pid())')).toEqual([503, 'databaseAway'])
})

test('reports a database at whose address nothing listens as unavailable', async () => {
  const nowhere = `postgresql://user:word@/name?host=${encodeURIComponent(join(tmpdir(), 'absent'))}`
  expect(await errorOf('select 1', nowhere)).toEqual([503, 'databaseAway'])
})

test('reports a write to a closed connection of the database as unavailable', () => {
  const failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write', errno: -32 })
  expect(explainDatabaseError(failure)?.code).toBe('databaseAway')
})

test('reports a full disk', async () => {
  expect(await errorOf(`do $$ begin raise exception using errcode = 'disk_full'; end $$`)).toEqual([
    507,
    'databaseFull',
  ])
})

test('reports text that cannot be stored as an error of the caller', async () => {
  expect(await errorOf(`select convert_from('\\xff', 'utf8')`)).toEqual([400, 'invalidText'])
})

test('does not report an invalid statement to the caller', async () => {
  expect(await errorOf('select nothing')).toEqual([undefined, undefined])
})
