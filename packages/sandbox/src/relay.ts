import { lchown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

const mostConnections = 128

/** A socket that one run can reach, connected to the server for the lifetime of the run. */
export interface Relay {
  /** Path of the socket. */
  socketPath: string
  /** Closes all connections and removes the socket. */
  close(): Promise<void>
}

/**
 * Opens a socket in its own folder and forwards its connections. This way the server's socket needs no permissions for
 * other users, and a finished run can no longer reach it.
 * @param folder parent of the new folder
 * @param owner user id that may connect; default: the current user
 */
export async function openRelay(targetPath: string, folder: string, owner?: number): Promise<Relay> {
  const own = await mkdtemp(join(folder, 'sandbox-'))
  const socketPath = join(own, 'server.sock')
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ path: targetPath, allowHalfOpen: true })
    handOn(inner, outer)
    handOn(outer, inner)
  })
  server.maxConnections = mostConnections

  function handOn(from: Socket, to: Socket): void {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      if (!from.readableEnded) to.destroy()
    })
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await rm(own, { recursive: true, force: true })
  }

  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath, resolve)
    })
    if (owner !== undefined) {
      await lchown(socketPath, owner, owner)
      await lchown(own, owner, owner)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { socketPath, close }
}
