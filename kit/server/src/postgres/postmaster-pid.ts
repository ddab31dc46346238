import { existsSync } from 'node:fs'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'

/** What PostgreSQL writes about itself into `postmaster.pid`. */
export interface Postmaster {
  pid: number
  socketFolder: string
  port: number
  /** `starting`, `ready`, `stopping` or `standby`; empty while it has not said yet. */
  state: string
}

/** Reads `postmaster.pid` of a cluster; undefined when there is none or it is not written to its end. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder, , , state] = text.split('\n')
  if (!Number(pid) || !Number(port) || !socketFolder) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder, state: state?.trim() ?? '' }
}

/** The unix socket a postmaster listens on. */
export function socketPath({ socketFolder, port }: { socketFolder: string; port: number }): string {
  return join(socketFolder, `.s.PGSQL.${port}`)
}

/** Whether the process lives and is the postmaster of this cluster, not another one that was given an old number. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  // Without /proc (macOS) the number alone decides; PostgreSQL itself does no more.
  if (!existsSync('/proc/self/stat')) return true
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (name.trim() !== 'postgres' || status.slice(status.lastIndexOf(')') + 2).startsWith('Z')) return false
  // PostgreSQL works in its cluster. The link is unreadable for a process in another user namespace: then the name decides.
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return workingFolder === undefined || workingFolder === (await realpath(cluster).catch(() => cluster))
}

/**
 * Whether a PostgreSQL at the socket responds. A connection alone proves nothing: the system accepts it also for a process that is
 * being killed.
 */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => socket.write(encryptionRequest))
    const settle = (isAnswer: boolean) => {
      socket.destroy()
      resolve(isAnswer)
    }
    socket.setTimeout(answerLimitMs, () => settle(false))
    socket.once('data', () => settle(true))
    socket.once('close', () => settle(false))
    socket.on('error', () => settle(false))
  })
}

const answerLimitMs = 5000
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
