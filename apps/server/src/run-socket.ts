import { createServer, type IncomingMessage } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { commonErrors } from '@headwater/contract'

const socketName = 'api.sock'
/** Linux takes 107 bytes, macOS 103. */
const longestSocketPathBytes = 103

/** The API on a Unix socket, for code of tasks, which has no network. */
export interface RunSocket {
  path: string
  /** Begins to answer; after the last route has been added. */
  listen(): Promise<void>
  close(): Promise<void>
}

/**
 * Prepares the socket in `runFolder`, which only the user of the server can enter; each run has its own socket that leads here.
 * A socket that a killed server left behind is replaced.
 */
export async function openRunSocket(app: FastifyInstance, runFolder: string): Promise<RunSocket> {
  const folder = await folderFor(runFolder)
  const path = join(folder, socketName)
  await rm(path, { force: true })
  const requests = new WeakSet<IncomingMessage>()
  // An address has many spellings, so the route that it leads to decides.
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (requests.has(raw) && /^\/auth(\/|$)/.test(routeOptions.url ?? ''))
      throw commonErrors.forbidden({ what: 'sign in or manage accounts from within a run' })
  })
  const server = createServer((request, response) => {
    // Whatever the code says, it asks from here.
    for (const name of Object.keys(request.headers))
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete request.headers[name]
    requests.add(request)
    app.routing(request, response)
  })
  server.on('connection', (socket) => {
    // A Unix socket has no address; limits and logs count by one.
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
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

/** The kernel limits the path of a socket, so a run folder with a longer one is replaced by a private temporary folder. */
async function folderFor(runFolder: string): Promise<string> {
  const isShortEnough = Buffer.byteLength(join(runFolder, socketName)) <= longestSocketPathBytes
  return isShortEnough ? runFolder : mkdtemp(join(tmpdir(), 'headwater-runs-'))
}
