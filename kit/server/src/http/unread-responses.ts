import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * When the application closes, ends the connections of clients that have stopped reading their responses. Otherwise one such
 * client could prevent the shutdown. A client that reads slowly still gets its whole response.
 * @param limitMs maximum time without progress, in milliseconds
 */
export function endUnreadResponses(app: FastifyInstance, limitMs: number): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let checks: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    const lastProgress = new Map<Socket, string>()
    checks = setInterval(() => {
      for (const socket of open) {
        const progress = `${socket.bytesWritten} ${socket.writableLength}`
        if (socket.writableLength > 0 && lastProgress.get(socket) === progress) socket.destroy()
        lastProgress.set(socket, progress)
      }
    }, limitMs)
  })
  app.addHook('onClose', async () => clearInterval(checks))
}
