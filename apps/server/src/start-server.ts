import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  migrate,
  openDataFolder,
  openDatabase,
  startPostgres,
  type Clock,
  type Config,
  type ConnectionLimits,
  type Database,
  type DataFolder,
  type Log,
} from '@headwater/server-kit'
import { readProductConfiguration, type PasswordHasher } from '@headwater/accounts/server'
import {
  openClusterEngine,
  openEmbeddedEngine,
  openServerEngine,
  type SeriesEngine,
} from '@headwater/timeseries'
import { compose, migrationsFolders, type Platform } from './compose.ts'

/** A server that accepts requests. */
export interface RunningServer {
  /** Address on this machine, for example `http://localhost:8080`. */
  url: string
  /** The features of the server. */
  platform: Platform
  /** Stops requests, work and engines in order, and releases the data folder. */
  stop(): Promise<void>
  /**
   * Stops the database only, for an immediate exit: the series engine ends with this process, and the next start repeats
   * unfinished work.
   */
  stopAtOnce(): Promise<void>
}

/** Options of a start. */
export interface StartOptions {
  /** Configuration from the environment. */
  config: Config
  /** Clock of all features. */
  clock: Clock
  /** Opens the log once the data folder exists. */
  openLog: (dataFolder: DataFolder) => Log
  /** Prints a message to the terminal in which the server was started. */
  say: (line: string) => void
  /** Limits that override the defaults of the server and the configuration; for tests. */
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Hashes passwords. Default: that of `createAccounts`. For tests. */
  passwordHasher?: PasswordHasher | undefined
  /** Whether every response is validated against its schema; for tests and development. */
  checkOutput?: boolean
}

const builtWebFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Opens the data folder, starts its engines, migrates the schema and listens. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, say } = options
  // An invalid switch is reported before anything is created.
  readProductConfiguration(config)
  const { platform, closeAll, stopDatabase } = await openPlatform(options, 'server')
  try {
    await platform.resume()
    const administrator = await platform.accounts.ensureAdministrator({
      email: config.adminEmail,
      password: config.adminPassword,
    })
    const url = await listen(platform, config)
    say(`Headwater is ready at ${url}`)
    if (administrator.generatedPassword !== undefined) {
      say(`Log in as ${config.adminEmail} with the password ${administrator.generatedPassword}`)
      say('This password is shown only once. Change it under My account.')
    }
    if (config.demo) void loadDemoWorkspace(platform, config, url)
    return { url, platform, stop: closeAll, stopAtOnce: stopDatabase }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** A worker that executes jobs. */
export interface RunningWorker {
  /** The features of the worker. */
  platform: Platform
  /** Takes no new jobs, waits for running ones, releases those that take too long, and closes everything. */
  stop(): Promise<void>
}

/** Starts a worker: a process without a web port that executes jobs of servers that share their stores. */
export async function startWorker(options: StartOptions): Promise<RunningWorker> {
  requireSharedStores(options.config)
  const { platform, closeAll } = await openPlatform(options, 'worker')
  try {
    await platform.work()
    options.say('The worker is ready. It executes jobs until it is stopped.')
    return { platform, stop: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Throws unless all shared stores are configured. */
function requireSharedStores({ databaseUrl, clickhouseUrls, s3, secretsFile }: Config): void {
  const missing = [
    databaseUrl === undefined ? 'DATABASE_URL (PostgreSQL)' : '',
    clickhouseUrls.length === 0 ? 'HEADWATER_CLICKHOUSE_URL (ClickHouse)' : '',
    s3 === undefined ? 'HEADWATER_S3_URL (S3 store of files)' : '',
    secretsFile === undefined ? 'HEADWATER_SECRETS_FILE (installation key)' : '',
  ].filter((name) => name !== '')
  if (missing.length === 0) return
  throw new Error(
    `A worker uses the same stores and the same installation key as the servers. Set ${listOf(missing)} as on the servers.`,
  )
}

function listOf(items: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(items)
}

/** Opens the data folder, starts or connects the engines, migrates the schema and creates the features. */
async function openPlatform(
  options: StartOptions,
  kind: 'server' | 'worker',
): Promise<{ platform: Platform; closeAll: () => Promise<void>; stopDatabase: () => Promise<void> }> {
  const { config, clock, openLog, connectionLimits, passwordHasher, checkOutput = false } = options
  const dataFolder = await openDataFolder(config.dataFolder, { secretsFile: config.secretsFile })
  const log = openLog(dataFolder)
  const closers: (() => Promise<unknown>)[] = [() => dataFolder.close()]
  let stopDatabase = async () => {}
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed())
      await close().catch((error) => log.error({ error }, 'stopping'))
  }
  try {
    const opening = openEngine(config, dataFolder, log, closers)
    // Both engines start concurrently. The first failure is reported after the other one has settled.
    const [connectionString, engine] = await settled(
      config.databaseUrl ??
        startEmbeddedPostgres(dataFolder, log).then((postgres) => {
          stopDatabase = () => postgres.stop()
          closers.push(stopDatabase)
          return postgres.connectionString
        }),
      opening,
    )
    const database = openDatabase({ connectionString, log })
    closers.push(() => database.close())
    if (config.databaseUrl !== undefined) await checkDatabase(database, log)
    await migrate(database.pool, migrationsFolders)

    const platform = await compose({
      kind,
      config,
      clock,
      log,
      database,
      dataFolder,
      engine,
      webFolder: kind === 'server' && existsSync(`${builtWebFolder}/index.html`) ? builtWebFolder : undefined,
      connectionLimits,
      passwordHasher,
      checkOutput,
    })
    closers.push(() => platform.close())
    return { platform, closeAll, stopDatabase: () => stopDatabase() }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function loadDemoWorkspace({ accounts, demo }: Platform, config: Config, url: string): Promise<void> {
  await demo.ensureLoaded(async () => {
    const administrator = await accounts.findUserByName(config.adminEmail)
    const session = administrator && (await accounts.startSession(administrator.userId))
    if (session === undefined) throw new Error(`${config.adminEmail} is not an active user`)
    return {
      url,
      token: session.token,
      userName: config.adminEmail,
      signOut: () => accounts.endSession(session.refreshToken),
    }
  })
}

async function settled<A, B>(a: A | Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

async function openEngine(
  config: Config,
  dataFolder: DataFolder,
  log: Log,
  closers: (() => Promise<unknown>)[],
): Promise<SeriesEngine> {
  const engine = await openChosenEngine(config, dataFolder, log)
  closers.push(() => engine.close())
  return engine
}

function openChosenEngine(config: Config, dataFolder: DataFolder, log: Log): Promise<SeriesEngine> {
  const { clickhouseUrls, clickhouseCluster } = config
  if (clickhouseCluster !== undefined)
    return openClusterEngine({
      cluster: clickhouseCluster,
      shards: clickhouseUrls.map((url) => ({ url })),
    })
  const [url] = clickhouseUrls
  if (url !== undefined) return openServerEngine({ url })
  return openEmbeddedEngine({
    folder: dataFolder.folders.series,
    log: (message, details) => log.info(details, message),
  })
}

function startEmbeddedPostgres(dataFolder: DataFolder, log: Log): ReturnType<typeof startPostgres> {
  return startPostgres({
    folder: dataFolder.folders.postgres,
    logFolder: dataFolder.folders.logs,
    log: {
      info: (message) => log.info(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  })
}

/** Throws when a configured database is unreachable; warns about permissions that the server does not need. */
async function checkDatabase({ pool }: Database, log: Log): Promise<void> {
  try {
    const { rows } = await pool.query<{ name: string }>(
      'select rolname as name from pg_roles where rolname = current_user and rolsuper',
    )
    for (const { name } of rows)
      log.warn(`The database user ${name} is a superuser. Use a role that only owns its database.`)
  } catch (error) {
    // If a host has several addresses, the error has no message.
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(
      `Cannot connect to PostgreSQL at DATABASE_URL: ${message || code}. ` +
        'Check host, port, database, user and password.',
    )
  }
}

/** Hosts under which localhost reaches the server. */
const localHosts = ['::', '0.0.0.0', '::1', '127.0.0.1']

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

async function listen({ app }: Platform, { port, host }: Config): Promise<string> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Error(`Another program uses port ${port}. Stop it, or set HEADWATER_PORT to a free port.`)
    if (code === 'EACCES')
      throw new Error(
        `This user does not have permission to listen on port ${port}. Set HEADWATER_PORT to one from 1024 on.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
      throw new Error(`HEADWATER_HOST is “${host}”; it must be an address or a name of this machine.`)
    if (code === 'EAFNOSUPPORT' && host === '::') await app.listen({ port, host: '0.0.0.0' })
    else throw error
  }
  const { port: openPort } = app.server.address() as AddressInfo
  return `http://${localHosts.includes(host) ? 'localhost' : urlHost(host)}:${openPort}`
}
