import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** The API on a Unix socket, for code of tasks, which has no network. */
export interface RunSocket {
  path: string
  /** Begins to answer; after the last route has been added. */
  listen(): Promise<void>
  close(): Promise<void>
}

/** Names the socket. Nobody but the user of the server reaches it; each run has its own that leads here. */
export async function openRunSocket(app: FastifyInstance): Promise<RunSocket> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-runs-'))
  const path = join(folder, 'api.sock')
  const server = createServer((request, response) => {
    // Whatever the code says, it asks from here.
    for (const name of Object.keys(request.headers))
      if (name.startsWith('x-forwarded-') || name === 'forwarded') delete request.headers[name]
    if (/^\/*auth(\/|\?|$)/i.test(decoded(request.url ?? ''))) {
      const message = 'You are not allowed to sign in or manage accounts from within a run.'
      response.writeHead(403, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ status: 403, code: 'forbidden', message, validationErrors: [] }))
      return
    }
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
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An address with its escapes read; one that cannot be read as it is. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
