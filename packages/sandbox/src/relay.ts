import { lchown, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

const mostConnections = 128

/** A socket that one run may reach, and that leads to the server for as long as the run lasts. */
export interface Relay {
  socketPath: string
  /** Ends all connections and removes the socket. */
  close(): Promise<void>
}

/**
 * Opens a socket in a folder of its own and hands on what comes there. So the socket of the server needs no rights for
 * others, and a run that has ended reaches it no more.
 * @param folder where to make the folder
 * @param owner user id that may connect; default the own one
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
