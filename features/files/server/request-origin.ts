import type { FastifyRequest } from 'fastify'

/** Validity of a download permit, in milliseconds. */
export const downloadPermitMs = 3_600_000

/** Returns the origin for URLs in the response to a request. */
export function requestOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  // Code of runs calls the server over a Unix socket and can reach only the host of its request.
  const isByPort = request.raw.socket.localPort !== undefined
  return isByPort && publicUrl !== undefined ? publicUrl : originOf(request)
}

/** Returns the origin that the client used, without an invalid Host header. */
function originOf(request: FastifyRequest): string {
  const { host } = request
  const origin = `${request.protocol}://${host}`
  if (/^[A-Za-z0-9.:[\]_-]+$/.test(host) && URL.canParse(origin)) return origin
  const { localAddress = '127.0.0.1', localPort = 80 } = request.socket
  return `${request.protocol}://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
