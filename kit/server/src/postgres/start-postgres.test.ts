import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PostgresOptions } from './postgres-options.ts'
import { startPostgres, type PostgresServer } from './start-postgres.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
let base: string
const running: PostgresServer[] = []
let roleServer: PostgresServer | undefined

// Each test starts from a copy of the same cluster.
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'headwater postgres '))
  chmodSync(base, 0o711)
  await (await startPostgres({ folder: join(base, 'made'), log: quiet, durability: 'none' })).stop()
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

afterAll(async () => {
  await roleServer?.stop()
  await rm(base, { recursive: true, force: true })
})

let copies = 0
async function copyOfCluster(name = `copy ${copies++}`): Promise<string> {
  const folder = join(base, name)
  await mkdir(folder, { recursive: true })
  for (const part of ['cluster', 'password'])
    await cp(join(base, 'made', part), join(folder, part), { recursive: true })
  return folder
}

async function started(options: Partial<PostgresOptions> & { folder: string }): Promise<PostgresServer> {
  const server = await startPostgres({ log: quiet, ...options })
  running.push(server)
  return server
}

async function query(server: { connectionString: string }, sql: string): Promise<Record<string, unknown>> {
  return queryAs(server.connectionString, sql)
}

async function queryAs(config: string | pg.ClientConfig, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    // Several statements return several results.
    return [await client.query(sql)].flat().at(-1)?.rows[0]
  } finally {
    await client.end()
  }
}

/** Runs statements as the superuser, as versions without the server role did. */
async function asAdministrator(folder: string, server: PostgresServer, sql: string): Promise<void> {
  const password = readFileSync(join(folder, 'password'), 'utf8')
  await queryAs({ ...server.connection, user: 'headwater', password }, sql)
}

test('the database is durable, verifies page checksums and sorts the same on every system', async () => {
  const server = await started({ folder: await copyOfCluster() })
  const settings = await query(
    server,
    `select current_setting('fsync') fsync, current_setting('full_page_writes') full_page_writes,
            current_setting('synchronous_commit') synchronous_commit, current_setting('data_checksums') checksums,
            current_setting('server_encoding') encoding, current_setting('listen_addresses') tcp,
            current_setting('timezone') zone, current_setting('is_superuser') superuser, datlocale locale
       from pg_database where datname = current_database()`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    tcp: '',
    zone: 'UTC',
    superuser: 'off',
    locale: 'C.UTF-8',
  })
})

test.each([
  `copy (select 1) to program 'touch /tmp/headwater-was-here'`,
  `copy (select 1) to '/tmp/headwater-was-here'`,
  `create temp table read_in (line text); copy read_in from '/etc/passwd'`,
  `create temp table read_in (line text); copy read_in from program 'id'`,
  `select pg_read_file('/etc/passwd')`,
  `select lo_import('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  `create function run() returns int language c as '/lib/x86_64-linux-gnu/libc.so.6', 'getpid'`,
  `create role more superuser`,
  `create database more`,
  `alter role current_user superuser`,
  `alter role headwater password 'guess'`,
  `set role headwater`,
  `alter system set log_statement = 'all'`,
])('the role of the server cannot access programs, files or other roles: %s', async (sql) => {
  roleServer ??= await startPostgres({ log: quiet, folder: await copyOfCluster() })
  await expect(query(roleServer, sql)).rejects.toThrow(/permission denied|must be|is not allowed/)
})

test('objects created by an earlier version as the superuser belong to the role of the server after the next start', async () => {
  const folder = await copyOfCluster()
  const before = await started({ folder })
  await asAdministrator(
    folder,
    before,
    `alter database headwater owner to headwater;
     drop role headwater_server;
     create extension pg_trgm;
     create table groups (id bigint generated always as identity primary key, "Odd name" text);
     create table files (id serial primary key, group_id bigint references groups (id));
     create index on groups using gin ("Odd name" gin_trgm_ops);
     create sequence arrivals;
     create view newest as select * from groups;
     create type mood as enum ('calm');
     create function note() returns trigger language plpgsql as 'begin return null; end';
     create trigger noted after insert on groups for each row execute function note();
     insert into groups ("Odd name") values ('kept')`,
  )
  await before.stop()
  const server = await started({ folder })
  expect(await query(server, 'select "Odd name" from groups')).toEqual({ 'Odd name': 'kept' })
  await query(
    server,
    `create extension if not exists pg_trgm;
     alter table groups add column more text;
     alter table files add column more text;
     select nextval('arrivals');
     create or replace view newest as select * from groups where id > 0;
     alter type mood add value 'glad';
     create or replace function note() returns trigger language plpgsql as 'begin return new; end';
     insert into groups (more) values ('new');
     create table later (id int)`,
  )
  expect(
    await query(
      server,
      `select array_agg(distinct relowner::regrole::text) owners from pg_class where relnamespace = 'public'::regnamespace`,
    ),
  ).toEqual({ owners: ['headwater_server'] })
})

test('nobody else can access the socket folder, and a wrong password is rejected', async () => {
  const server = await started({ folder: await copyOfCluster() })
  expect(statSync(server.connection.host).mode & 0o077).toBe(0)
  const client = new pg.Client({ ...server.connection, password: 'guess' })
  await expect(client.connect()).rejects.toThrow('password authentication failed')
})

test('committed data survive a stop and a start', async () => {
  const folder = await copyOfCluster()
  const first = await started({ folder })
  await query(first, 'create table notes as select 42 as value')
  await first.stop()
  expect(await query(await started({ folder }), 'select value from notes')).toEqual({ value: 42 })
})

test('a second stop has no effect, and no process or socket remains', async () => {
  const server = await started({ folder: await copyOfCluster() })
  const { pid } = server
  await Promise.all([server.stop(), server.stop()])
  expect(isAlive(pid)).toBe(false)
  expect(readdirSync(server.connection.host)).toEqual([])
})

test('uses a private folder in the temporary folder when the path is too long for a socket', async () => {
  const folder = await copyOfCluster(`long ${'x'.repeat(120)}`)
  const server = await started({ folder })
  expect(server.connection.host.startsWith(folder)).toBe(false)
  expect(statSync(server.connection.host).mode & 0o077).toBe(0)
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 })
  await server.stop()
  expect(existsSync(server.connection.host)).toBe(false)
})

test('restarts a crashed PostgreSQL and notifies the owner of the connections', async () => {
  const restarted = Promise.withResolvers<void>()
  const server = await started({ folder: await copyOfCluster(), onRestart: () => restarted.resolve() })
  await query(server, 'create table notes as select 7 as value')
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  await restarted.promise
  expect(server.pid).not.toBe(pid)
  expect(await query(server, 'select value from notes')).toEqual({ value: 7 })
})

test('the log contains errors without their statements', async () => {
  const folder = await copyOfCluster()
  const server = await started({ folder })
  await expect(query(server, 'select 1 / 0 as text_of_a_user')).rejects.toThrow('division by zero')
  const logged = () => readFileSync(join(folder, 'postgres.log'), 'utf8')
  await expect.poll(logged).toContain('division by zero')
  expect(logged()).not.toContain('text_of_a_user')
})

test('the log stays small while PostgreSQL runs, and new messages are appended', async () => {
  const folder = await copyOfCluster()
  const server = await started({ folder })
  const logFile = join(folder, 'postgres.log')
  appendFileSync(logFile, `${'old messages\n'.repeat(1_000_000)}the last old message\n`)
  await expect.poll(() => statSync(logFile).size).toBeLessThan(1000)
  await expect(query(server, 'select 1 / 0')).rejects.toThrow('division by zero')
  await expect.poll(() => readFileSync(logFile, 'utf8')).toMatch(/^[^\0]*division by zero/)
  const aside = readFileSync(`${logFile}.1`, 'utf8')
  expect(aside.length).toBeLessThanOrEqual(10_000_000)
  expect(aside.endsWith('the last old message\n')).toBe(true)
})

test('a stop during a restart leaves no process', async () => {
  const server = await started({ folder: await copyOfCluster() })
  process.kill(server.pid, 'SIGKILL')
  await server.stop()
  expect(isAlive(server.pid)).toBe(false)
})

test('after a kill -9 of the server the next one adopts the running PostgreSQL', async () => {
  const folder = await copyOfCluster()
  const { child, server: orphaned } = await startElsewhere(folder)
  await query(orphaned, 'create table notes as select 1 as value')
  await killed(child)
  const server = await started({ folder })
  expect(server.pid).toBe(orphaned.pid)
  expect(await query(server, 'select value from notes')).toEqual({ value: 1 })
  const restartedPid = await restartOf(server)
  expect(restartedPid).not.toBe(orphaned.pid)
})

test('after a kill -9 of server and PostgreSQL the next start loses nothing', async () => {
  const folder = await copyOfCluster()
  const { child, server: dead } = await startElsewhere(folder)
  await query(dead, 'create table notes as select 3 as value')
  process.kill(dead.pid, 'SIGKILL')
  await killed(child)
  const server = await started({ folder })
  expect(server.pid).not.toBe(dead.pid)
  expect(await query(server, 'select value from notes')).toEqual({ value: 3 })
})

test('does not adopt a PostgreSQL that accepts connections but is killed before it responds', async () => {
  const folder = await copyOfCluster()
  const { child, server: dying } = await startElsewhere(folder)
  await killed(child)
  process.kill(dying.pid, 'SIGSTOP')
  const next = startPostgres({ folder, log: quiet })
  await sleep(300)
  process.kill(dying.pid, 'SIGKILL')
  const server = await next
  running.push(server)
  expect(server.pid).not.toBe(dying.pid)
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 })
})

test('waits for a PostgreSQL that is stopping', async () => {
  const folder = await copyOfCluster()
  const { child, server: ending } = await startElsewhere(folder)
  await killed(child)
  // A smart shutdown waits until all clients have disconnected.
  const client = new pg.Client(ending.connectionString)
  await client.connect()
  process.kill(ending.pid, 'SIGTERM')
  const next = startPostgres({ folder, log: quiet })
  await sleep(300)
  await client.end()
  const server = await next
  running.push(server)
  expect(server.pid).not.toBe(ending.pid)
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 })
})

test('starts another PostgreSQL if the one to adopt has just received the signal to stop', async () => {
  const folder = await copyOfCluster()
  const { child, server: ending } = await startElsewhere(folder)
  await killed(child)
  const client = new pg.Client(ending.connectionString)
  client.on('error', () => {})
  await client.connect()
  process.kill(ending.pid, 'SIGTERM')
  const pidFile = join(folder, 'cluster', 'postmaster.pid')
  const state = () => readFileSync(pidFile, 'utf8')
  while (!state().includes('stopping')) await sleep(10)
  // Simulates the state just before PostgreSQL handles the signal.
  writeFileSync(pidFile, state().replace('stopping', 'ready   '))
  const server = await started({ folder })
  expect(server.pid).not.toBe(ending.pid)
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 })
})

test('a reused process id in postmaster.pid does not block the start', async () => {
  const folder = await copyOfCluster()
  const first = await started({ folder })
  const pidFile = join(folder, 'cluster', 'postmaster.pid')
  const text = readFileSync(pidFile, 'utf8')
  await first.stop()
  writeFileSync(pidFile, text.replace(/^\d+/, '1'))
  expect(await query(await started({ folder }), 'select 1 as one')).toEqual({ one: 1 })
})

test('the next start completes an interrupted first start', async () => {
  const folder = join(base, 'interrupted')
  await mkdir(join(folder, 'cluster.new', 'half'), { recursive: true })
  const server = await started({ folder, durability: 'none' })
  expect(existsSync(join(folder, 'cluster.new'))).toBe(false)
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 })
})

test('the start on a damaged cluster fails with the message of PostgreSQL and the path of its log', async () => {
  const folder = await copyOfCluster()
  await rm(join(folder, 'cluster', 'global', 'pg_control'))
  const failure = await startPostgres({ folder, log: quiet }).then(
    () => 'started',
    (error: Error) => error.message,
  )
  expect(failure).toContain('could not find the database system')
  expect(failure).toContain(join(folder, 'postgres.log'))
})

test('the error names a missing password file', async () => {
  const folder = await copyOfCluster()
  await rm(join(folder, 'password'))
  await expect(startPostgres({ folder, log: quiet })).rejects.toThrow(
    `The password of the database is missing: ${join(folder, 'password')}`,
  )
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

interface Elsewhere {
  child: ChildProcessByStdio<null, Readable, null>
  server: { pid: number; connectionString: string }
}

/** Starts PostgreSQL from another Node process, which tests can kill. */
async function startElsewhere(folder: string): Promise<Elsewhere> {
  const script = `
    import { startPostgres } from ${JSON.stringify(new URL('./start-postgres.ts', import.meta.url).href)}
    const log = { info() {}, warn() {}, error() {} }
    const server = await startPostgres({ folder: ${JSON.stringify(folder)}, log })
    console.log(JSON.stringify({ pid: server.pid, connectionString: server.connectionString }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString()))
    child.once('exit', () => reject(new Error('the other process ended')))
  })
  return { child, server: JSON.parse(line) }
}

async function killed(child: Elsewhere['child']): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

async function restartOf(server: PostgresServer): Promise<number> {
  const before = server.pid
  process.kill(before, 'SIGKILL')
  while (server.pid === before) await sleep(50)
  return server.pid
}
