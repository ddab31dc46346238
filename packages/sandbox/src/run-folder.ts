import { rmSync } from 'node:fs'
import { lchown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

const maxConnections = 128

/** Folder outside the sandbox with the script and the socket of one run. Both are read-only in the sandbox. */
export interface RunFolder {
  /** Path of the script folder, which is initially empty. */
  scriptFolder: string
  /** Path of the socket that the run can reach; undefined without a server. */
  socketPath: string | undefined
  /** Stores the script. */
  setScript(script: string): Promise<void>
  /** Stores a file in the script folder. */
  addFile(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Creates a folder that the run can write to, and returns its path. */
  addOutputFolder(): Promise<string>
  /** Sets whether the socket keeps the event loop alive. */
  setWaiting(isWaiting: boolean): void
  /** Closes all connections and removes the folder. */
  close(): Promise<void>
}

/** Folders of sandboxes that are waiting for a run. They are removed when the process ends. */
const openFolders = new Set<string>()
process.on('exit', () => {
  for (const path of openFolders) rmSync(path, { recursive: true, force: true })
})

/**
 * Creates the folder of a run. Its socket forwards connections to `targetPath`. Thus other users need no access to the
 * server socket, and a finished run can no longer reach it.
 * @param parent folder that other users can traverse
 * @param owner user id of the run; default: the current user
 */
export async function openRunFolder(
  parent: string,
  { targetPath, owner }: { targetPath: string | undefined; owner: number | undefined },
): Promise<RunFolder> {
  const own = await mkdtemp(join(parent, 'sandbox-'))
  openFolders.add(own)
  const scriptFolder = join(own, 'script')
  const relay = targetPath === undefined ? undefined : createRelay(targetPath)
  const socketPath = relay && join(own, 'server.sock')

  async function close(): Promise<void> {
    await relay?.close()
    await rm(own, { recursive: true, force: true })
    openFolders.delete(own)
  }

  async function write(name: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(scriptFolder, name)
    await writeFile(path, content, { mode: 0o400 })
    if (owner !== undefined) await lchown(path, owner, owner)
  }

  try {
    await mkdir(scriptFolder, { mode: 0o700 })
    if (relay && socketPath !== undefined) await relay.listen(socketPath)
    if (owner !== undefined)
      for (const path of [socketPath, scriptFolder, own])
        if (path !== undefined) await lchown(path, owner, owner)
  } catch (error) {
    await close()
    throw error
  }
  return {
    scriptFolder,
    socketPath,
    setScript: (script) => write('main.py', script),
    addFile: write,
    async addOutputFolder() {
      const path = join(own, 'output')
      await mkdir(path, { mode: 0o700 })
      if (owner !== undefined) await lchown(path, owner, owner)
      return path
    },
    setWaiting: (isWaiting) => void (isWaiting ? relay?.server.ref() : relay?.server.unref()),
    close,
  }
}

function createRelay(targetPath: string): {
  server: Server
  listen(path: string): Promise<void>
  close(): Promise<void>
} {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ path: targetPath, allowHalfOpen: true })
    forward(inner, outer)
    forward(outer, inner)
  })
  server.maxConnections = maxConnections

  function forward(from: Socket, to: Socket): void {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      if (!from.readableEnded) to.destroy()
    })
  }

  return {
    server,
    listen: (path) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(path, resolve)
      }),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
