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
  // Otherwise an idle connection would be closed only after four seconds.
  expect(database.pool.totalCount).toBe(0)

  const observer = open()
  const isConnected = async () =>
    (await observer.pool.query('select from pg_stat_activity where pid = $1', [rows[0]!.pid])).rowCount === 1
  await expect.poll(isConnected).toBe(false)
  await observer.close()
})

test('a prepared statement is parsed once per connection, and returns its rows after a migration of its tables', async () => {
  const database = openDatabase({
    connectionString: testDatabase.connectionString,
    log: silentLog(),
    poolSize: 1,
  })
  await database.pool.query('create table counted (number integer); insert into counted values (1), (2)')
  const read = (number: number) =>
    database.prepared({ sql: 'select * from counted where number = $1', parameters: [number] })

  expect([await read(1), await read(2)]).toEqual([[{ number: 1 }], [{ number: 2 }]])
  const { rows } = await database.pool.query(
    `select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%from counted%'`,
  )
  expect(rows).toEqual([{ uses: 2 }])

  await database.pool.query(`alter table counted add column name text not null default 'new'`)
  expect(await read(1)).toEqual([{ number: 1, name: 'new' }])
  await database.close()
})
