import { isIP, isIPv6, type Socket } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { blockListOf } from '../egress/address-kind.ts'
import type { BrokenRequests } from './broken-requests.ts'
import { httpErrors } from './http-errors.ts'
import { networkOf } from './network-of.ts'

/** Limits for unauthenticated connections and slow clients. */
export interface ConnectionLimits {
  /** Maximum time in which a client must send the headers of a request, in milliseconds; default 20,000. */
  headersTimeoutMs: number
  /** Keep-alive time between two requests, in milliseconds; default 72,000. */
  idleTimeoutMs: number
  /** Window in which the rate of a body is measured, in milliseconds; default 30,000. */
  bodyWindowMs: number
  /** Minimum rate of a body in each window, in bytes per second; default 500. */
  minBodyBytesPerSecond: number
  /**
   * Maximum number of open unauthenticated connections per address (IPv6: per /64 network); 0 means unlimited; default 256.
   */
  maxAnonymousPerAddress: number
  /**
   * While the server shuts down, maximum time in which a client reads nothing of its response, in milliseconds; default
   * 10,000.
   */
  unreadTimeoutMs: number
}

/** The default limits. */
export const standardConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 20_000,
  idleTimeoutMs: 72_000,
  bodyWindowMs: 30_000,
  minBodyBytesPerSecond: 500,
  maxAnonymousPerAddress: 256,
  unreadTimeoutMs: 10_000,
}

/** Number of rate checks in a window. A pause of the server affects only one of them. */
const checksPerWindow = 4

interface Body {
  response: ServerResponse
  /** Bytes received on the connection when the window began. */
  startBytes: number
  checks: number
}

/**
 * Ends requests whose body arrives too slowly with status 408, even if the response was sent before the end of the
 * body. Ignores the time during which the server does not read the body.
 */
export function endSlowBodies(
  app: FastifyInstance,
  { bodyWindowMs, minBodyBytesPerSecond }: ConnectionLimits,
  brokenRequests: BrokenRequests,
): void {
  const bodies = new Map<IncomingMessage, Body>()
  const leastBytes = (minBodyBytesPerSecond * bodyWindowMs) / 1000
  app.server.on('request', (request, response: ServerResponse) => {
    if (request.complete) return
    bodies.set(request, { response, startBytes: request.socket.bytesRead, checks: 0 })
    request.once('close', () => bodies.delete(request))
  })
  const check = () => {
    for (const [request, body] of bodies) {
      const { socket } = request
      if (request.complete || socket.destroyed) bodies.delete(request)
      else if (request.readableLength > 0 || socket.bytesRead - body.startBytes >= leastBytes) {
        body.startBytes = socket.bytesRead
        body.checks = 0
      } else if (++body.checks >= checksPerWindow) {
        bodies.delete(request)
        if (body.response.headersSent) socket.destroy()
        else brokenRequests.respond(httpErrors.requestTimeout(), socket)
      }
    }
  }
  const timer = setInterval(check, bodyWindowMs / checksPerWindow).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Limits the open unauthenticated connections per address. A connection above the limit replaces an idle one or gets
 * status 503. Connections of trusted proxies do not count, because they carry requests of many users.
 */
export function limitAnonymousConnections(
  app: FastifyInstance,
  {
    maxAnonymousPerAddress: max,
    trustedProxies,
  }: { maxAnonymousPerAddress: number; trustedProxies: readonly string[] },
  brokenRequests: BrokenRequests,
): void {
  if (max === 0) return
  const isTrusted = createAddressTest(trustedProxies)
  /**
   * Connections by network, oldest first. The value is true while the connection is idle after at least one request.
   */
  const anonymous = new Map<string, Map<Socket, boolean>>()
  const mark = (socket: Socket, isIdle: boolean) => {
    const others = anonymous.get(networkOf(socket.remoteAddress ?? ''))
    if (others?.has(socket)) others.set(socket, isIdle)
  }
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (isTrusted(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const others = anonymous.get(network) ?? new Map<Socket, boolean>()
    if (others.size >= max) {
      const [idle] = [...others].find(([, isIdle]) => isIdle) ?? []
      if (idle === undefined) {
        brokenRequests.respond(httpErrors.tooManyConnections({ max }), socket)
        return
      }
      others.delete(idle)
      idle.destroy()
    }
    anonymous.set(network, others.set(socket, false))
    socket.once('close', () => forget(network, socket))
  })
  app.server.on('request', ({ socket }, response: ServerResponse) => {
    mark(socket, false)
    response.once('close', () => mark(socket, true))
  })
  // Runs after authentication, before the body is read.
  app.addHook('preParsing', async ({ principal, raw }) => {
    if (principal !== undefined) forget(networkOf(raw.socket.remoteAddress ?? ''), raw.socket)
  })

  function forget(network: string, socket: Socket): void {
    const others = anonymous.get(network)
    others?.delete(socket)
    if (others?.size === 0) anonymous.delete(network)
  }
}

function createAddressTest(networks: readonly string[]): (address: string) => boolean {
  const list = blockListOf(networks)
  return (text) => {
    const [address = ''] = text.split('%')
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
