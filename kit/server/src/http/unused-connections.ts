import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections without a request when the application closes. This includes connections that Node does not count as
 * idle: spare connections that browsers open and never use, and connections whose last response was still being sent.
 * Otherwise the close would wait for them until the client disconnects or the keep-alive time ends.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', (request, response: ServerResponse) => {
    silent.delete(request.socket)
    response.once('close', () => {
      // Node counts the connection as idle only after this event.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of silent) socket.destroy()
  })
}
