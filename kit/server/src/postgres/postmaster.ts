import { spawn, type ChildProcess } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresContext } from './postgres-folder.ts'
import { shortenLog, startFailure } from './postgres-log.ts'
import { settings, spawnOptions } from './postgres-settings.ts'
import {
  acceptsConnections,
  isPostmasterOf,
  readPostmaster,
  socketPath,
  type Postmaster,
} from './postmaster-pid.ts'
import { removeSocketFolder } from './socket-folder.ts'

const startLimitMs = 60_000

/** A postmaster and its child process. An adopted postmaster has no child process. */
export interface Running extends Postmaster {
  /** Child process; absent if an earlier server started the postmaster. */
  child?: ChildProcess
}

/** Adopts a running postmaster of this cluster. Waits if it is stopping. Returns undefined if none is running. */
export async function adoptPostmaster(context: PostgresContext): Promise<Running | undefined> {
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
        `PostgreSQL: adopting process ${existing.pid}, which an earlier server did not stop.`,
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
export async function launch(context: PostgresContext, socketFolder: string): Promise<Running> {
  const deadline = Date.now() + startLimitMs
  for (;;) {
    const logOffset = await shortenLog(context.logFile)
    const child = await spawnPostmaster(context, socketFolder)
    const running = await readyOrExited(child, context, deadline)
    if (running) return running
    const messages = (await readFile(context.logFile, 'utf8')).slice(logOffset)
    // After the postmaster is killed, its children run a little longer and keep its shared memory in use.
    const holdsOn = /pre-existing shared memory block|lock file .* already exists/.test(messages)
    if (!holdsOn || Date.now() > deadline) throw new Error(startFailure(messages, context.logFile))
    await sleep(100)
  }
}

async function readyOrExited(
  child: ChildProcess,
  context: PostgresContext,
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

async function spawnPostmaster(context: PostgresContext, socketFolder: string): Promise<ChildProcess> {
  const args = ['-D', context.cluster]
  for (const [name, value] of Object.entries(settings(context.options, socketFolder))) {
    args.push('-c', `${name}=${value}`)
  }
  // This is not a pipe, because PostgreSQL outlives a killed server and would crash when it writes to a closed pipe.
  const log = await open(context.logFile, 'a', 0o600)
  try {
    const [command, ...rest] = [...context.runAs.prefix, context.binaries.postgres, ...args]
    const child = spawn(command as string, rest, {
      ...spawnOptions(context),
      stdio: ['ignore', log.fd, log.fd],
      // It gets its own process group. Otherwise Ctrl+C in a terminal would stop it before the server has finished its
      // work.
      detached: true,
    })
    await spawned(child)
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOENT'
          ? 'the program does not run on this system; it needs the GNU C library'
          : error.message
      reject(new Error(`PostgreSQL could not be started: ${reason}. Set DATABASE_URL to use another server.`))
    })
  })
}
