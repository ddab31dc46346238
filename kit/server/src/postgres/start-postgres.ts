import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { acceptsConnections, isPostmasterOf, readPostmaster, socketPath } from './postmaster-pid.ts'
import type { Postmaster } from './postmaster-pid.ts'
import { chooseRunAs, giveFolderTo } from './run-as.ts'
import type { RunAs } from './run-as.ts'
import { prepareServerRole, type PostgresConnection } from './server-role.ts'
import { createSocketFolder, removeSocketFolder } from './socket-folder.ts'

export type { PostgresConnection } from './server-role.ts'

/** Receives the messages of the wrapper; a pino logger fits. */
export interface PostgresLog {
  /** Logs progress. */
  info(message: string): void
  /** Logs a problem that the wrapper handles. */
  warn(message: string): void
  /** Logs a problem that someone must solve. */
  error(message: string): void
}

/** Options of {@link startPostgres}. */
export interface PostgresOptions {
  /** Folder of this PostgreSQL: cluster, password, socket. Created when absent. */
  folder: string
  /** Folder of `postgres.log`, default `folder`. */
  logFolder?: string
  /** Receives the messages of the wrapper. */
  log: PostgresLog
  /** Called after each restart of a crashed PostgreSQL. Every earlier connection is broken. */
  onRestart?: () => void
  /** `full` (default): a commit survives a power cut. `none`: faster, for throw-away databases of tests only. */
  durability?: 'full' | 'none'
  /** Maximum number of connections, default 100. */
  maxConnections?: number
}

/** A running PostgreSQL. It stays the same object, with the same connection, when PostgreSQL is restarted. */
export interface PostgresServer {
  /** Connection of a role that owns its database and is not a superuser. Only the next start of this folder changes its password. */
  connection: PostgresConnection
  /** The same connection as a URL, in the form of `DATABASE_URL`. */
  connectionString: string
  /** Process id of the postmaster. */
  readonly pid: number
  /** Closes all connections, writes everything to disk and waits until PostgreSQL has stopped. Safe to call twice. */
  stop(): Promise<void>
}

/** Connection of the superuser, with the password in the file `password`. */
const administrator = 'headwater'
const database = 'headwater'
const port = 5432
const startLimitMs = 60_000
const stopLimitMs = 30_000
const largestLogBytes = 10_000_000
const logCheckMs = 2000

/**
 * Starts the PostgreSQL that ships with the platform, on a unix socket only. It adopts a postmaster that outlived its server, waits
 * for one that is stopping, and restarts PostgreSQL after a crash.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { log, onRestart } = options
  const paths = await preparePaths(options)
  const binaries = await findBinaries(paths.libraryLinks)
  const runAs = await chooseRunAs([paths.folder, dirname(binaries.postgres)])
  const context: Context = { ...paths, binaries, runAs, options }
  const password = await readPassword(paths)

  let postmaster = await adoptPostmaster(context)
  if (!postmaster) {
    if (!existsSync(paths.cluster)) await createCluster(context, password)
    await giveFolderTo(runAs.owner, paths.cluster)
    postmaster = await launch(context, await createSocketFolder(paths.folder, runAs.owner))
  }
  const { socketFolder } = postmaster
  const connection = await serverConnection(postmaster, context, password)

  let stopping = false
  let stopped: Promise<void> | undefined
  const keeper = new AbortController()
  const maintenance = Promise.all([keepAlive(), boundLog()])

  async function keepAlive(): Promise<void> {
    while (!stopping) {
      await goneOrStopped(postmaster as Running, context, keeper.signal)
      if (stopping) return
      log.error(
        'PostgreSQL stopped unexpectedly and is being restarted. Its messages are in ' + paths.logFile,
      )
      await restart()
    }
  }

  async function boundLog(): Promise<void> {
    while (!stopping) {
      await pause(logCheckMs, keeper.signal)
      await shortenLog(paths.logFile).catch((error: Error) =>
        log.warn(`The log of PostgreSQL could not be shortened: ${error.message}`),
      )
    }
  }

  async function restart(): Promise<void> {
    for (let waitMs = 100; !stopping; waitMs = Math.min(waitMs * 2, 5000)) {
      try {
        postmaster = await launch(context, socketFolder)
        log.warn('PostgreSQL runs again.')
        onRestart?.()
        return
      } catch (error) {
        log.error(`PostgreSQL could not be started again: ${(error as Error).message}`)
        await pause(waitMs, keeper.signal)
      }
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    keeper.abort()
    await maintenance
    await stopPostmaster(postmaster as Running, context)
    await removeSocketFolder(socketFolder, runAs.owner)
  }

  const credentials = `${connection.user}:${encodeURIComponent(connection.password)}`
  return {
    connection,
    connectionString: `postgresql://${credentials}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
    get pid() {
      return (postmaster as Running).pid
    },
    stop: () => (stopped ??= stop()),
  }
}

async function serverConnection(
  postmaster: Running,
  context: Context,
  password: string,
): Promise<PostgresConnection> {
  const { socketFolder: host } = postmaster
  try {
    return await prepareServerRole({ host, port, user: administrator, password, database })
  } catch (error) {
    await stopPostmaster(postmaster, context)
    await removeSocketFolder(host, context.runAs.owner)
    throw error
  }
}

interface Paths {
  folder: string
  cluster: string
  libraryLinks: string
  passwordFile: string
  logFile: string
}

interface Context extends Paths {
  binaries: Binaries
  runAs: RunAs
  options: PostgresOptions
}

/** A postmaster and, when this process started it, its child process; an adopted one has none. */
interface Running extends Postmaster {
  child?: ChildProcess
}

async function preparePaths(options: PostgresOptions): Promise<Paths> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  // When root starts PostgreSQL, another user must pass through. The content stays closed to everybody else.
  if (process.getuid?.() === 0) await chmod(options.folder, 0o711)
  const folder = await realpath(options.folder)
  const logFolder = options.logFolder ?? folder
  await mkdir(logFolder, { recursive: true, mode: 0o700 })
  return {
    folder,
    cluster: join(folder, 'cluster'),
    libraryLinks: join(folder, 'lib'),
    passwordFile: join(folder, 'password'),
    logFile: join(logFolder, 'postgres.log'),
  }
}

async function readPassword({ passwordFile, cluster }: Paths): Promise<string> {
  if (!existsSync(passwordFile)) {
    if (existsSync(cluster)) {
      throw new Error(`The password of the database is missing: ${passwordFile}. Restore it from a backup.`)
    }
    await writeFile(`${passwordFile}.new`, randomBytes(24).toString('base64url'), {
      mode: 0o600,
      flush: true,
    })
    await rename(`${passwordFile}.new`, passwordFile)
  }
  return (await readFile(passwordFile, 'utf8')).trim()
}

/** Creates the cluster under another name first, so that an interrupted first start leaves no incomplete cluster. */
async function createCluster(context: Context, password: string): Promise<void> {
  const { binaries, folder, runAs, options } = context
  const unfinished = join(folder, 'cluster.new')
  const passwordCopy = join(folder, 'password.new')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordCopy, password, { mode: 0o600 })
  await giveFolderTo(runAs.owner, unfinished)
  if (process.getuid?.() === 0) await chown(passwordCopy, runAs.owner.uid, runAs.owner.gid)
  options.log.info('PostgreSQL: creating the database. This takes some seconds.')

  try {
    await runToEnd(context, binaries.initdb, [
      `--pgdata=${unfinished}`,
      `--username=${administrator}`,
      `--pwfile=${passwordCopy}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // A collation of PostgreSQL itself: the same order and letter case on every system, independent of its libraries.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
      ...(options.durability === 'none' ? ['--no-sync'] : []),
    ])
    await runToEnd(
      context,
      binaries.postgres,
      ['--single', '-D', unfinished, '-c', 'log_checkpoints=off', 'template1'],
      `CREATE DATABASE ${database}\n`,
    )
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await rm(passwordCopy, { force: true })
  }
  await rename(unfinished, context.cluster)
}

/** Adopts a running postmaster of this cluster. Waits for one that is stopping. Returns undefined when none runs. */
async function adoptPostmaster(context: Context): Promise<Running | undefined> {
  const deadline = Date.now() + startLimitMs
  for (;;) {
    const existing = await readPostmaster(context.cluster)
    if (!existing) return undefined
    if (!(await isPostmasterOf(existing.pid, context.cluster))) {
      await removeSocketFolder(existing.socketFolder, context.runAs.owner)
      return undefined
    }
    if (existing.state === 'ready' && (await acceptsConnections(socketPath(existing)))) {
      context.options.log.info(
        `PostgreSQL: adopting process ${existing.pid}, which an earlier server left running.`,
      )
      return existing
    }
    if (Date.now() > deadline) {
      throw new Error(
        `An earlier PostgreSQL (process ${existing.pid}) neither responds nor stops. Stop that process and start again.`,
      )
    }
    await sleep(50)
  }
}

/** Starts the postmaster and waits until it accepts connections. */
async function launch(context: Context, socketFolder: string): Promise<Running> {
  const deadline = Date.now() + startLimitMs
  for (;;) {
    const logOffset = await shortenLog(context.logFile)
    const child = await spawnPostmaster(context, socketFolder)
    const running = await readyOrExited(child, context, deadline)
    if (running) return running
    const messages = (await readFile(context.logFile, 'utf8')).slice(logOffset)
    // After a kill of the postmaster its children run a little longer and hold its shared memory.
    const holdsOn = /pre-existing shared memory block|lock file .* already exists/.test(messages)
    if (!holdsOn || Date.now() > deadline) throw new Error(startFailure(messages, context.logFile))
    await sleep(100)
  }
}

async function readyOrExited(
  child: ChildProcess,
  context: Context,
  deadline: number,
): Promise<Running | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const postmaster = await readPostmaster(context.cluster)
    if (postmaster?.pid === child.pid && postmaster?.state === 'ready') return { ...postmaster, child }
    if (Date.now() > deadline) {
      child.kill('SIGINT')
      throw new Error(
        `PostgreSQL was not ready after ${startLimitMs / 1000} s. Its messages: ${context.logFile}`,
      )
    }
    await sleep(10)
  }
  return undefined
}

async function spawnPostmaster(context: Context, socketFolder: string): Promise<ChildProcess> {
  const args = ['-D', context.cluster]
  for (const [name, value] of Object.entries(settings(context.options, socketFolder))) {
    args.push('-c', `${name}=${value}`)
  }
  // Not a pipe: PostgreSQL outlives a killed server, and would crash on its first message to a closed pipe.
  const log = await open(context.logFile, 'a', 0o600)
  try {
    const [command, ...rest] = [...context.runAs.prefix, context.binaries.postgres, ...args]
    const child = spawn(command as string, rest, {
      ...spawnOptions(context),
      stdio: ['ignore', log.fd, log.fd],
      // Its own process group, or Ctrl+C in a terminal would stop it before the server has finished its work.
      detached: true,
    })
    await spawned(child)
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

function settings(options: PostgresOptions, socketFolder: string): Record<string, string> {
  const throwAway = options.durability === 'none'
  return {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: quotedName(socketFolder),
    unix_socket_permissions: '0700',
    max_connections: String(options.maxConnections ?? 100),
    fsync: throwAway ? 'off' : 'on',
    full_page_writes: throwAway ? 'off' : 'on',
    synchronous_commit: throwAway ? 'off' : 'on',
    wal_level: 'replica',
    // Small on purpose: the operating system caches the same pages, and an idle server should use little memory.
    shared_buffers: '48MB',
    maintenance_work_mem: '32MB',
    max_wal_size: '512MB',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
    // Statements contain texts of users, up to megabytes. The server logs its own errors.
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
  }
}

/** Quotes a setting that is a list of names, because a comma or blank in the path would end it. */
function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function spawnOptions({ binaries, runAs, folder }: Context) {
  return {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...binaries.env },
    ...(runAs.uid === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
  }
}

/** Runs a program until it exits; an error contains its output. */
async function runToEnd(context: Context, program: string, args: string[], input = ''): Promise<void> {
  const [command, ...rest] = [...context.runAs.prefix, program, ...args]
  const child = spawn(command as string, rest, { ...spawnOptions(context), stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const text = Buffer.concat(output).toString()
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(text)) {
    throw new Error(`The database could not be created in ${context.folder}.\n${text.trim()}`)
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOENT'
          ? 'the program does not run here; it needs a system with the GNU C library'
          : error.message
      reject(new Error(`PostgreSQL could not be started: ${reason}. Set DATABASE_URL to use another server.`))
    })
  })
}

/** Moves the end of a large log to one older file and returns the remaining size, where new messages begin. */
async function shortenLog(logFile: string): Promise<number> {
  const sizeBytes = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (sizeBytes <= largestLogBytes) return sizeBytes
  try {
    await pipeline(
      createReadStream(logFile, { start: sizeBytes - largestLogBytes, end: sizeBytes - 1 }),
      createWriteStream(`${logFile}.1`, { mode: 0o600 }),
    )
  } finally {
    // Not renamed, because PostgreSQL holds the file open and appends to it.
    await truncate(logFile)
  }
  return 0
}

function startFailure(messages: string, logFile: string): string {
  const lines = messages.trim().split('\n').slice(-5).join('\n')
  return `PostgreSQL did not start. Its last messages (see ${logFile} for all of them):\n${lines}`
}

async function goneOrStopped(running: Running, context: Context, signal: AbortSignal): Promise<void> {
  const { child } = running
  if (child) {
    if (child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    return
  }
  while (!signal.aborted && (await isPostmasterOf(running.pid, context.cluster))) await pause(500, signal)
}

/** Waits without holding the process alive, at most until the signal. */
async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await sleep(waitMs, undefined, { ref: false, signal }).catch(() => undefined)
}

async function stopPostmaster(running: Running, context: Context): Promise<void> {
  await signalAndWait(running, context, 'SIGINT')
  // A backend that ignores the orderly stop is killed; the next start recovers from the log.
  await signalAndWait(running, context, 'SIGQUIT')
}

async function signalAndWait(running: Running, context: Context, signal: NodeJS.Signals): Promise<void> {
  if (!(await isRunning(running, context))) return
  try {
    process.kill(running.pid, signal)
  } catch (error) {
    // It can exit between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  const deadline = Date.now() + stopLimitMs
  while (Date.now() < deadline && (await isRunning(running, context))) await sleep(10)
}

/** Returns whether a child runs. It counts as running until its exit is noticed, so that a stop waits for it. */
async function isRunning({ pid, child }: Running, { cluster }: Context): Promise<boolean> {
  if (child) return child.exitCode === null && child.signalCode === null
  return isPostmasterOf(pid, cluster)
}
