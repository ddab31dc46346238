import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '@headwater/contract'
import type { Clock } from '../clock.ts'

/** The fields of a request that the audit log records. They include no body, query string, header or secret. */
export interface RecordedRequest {
  /** Time of the response. */
  at: Date
  /** Id of the caller; undefined if the user is unknown. */
  userId: number | undefined
  /** User name of the caller; undefined if the user is unknown. */
  userName: string | undefined
  /** Id of the run, if its code sent the request; otherwise undefined. */
  runId: string | undefined
  /** Name of the route. */
  route: string
  /** HTTP method. */
  method: string
  /** Path of the route with the names of its parameters. */
  path: string
  /** Parameters of the path, and names in the body that identify the object. */
  object: Record<string, string>
  /** HTTP status of the response; 499 if the caller disconnected before. */
  status: number
  /** IP address of the caller. */
  address: string
}

/** The user of a request without sign-in, identified for example by a password or a signed URL. */
export interface NamedUser {
  /** Id of the user. */
  userId: number
  /** User name. */
  userName: string
  /** Id of the run, if its code received the signed URL; absent otherwise. */
  runId?: string | undefined
}

/** Records a request. Must neither wait nor throw. */
export type RecordRequest = (request: RecordedRequest) => void

/** Fields in bodies that identify an object. All other fields are content. */
const identifyingFields = [
  'groupName',
  'name',
  'fileName',
  'insightName',
  'oldGroupName',
  'oldInsightName',
  'pipelineId',
  'taskId',
  'userName',
  'email',
] as const
/** Parameters of paths that are secrets. */
const secretParams = new Set(['token', 'secret'])
const maxCharacters = 300

/** Returns whether requests of a route are recorded. By default, requests that can change data are recorded. */
export function isRecorded({ method, isAudited = method !== 'GET' }: Route): boolean {
  return isAudited
}

/** HTTP status recorded if the caller disconnects before the response. */
const callerHasGone = 499

/** Records each request of a route once: after its response, or when the caller disconnects. */
export function recordRequests(
  scope: FastifyInstance,
  route: Route,
  { record, clock }: { record: RecordRequest; clock: Clock },
): void {
  const recorded = new WeakSet<FastifyRequest>()
  function add(request: FastifyRequest, status: number): void {
    if (recorded.has(request)) return
    recorded.add(request)
    const made = recordOf(route, request, { status, at: clock.now() })
    if (made !== undefined) record(made)
  }
  scope.addHook('onResponse', async (request, reply) => add(request, reply.statusCode))
  scope.addHook('onRequestAbort', async (request) => add(request, callerHasGone))
}

/**
 * Returns the record of a request. Returns undefined for a rejected request of an unknown user: it changed nothing, and
 * anyone could fill the log with such requests.
 */
function recordOf(
  route: Route,
  request: FastifyRequest,
  { status, at }: { status: number; at: Date },
): RecordedRequest | undefined {
  const { principal, namedUser } = request
  const user = principal ?? namedUser
  if (user === undefined && status >= 400) return undefined
  return {
    at,
    userId: user?.userId,
    userName: user?.userName,
    runId: principal === undefined ? namedUser?.runId : principal.run?.runId,
    route: route.name,
    method: route.method,
    path: route.path,
    object: objectOf(route, request),
    status,
    address: request.ip,
  }
}

function objectOf(route: Route, request: FastifyRequest): Record<string, string> {
  const object: Record<string, string> = {}
  if (route.bodyKind === undefined || route.bodyKind === 'json')
    for (const name of identifyingFields)
      add(object, name, (request.body as Record<string, unknown> | null)?.[name])
  for (const [name, value] of Object.entries((request.params ?? {}) as Record<string, unknown>))
    if (!secretParams.has(name)) add(object, name, value)
  return object
}

function add(object: Record<string, string>, name: string, value: unknown): void {
  // PostgreSQL cannot store NUL characters and unpaired surrogates.
  if (typeof value === 'string' && value !== '')
    object[name] = value.replaceAll('\u0000', '').toWellFormed().slice(0, maxCharacters).toWellFormed()
}
