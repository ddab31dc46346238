import { createServer, type IncomingMessage } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { commonErrors } from '@headwater/contract'
import type { ForwardProxy } from '@headwater/server-kit'

const socketName = 'api.sock'
/** Time that a client has to send the rest of a request after receiving its response, in ms. */
const lingerMs = 5000
/** Linux allows 107 bytes, macOS 103. */
const longestSocketPathBytes = 103

/** The API on a Unix socket, for code of tasks without network access. It is a proxy for allowed hosts too. */
export interface RunSocket {
  /** Path of the socket. */
  path: string
  /** Starts to accept requests; called after the last route has been added. */
  listen(): Promise<void>
  /** Closes all connections and removes the socket. */
  close(): Promise<void>
}

/**
 * Creates the socket in `runFolder`, which only the user of the server can access; the sockets of runs forward to it. It replaces
 * a socket that a killed server left behind.
 */
export async function openRunSocket(
  app: FastifyInstance,
  runFolder: string,
  proxy: Pick<ForwardProxy, 'handleRequest' | 'handleConnect'>,
): Promise<RunSocket> {
  const folder = await folderFor(runFolder)
  const path = join(folder, socketName)
  await rm(path, { force: true })
  const requests = new WeakSet<IncomingMessage>()
  // The check uses the matched route, because a path has many spellings. It does not use the credentials, because code
  // can have those of a user.
  app.addHook('onRequest', async ({ raw, routeOptions: { url, config } }) => {
    if (requests.has(raw) && url !== undefined && config.allowsRunTokens !== true)
      throw commonErrors.notAllowedInRuns()
  })
  const server = createServer((request, response) => {
    // Headers of the code must not change its address.
    for (const name of Object.keys(request.headers))
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete request.headers[name]
    if (proxy.handleRequest(request, response)) return
    requests.add(request)
    app.routing(request, response)
  })
  server.on('connect', (request, socket, head) => proxy.handleConnect(request, socket, head))
  server.on('connection', (socket) => {
    // Limits and logs need an address, which a Unix socket does not have.
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
    lingerBeforeClose(socket)
  })
  return {
    path,
    async listen() {
      await app.ready()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(path, resolve)
      })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder === runFolder ? path : folder, { recursive: true, force: true })
    },
  }
}

/**
 * After a response the server reads until the client closes, for a few seconds. If it closed immediately, a
 * client that still sends the body of a rejected request would get an error instead of the response.
 */
function lingerBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/** The kernel limits the path of a socket, so a run folder with a longer one is replaced by a private temporary folder. */
async function folderFor(runFolder: string): Promise<string> {
  const isShortEnough = Buffer.byteLength(join(runFolder, socketName)) <= longestSocketPathBytes
  return isShortEnough ? runFolder : mkdtemp(join(tmpdir(), 'headwater-runs-'))
}
