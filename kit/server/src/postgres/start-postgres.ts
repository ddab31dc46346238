import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { findBinaries } from './binaries.ts'
import { createCluster } from './create-cluster.ts'
import {
  administrator,
  database,
  port,
  preparePaths,
  readPassword,
  type PostgresContext,
} from './postgres-folder.ts'
import { shortenLog } from './postgres-log.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { adoptPostmaster, launch, type Running } from './postmaster.ts'
import { chooseRunAs, giveFolderTo } from './run-as.ts'
import { prepareServerRole, type PostgresConnection } from './server-role.ts'
import { createSocketFolder, removeSocketFolder } from './socket-folder.ts'
import { goneOrStopped, pause, stopPostmaster } from './stop-postmaster.ts'

/** A running PostgreSQL. The object and its connection settings stay the same when PostgreSQL is restarted. */
export interface PostgresServer {
  /**
   * Connection settings of a role that owns the database and is not a superuser. Its password changes only at the next
   * start of this folder.
   */
  connection: PostgresConnection
  /** The same connection settings as a URL, in the format of `DATABASE_URL`. */
  connectionString: string
  /** Process id of the postmaster. */
  readonly pid: number
  /** Closes all connections, writes everything to disk and waits until PostgreSQL has stopped. Safe to call twice. */
  stop(): Promise<void>
}

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
  const context: PostgresContext = { ...paths, binaries, runAs, options }
  const password = await readPassword(paths)

  const first = await startOrAdopt(context, password)
  const { connection } = first
  let postmaster: Running = first.postmaster
  const { socketFolder } = postmaster

  let stopping = false
  let stopped: Promise<void> | undefined
  const keeper = new AbortController()
  const maintenance = Promise.all([keepAlive(), boundLog()])

  async function keepAlive(): Promise<void> {
    while (!stopping) {
      await goneOrStopped(postmaster, context, keeper.signal)
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
    await stopPostmaster(postmaster, context)
    await removeSocketFolder(socketFolder, runAs.owner)
  }

  const credentials = `${connection.user}:${encodeURIComponent(connection.password)}`
  return {
    connection,
    connectionString: `postgresql://${credentials}@/${database}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
    get pid() {
      return postmaster.pid
    },
    stop: () => (stopped ??= stop()),
  }
}

/** Adopts a running postmaster or launches one, and connects to it. */
async function startOrAdopt(
  context: PostgresContext,
  password: string,
): Promise<{ postmaster: Running; connection: PostgresConnection }> {
  const adopted = await adoptPostmaster(context)
  if (adopted) {
    try {
      return { postmaster: adopted, connection: await serverConnection(adopted, context, password) }
    } catch (error) {
      // The postmaster had just received the signal to stop.
      context.options.log.warn(
        `PostgreSQL: process ${adopted.pid} could not be adopted and was stopped: ${(error as Error).message}`,
      )
    }
  }
  if (!existsSync(context.cluster)) await createCluster(context, password)
  await giveFolderTo(context.runAs.owner, context.cluster)
  const socketFolder = await createSocketFolder(context.folder, context.runAs.owner)
  const postmaster = await launch(context, socketFolder)
  return { postmaster, connection: await serverConnection(postmaster, context, password) }
}

/** Prepares the server role. Stops the postmaster if that fails. */
async function serverConnection(
  postmaster: Running,
  context: PostgresContext,
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
