import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  bodyBytesOf,
  commonErrors,
  cutText,
  invalidInput,
  type Permission,
  type Route,
  type RouteInput,
  type RouteOutput,
  type ValidationError,
} from '@headwater/contract'
import type { Clock } from '../clock.ts'
import type { Principal } from '../principal.ts'
import { httpErrors } from './http-errors.ts'
import { requireShallowJson } from './json-shape.ts'
import { readUtf8, requireUtf8, requireWellFormed } from './read-text.ts'
import { isRecorded, type NamedUser, recordRequests, type RecordRequest } from './recorded-request.ts'

/** Context of a handler, in addition to its validated input. */
export interface RouteContext<P extends Permission = Permission> {
  /** The caller; absent only on public routes without credentials. */
  principal: P extends 'public' ? Principal | undefined : Principal
  /** The request of Fastify. */
  request: FastifyRequest
  /** The reply of Fastify, for handlers that send their own response. */
  reply: FastifyReply
}

/** Handles a request. Returns the output of its route; the handler of a route without `output` sends the reply itself. */
export type RouteHandler<R extends Route> = (
  input: RouteInput<R>,
  context: RouteContext<R['permission']>,
) => Promise<R['output'] extends z.ZodType ? RouteOutput<R> : unknown>

/** Returns the caller of a request, or undefined if it has no credentials. Throws if the credentials are invalid. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal | undefined>

/** Registers routes on an application and lists them. */
export interface Router {
  /** Adds a route: authentication, entitlement, validation, then the handler. */
  add<const R extends Route>(route: R, handler: RouteHandler<R>): void
  /** All routes added so far, for the reference and for tests that cover every route. */
  routes: readonly Route[]
}

/** Creates the router of an application. `checkOutput` parses every response; for tests and development. */
export function createRouter(
  app: FastifyInstance,
  options: {
    authenticate: Authenticate
    checkOutput?: boolean
    /** Records requests that change data; if absent, no request is recorded. */
    audit?: { record: RecordRequest; clock: Clock }
  },
): Router {
  const { authenticate, checkOutput = false, audit } = options
  const routes: Route[] = []
  return {
    routes,
    add(route, handler) {
      if (routes.some((other) => other.name === route.name))
        throw new Error(`Two routes have the name ${route.name}.`)
      routes.push(route)
      void app.register(async (scope) => {
        setBodyParser(scope, route)
        if (audit !== undefined && isRecorded(route)) recordRequests(scope, route, audit)
        scope.route({
          method: route.method,
          url: route.path,
          config: { allowsRunTokens: route.allowsRunTokens ?? false },
          bodyLimit: bodyBytesOf(route),
          onRequest: async (request) => {
            request.principal = await authorize(request, route, authenticate)
          },
          handler: async (request, reply) => {
            const input = validate(route, request)
            reply.code(route.successStatus ?? 200)
            const output = await handler(input as never, {
              principal: request.principal as never,
              request,
              reply,
            })
            if (reply.sent || route.output === undefined) return output
            return checkOutput ? route.output.parse(output) : output
          },
        })
      })
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
    /** Set by the handler of a public route, for the audit log. It grants no access. */
    namedUser?: NamedUser
  }
  interface FastifyContextConfig {
    /** Whether code of a run can call the route; absent for routes that no contract declares. */
    allowsRunTokens?: boolean
  }
}

async function authorize(
  request: FastifyRequest,
  route: Route,
  authenticate: Authenticate,
): Promise<Principal | undefined> {
  const { permission, allowsRunTokens = false, allowsTestRuns = false } = route
  const principal =
    permission === 'public' ? await authenticate(request).catch(() => undefined) : await authenticate(request)
  if (principal?.run !== undefined && !allowsRunTokens) throw commonErrors.notAllowedInRuns()
  if (principal?.testRun !== undefined && !allowsTestRuns && !onlyReads(route))
    throw commonErrors.notAllowedInTestRuns()
  if (permission === 'public') return principal
  if (principal === undefined) throw commonErrors.signInNeeded()
  if (permission === 'signed-in' || principal.can(permission.resource, permission.mode)) return principal
  throw commonErrors.forbidden(permission)
}

/**
 * Returns whether a route changes no data. Only POST routes can declare this with `isAudited: false`; PUT routes store parts
 * of uploads.
 */
function onlyReads({ method, isAudited = true }: Route): boolean {
  return method === 'GET' || (method === 'POST' && !isAudited)
}

function setBodyParser(scope: FastifyInstance, route: Route): void {
  scope.removeAllContentTypeParsers()
  if (route.bodyKind === 'stream') {
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  } else if (route.bodyKind === 'text') {
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
      readUtf8(body),
    )
  } else {
    // Many clients send a content type with every request, even without a body.
    scope.addContentTypeParser(
      'text/plain',
      { parseAs: 'buffer' },
      async (_: FastifyRequest, body: Buffer) => {
        if (body.length > 0) throw httpErrors.contentTypeNotKnown()
      },
    )
    const parseJson = createJsonReader(scope, route)
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        requireUtf8(request.headers['content-type'] ?? '')
        return parseJson(request, body)
      },
    )
  }
}

/** Creates a JSON parser. It checks the shape of the text before parsing it, which guarantees linear time. */
function createJsonReader(scope: FastifyInstance, route: Route) {
  const parseJson = scope.getDefaultJsonParser(route.allowsProtoNames ? 'ignore' : 'error', 'error')
  return async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    requireShallowJson(body)
    const text = readUtf8(body)
    if (text === '') return undefined
    const parsed = await new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, value) =>
        error ? reject(isJson(text) ? httpErrors.reservedName() : error) : resolve(value),
      )
    })
    requireWellFormed(text, parsed)
    return parsed
  }
}

/** Returns whether a string is JSON, with any names of members. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function validate(route: Route, request: FastifyRequest): RouteInput<Route> {
  const errors: ValidationError[] = []
  const parse = (schema: z.ZodType | undefined, value: unknown) => {
    if (schema === undefined) return undefined
    const result = schema.safeParse(value)
    if (result.success) return result.data
    errors.push(...validationErrorsOf(result.error))
    return undefined
  }
  const input = {
    params: parse(route.params, request.params),
    query: parse(route.query, request.query),
    body: route.bodyKind === 'stream' ? request.body : parse(route.body, request.body ?? emptyBody(route)),
  }
  if (errors.length > 0) throw invalidInput(errors)
  return input as RouteInput<Route>
}

/** Returns the validation errors of an input by field. */
export function validationErrorsOf({ issues }: z.ZodError): ValidationError[] {
  return issues.map(({ path, message }) => ({ field: fieldOf(path), message }))
}

function emptyBody(route: Route): unknown {
  return route.bodyKind === 'text' ? '' : {}
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = cutText(String(key))
    return text === '' ? name : `${text}.${name}`
  }, '')
}
