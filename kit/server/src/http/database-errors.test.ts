import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../database/database.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../testing/index.ts'
import { explainDatabaseError } from './database-errors.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Returns status and code of the error that a caller gets when a statement fails. */
async function errorOf(statement: string, connectionString = database.connectionString) {
  const opened = open(connectionString)
  try {
    return await responseTo(opened.pool.query(statement))
  } finally {
    await opened.close()
  }
}

function open(connectionString: string): Database {
  return openDatabase({ connectionString, log: silentLog(), poolSize: 1 })
}

/** Returns status and code of the error with which work fails. */
async function responseTo(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => expect.unreachable('the work did not fail'),
    (reason: unknown) => reason,
  )
  const { status, code } = explainDatabaseError(error) ?? {}
  return [status, code]
}

const away = [503, 'databaseAway']

test('reports a database that stops during a statement as unavailable', async () => {
  expect(await errorOf('select pg_terminate_backend(pg_backend_pid())')).toEqual(away)
})

test('reports a database at whose address nothing listens as unavailable, on a socket and on a port', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const folder = encodeURIComponent(join(tmpdir(), 'absent'))
  expect(await errorOf('select 1', `postgresql://user:word@/name?host=${folder}`)).toEqual(away)
  expect(await errorOf('select 1', `postgresql://user:word@127.0.0.1:${port}/name`)).toEqual(away)
})

test('reports a connection that is reset at login, during a statement and during a transaction as unavailable', async () => {
  // The database of tests listens on a socket in a folder.
  const { username, password, pathname, searchParams } = new URL(
    database.connectionString.replace('@/', '@localhost/'),
  )
  const socketPath = join(searchParams.get('host')!, `.s.PGSQL.${searchParams.get('port') ?? 5432}`)
  let resets = false
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    if (resets) return socket.once('data', () => socket.resetAndDestroy())
    const upstream = connect(socketPath)
    sockets.add(socket)
    upstream.on('error', () => {})
    socket.on('error', () => {})
    socket.once('close', () => upstream.destroy())
    return socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const opened = open(`postgresql://${username}:${password}@${address}${pathname}`)
  const reset = async (statement: string) => {
    await expect.poll(() => isSleeping(statement)).toBe(true)
    for (const socket of sockets) socket.resetAndDestroy()
  }
  try {
    const statement = responseTo(opened.pool.query('select pg_sleep(601)'))
    await reset('select pg_sleep(601)')
    expect(await statement).toEqual(away)
    const transaction = responseTo(
      opened
        .tables()
        .transaction()
        .execute((tx) => sql`select pg_sleep(602)`.execute(tx)),
    )
    await reset('select pg_sleep(602)')
    expect(await transaction).toEqual(away)
    resets = true
    expect(await responseTo(opened.pool.query('select 1'))).toEqual(away)
  } finally {
    await opened.close()
    proxy.close()
  }
})

/** Returns whether a statement that waits is in progress. */
async function isSleeping(statement: string): Promise<boolean> {
  const observer = open(database.connectionString)
  const { rows } = await observer.pool.query(
    `select from pg_stat_activity where datname = current_database() and query = $1 and wait_event = 'PgSleep'`,
    [statement],
  )
  await observer.close()
  return rows.length > 0
}

test.each([
  ['read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }],
  ['write EPIPE', { code: 'EPIPE', syscall: 'write' }],
  ['This socket has been ended by the other party', { code: 'EPIPE' }],
  ['write after end', { code: 'ERR_STREAM_WRITE_AFTER_END' }],
  ['Cannot call write after a stream was destroyed', { code: 'ERR_STREAM_DESTROYED' }],
  ['connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['connect EAGAIN', { code: 'EAGAIN', syscall: 'connect' }],
  ['connect ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'connect' }],
  ['getaddrinfo ENOTFOUND', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
  ['timeout expired', {}],
])(
  'reports the error %s of the connection of the database as unavailable, but not that of another connection',
  async (message, fields) => {
    const failure = Object.assign(new Error(message), fields)
    expect(explainDatabaseError(failure)).toBeUndefined()
    const opened = open(database.connectionString)
    const client = await opened.pool.connect()
    const statement = responseTo(client.query('select pg_sleep(600)'))
    client.connection.stream.destroy(failure)
    expect(await statement).toEqual(away)
    expect(await responseTo(client.query('select 1'))).toEqual(away)
    client.release(true)
    await opened.close()
  },
)

test('reports statements after the connections were closed as unavailable', async () => {
  const opened = open(database.connectionString)
  const client = await opened.pool.connect()
  await client.end()
  expect(await responseTo(client.query('select 1'))).toEqual(away)
  client.release(true)
  await opened.close()
  expect(await responseTo(opened.pool.query('select 1'))).toEqual(away)
  await opened.tables().destroy()
  expect(await responseTo(sql`select 1`.execute(opened.tables()))).toEqual(away)
})

test.each([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08007',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
])('reports the code %s of PostgreSQL as unavailable', async (code) => {
  expect(await errorOf(`do $$ begin raise exception using errcode = '${code}'; end $$`)).toEqual(away)
})

test('does not report a message of the wrong form to the caller', async () => {
  expect(await errorOf(`do $$ begin raise exception using errcode = '08P01'; end $$`)).toEqual([
    undefined,
    undefined,
  ])
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
