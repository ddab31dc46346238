import { existsSync } from 'node:fs'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'

/** Content of `postmaster.pid`. */
export interface Postmaster {
  /** Process id. */
  pid: number
  /** Folder of the Unix socket. */
  socketFolder: string
  /** Port, which is part of the name of the socket. */
  port: number
  /** `starting`, `ready`, `stopping` or `standby`; empty until PostgreSQL writes it. */
  state: string
}

/** Reads `postmaster.pid` of a cluster; undefined if the file is missing or incomplete. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder, , , state] = text.split('\n')
  if (!Number(pid) || !Number(port) || !socketFolder) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, state: state?.trim() ?? '' }
}

/** Returns the unix socket of a postmaster. */
export function socketPath({ socketFolder, port }: { socketFolder: string; port: number }): string {
  return join(socketFolder, `.s.PGSQL.${port}`)
}

/** Returns whether the process runs and is the postmaster of this cluster, and not another process that reuses its id. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  // Without /proc (macOS) the id alone decides, as in PostgreSQL itself.
  if (!existsSync('/proc/self/stat')) return true
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (name.trim() !== 'postgres' || status.slice(status.lastIndexOf(')') + 2).startsWith('Z')) return false
  // The working directory of PostgreSQL is its cluster. The link is unreadable for a process in another user namespace;
  // the process name decides in that case.
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return workingFolder === undefined || workingFolder === (await realpath(cluster).catch(() => cluster))
}

/**
 * Returns whether a PostgreSQL at the socket responds. A successful connection proves nothing, because the system also
 * accepts connections for a process that is being killed.
 */
export function acceptsConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => socket.write(encryptionRequest))
    const settle = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket.setTimeout(connectTimeoutMs, () => settle(false))
    socket.once('data', () => settle(true))
    socket.once('close', () => settle(false))
    socket.on('error', () => settle(false))
  })
}

const connectTimeoutMs = 5000
/** The message `SSLRequest`, to which PostgreSQL responds before authentication: https://www.postgresql.org/docs/15/protocol-message-formats.html */
const encryptionRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
