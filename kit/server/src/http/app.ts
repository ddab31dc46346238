import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError, commonErrors, type ErrorShape } from '@headwater/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { createBrokenRequests } from './broken-requests.ts'
import { explainDatabaseError } from './database-errors.ts'
import { rememberMethods } from './known-methods.ts'
import { serveSandboxPage } from './sandbox-page.ts'
import { addSecurityHeaders, securityHeaders } from './security-headers.ts'
import { endSilentConnections } from './silent-connections.ts'
import { serveWebApp } from './web-app.ts'

/** The largest JSON or text body; content of files travels as a stream and has no such limit. */
const bodyLimitBytes = 16 * 1024 * 1024

/** What the HTTP application is made of. */
export interface AppOptions {
  log: Log
  clock: Clock
  /** Origins of other sites whose pages may call the API from a browser; default none. */
  allowedOrigins?: readonly string[]
  /**
   * Addresses or networks of reverse proxies, whose X-Forwarded headers tell the address of a caller and the scheme.
   * Default none: the address is that of the connection.
   */
  trustedProxies?: readonly string[]
  /** Folder of the built web application; without it only the API is served. */
  webFolder?: string | undefined
}

/** Creates the HTTP application: security headers, one error handler, the web application. Routes come by a router. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, clock, allowedOrigins = [], trustedProxies = [], webFolder } = options
  const brokenRequests = createBrokenRequests((error) => shapeOf(error, timestampOf(clock)))
  const app = Fastify({
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    requestTimeout: 0,
    logger: false,
    // Some clients join addresses carelessly; two slashes in front would otherwise name nothing.
    rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}/, '/'),
    clientErrorHandler: (error, socket) => brokenRequests.answer(error, socket),
    // Errors of the router itself come before every hook.
    frameworkErrors(error, request, reply) {
      const body = errorBody(error, request, { log, clock })
      const answer = reply as unknown as FastifyReply
      void answer
        .headers(securityHeaders)
        .code(body.status)
        .type('application/json; charset=utf-8')
        .send(body)
    },
  })
  brokenRequests.watch(app)
  const methodsOf = rememberMethods(app)
  endSilentConnections(app)
  addSecurityHeaders(app, { allowedOrigins })
  app.setErrorHandler((error, request, reply) => {
    const body = errorBody(error, request, { log, clock })
    void reply.code(body.status).type('application/json; charset=utf-8').send(body)
  })
  const webApp =
    webFolder === undefined
      ? undefined
      : await serveWebApp(app, { folder: webFolder, frameAncestors: allowedOrigins })
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

/** The answer to an error: the error itself when it is meant for the caller, else an id that stands in the log. */
function errorBody(
  error: unknown,
  request: FastifyRequest,
  { log, clock }: { log: Log; clock: Clock },
): ErrorShape {
  const timestamp = timestampOf(clock)
  const known = asAppError(error)
  if (known !== undefined && known.status >= 500 && known !== error)
    log.error({ error, path: request.routeOptions.url }, known.message)
  if (known !== undefined) return shapeOf(known, timestamp)
  const errorId = randomUUID()
  log.error({ errorId, error, method: request.method, path: request.routeOptions.url }, 'unexpected error')
  return {
    timestamp,
    status: 500,
    code: 'unexpected',
    message: `Something unexpected happened. It has been logged with the id ${errorId}; tell an administrator.`,
    errorId,
  }
}

function shapeOf({ status, code, message, validationErrors }: AppError, timestamp: string): ErrorShape {
  return { timestamp, status, code, message, ...(validationErrors === undefined ? {} : { validationErrors }) }
}

function timestampOf(clock: Clock): string {
  return clock.now().toISOString().slice(0, 23)
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return commonErrors.bodyTooLarge({ limitBytes: bodyLimitBytes })
  if (code === 'FST_ERR_BAD_URL')
    return new AppError(
      'invalidUrl',
      400,
      'The address holds a % that does not begin an encoded UTF-8 character.',
    )
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('invalidRequest', statusCode, message ?? 'The request could not be read.')
  return explainDatabaseError(error)
}
