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
import { errorBody, errorShapeOf, timestampOf, type ErrorPlace } from './error-body.ts'
import { rememberMethods } from './known-methods.ts'
import { serveSandboxPage } from './sandbox-page.ts'
import { addSecurityHeaders, securityHeaders } from './security-headers.ts'
import { endUnusedConnections } from './unused-connections.ts'
import { serveWebApp } from './web-app.ts'

/** What the HTTP application is made of. */
export interface AppOptions {
  log: Log
  clock: Clock
  /** Address under which users reach the server; browsers are told to keep to https when it begins so. */
  publicUrl?: string | undefined
  /** Origins of other sites whose pages may call the API from a browser; default none. */
  allowedOrigins?: readonly string[]
  /**
   * Addresses or networks of reverse proxies, whose X-Forwarded headers tell the address of a caller and the scheme.
   * Default none: the address is that of the connection.
   */
  trustedProxies?: readonly string[]
  /** Default {@link standardConnectionLimits}. */
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Folder of the built web application; without it only the API is served. */
  webFolder?: string | undefined
  /** Pages of the web application that the allowed origins may show in a frame; default all. */
  framedPaths?: RegExp
}

/** Creates the HTTP application: security headers, one error handler, the web application. Routes come by a router. */
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
    // Large uploads take long; how fast they have to be is checked while they arrive.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.headersTimeoutMs / 4,
    },
    // What is under way is answered while the server closes; code of runs asks until its run has ended.
    return503OnClosing: false,
    logger: false,
    // Some clients join addresses carelessly; two slashes in front would otherwise name nothing.
    rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}/, '/'),
    clientErrorHandler: (error, socket) => brokenRequests.answer(error, socket),
    // Errors of the router itself come before every hook.
    frameworkErrors(error, request, reply) {
      const body = errorBody(error, placeOf(request), { log, clock })
      const answer = reply as unknown as FastifyReply
      void answer
        .headers(securityHeaders)
        .code(body.status)
        .type('application/json; charset=utf-8')
        .send(body)
    },
  })
  brokenRequests.watch(app)
  // Without a route nothing is read; each route brings its own parser.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const methodsOf = rememberMethods(app)
  endUnusedConnections(app)
  endSlowBodies(app, limits, brokenRequests)
  limitAnonymousConnections(app, { ...limits, trustedProxies }, brokenRequests)
  addSecurityHeaders(app, { allowedOrigins, isHttps: publicUrl?.startsWith('https://') === true })
  app.setErrorHandler((error, request, reply) => {
    // Who went away in the middle of an answer is told nothing, and it is no fault.
    const hasGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (hasGone && reply.raw.destroyed) return
    const body = errorBody(error, placeOf(request), { log, clock })
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

function placeOf({ method, routeOptions }: FastifyRequest): ErrorPlace {
  return { method, path: routeOptions.url, bodyBytes: routeOptions.bodyLimit }
}
