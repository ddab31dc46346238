import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../testing/silent-log.ts'
import { createTestDatabase, type TestDatabase } from '../testing/index.ts'
import { openDatabase } from './database.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.drop())

const open = () => openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })

test('close ends all connections even if only pool statements used them, and can be called twice', async () => {
  const database = open()
  const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')

  await database.close()
  await database.close()

  const observer = open()
  const isConnected = async () =>
    (await observer.pool.query('select from pg_stat_activity where pid = $1', [rows[0]!.pid])).rowCount === 1
  // Idle connections are closed after four seconds.
  await expect.poll(isConnected, { timeout: 2000 }).toBe(false)
  await observer.close()
})
