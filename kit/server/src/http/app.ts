import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { commonErrors, publicBodyBytes } from '@headwater/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { createBrokenRequests } from './broken-requests.ts'
import {
  endSlowBodies,
  limitAnonymousConnections,
  standardConnectionLimits,
  type ConnectionLimits,
} from './connection-limits.ts'
import { errorBody, errorShapeOf, timestampOf, type ErrorContext } from './error-body.ts'
import { trackMethods } from './known-methods.ts'
import { serveSandboxPage } from './sandbox-page.ts'
import { addSecurityHeaders, securityHeaders } from './security-headers.ts'
import { endUnreadResponses } from './unread-responses.ts'
import { endUnusedConnections } from './unused-connections.ts'
import { serveWebApp } from './web-app.ts'

/** Options of the HTTP application. */
export interface AppOptions {
  /** The server log. */
  log: Log
  /** Clock for the time in error responses. */
  clock: Clock
  /** Address at which users reach the server. If it is an https address, the server sends HSTS. */
  publicUrl?: string | undefined
  /** Origins of other sites whose pages can call the API from a browser; default none. */
  allowedOrigins?: readonly string[]
  /**
   * Addresses or networks of reverse proxies, whose X-Forwarded headers contain the address of the caller and the
   * scheme. Default: none; the server uses the address of the connection.
   */
  trustedProxies?: readonly string[]
  /** Limits of connections. Default {@link standardConnectionLimits}. */
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Folder of the built web application; without it the server offers the API only. */
  webFolder?: string | undefined
  /** Pages of the web application that the allowed origins can embed in a frame; default all. */
  framedPaths?: RegExp
}

/** Creates the HTTP application: security headers, one error handler, the web application. A router adds the routes. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, clock, publicUrl, allowedOrigins = [], trustedProxies = [], webFolder, framedPaths } = options
  const limits = { ...standardConnectionLimits, ...options.connectionLimits }
  const brokenRequests = createBrokenRequests((error) => errorShapeOf(error, timestampOf(clock)))
  const app = Fastify({
    bodyLimit: publicBodyBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    // No request timeout, because large uploads take long. The data rate of the body is checked instead.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.headersTimeoutMs / 4,
    },
    // The server still handles requests while it closes, because the code of a run sends requests until the run has
    // finished.
    return503OnClosing: false,
    logger: false,
    // Some clients send paths with two leading slashes, which would not match any route.
    rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}/, '/'),
    clientErrorHandler: (error, socket) => brokenRequests.respond(error, socket),
    // Errors of the router itself occur before any hook runs.
    frameworkErrors(error, request, reply) {
      const body = errorBody(error, contextOf(request), { log, clock })
      const response = reply as unknown as FastifyReply
      void response
        .headers(securityHeaders)
        .code(body.status)
        .type('application/json; charset=utf-8')
        .send(body)
    },
  })
  brokenRequests.watch(app)
  // Each route has its own parser, and bodies of requests without a route are not read.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const methodsOf = trackMethods(app)
  endUnusedConnections(app)
  endUnreadResponses(app, limits.unreadTimeoutMs)
  endSlowBodies(app, limits, brokenRequests)
  limitAnonymousConnections(app, { ...limits, trustedProxies }, brokenRequests)
  addSecurityHeaders(app, { allowedOrigins, isHttps: publicUrl?.startsWith('https://') === true })
  app.setErrorHandler((error, request, reply) => {
    // If the caller disconnects during the response, no error is sent or logged.
    const hasGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (hasGone && reply.raw.destroyed) return
    const body = errorBody(error, contextOf(request), { log, clock })
    void reply.code(body.status).type('application/json; charset=utf-8').send(body)
  })
  const webApp =
    webFolder === undefined
      ? undefined
      : await serveWebApp(app, { folder: webFolder, frameAncestors: allowedOrigins, framedPaths })
  serveSandboxPage(app, { frameAncestors: allowedOrigins })
  app.setNotFoundHandler(async (request, reply) => {
    if (await webApp?.sendPage(request, reply)) return reply
    const path = request.url.split('?')[0] ?? ''
    const methods = methodsOf(path)
    if (methods.length === 0 || methods.includes(request.method)) throw commonErrors.routeNotFound({ path })
    const allowed = methods.join(', ')
    reply.header('Allow', allowed)
    throw commonErrors.methodNotAllowed({ method: request.method, path, allowed })
  })
  return app
}

function contextOf({ method, routeOptions }: FastifyRequest): ErrorContext {
  return { method, path: routeOptions.url, bodyBytes: routeOptions.bodyLimit }
}
