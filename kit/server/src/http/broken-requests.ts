import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError, type ErrorShape } from '@headwater/contract'
import { httpErrors } from './http-errors.ts'

/** Responses to invalid HTTP and to connections that exceed a limit, in the common error format. */
export interface BrokenRequests {
  /**
   * Responds on the connection and closes it. Writes nothing while another response is being sent. Also writes nothing
   * to a client that timed out without sending anything, because browsers open spare connections and would treat it as
   * the response to their next request.
   */
  respond(error: AppError | NodeJS.ErrnoException, socket: Socket): void
  /** Tracks which connections of an application are sending a response. */
  watch(app: FastifyInstance): void
}

/**
 * Creates the responses to broken requests.
 * @param bodyOf returns the body of the response to an error
 */
export function createBrokenRequests(bodyOf: (error: AppError) => ErrorShape): BrokenRequests {
  const responses = new WeakMap<Socket, ServerResponse>()
  return {
    watch(app) {
      app.server.on('request', (request, response) => responses.set(request.socket, response))
    },
    respond(error, socket) {
      const response = responses.get(socket)
      const isResponding = response?.headersSent === true && !response.writableEnded
      const isSpare = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
      if (socket.writable && !isResponding && !isSpare && error.code !== 'ECONNRESET') {
        const body = bodyOf(error instanceof AppError ? error : errorOf(error))
        const text = JSON.stringify(body)
        socket.write(
          [
            `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
            'Content-Type: application/json; charset=utf-8',
            'X-Content-Type-Options: nosniff',
            'Cache-Control: no-store',
            'Connection: close',
            `Content-Length: ${Buffer.byteLength(text)}`,
            '',
            text,
          ].join('\r\n'),
        )
      }
      socket.destroySoon()
    },
  }
}

function errorOf({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpErrors.requestTimeout()
    case 'HPE_HEADER_OVERFLOW':
      return httpErrors.headersTooLarge()
    default:
      return httpErrors.invalidHttp()
  }
}
