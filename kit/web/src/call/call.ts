import { type Route, type RouteCall, type RouteOutput, pathOf } from '@headwater/contract'
import { ApiError, errorOf } from './api-error.ts'
import { limitedProviders, localProvider, isLimitStatus } from './limited.ts'
import { openRequest } from './requests.ts'
import { createThrottle, waitFor } from './throttle.ts'

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal
  /** Name of the provider that receives the call; sent as the `Target` header. */
  target?: string
  /** Delays the call so that at most five throttled calls start per second. */
  throttled?: boolean
  /** Whether the call continues when the user navigates with the sidebar, which aborts all other calls. */
  keep?: boolean
  /**
   * Whether the call completes even if the browser leaves or reloads the page, unless its body is large. Default: the
   * browser aborts it.
   */
  outlivesPage?: boolean
  /** Bypasses the relay of the page. For calls of the session, which does not belong to a page. */
  direct?: boolean
  /**
   * If true, status 429 or 503 does not mark the provider as limited. For calls that other calls can replace if they fail.
   */
  isOptional?: boolean
  /** Additional headers. */
  headers?: Record<string, string>
}

/** Provides the token of calls. */
export interface TokenSource {
  /** Returns the current token; undefined if nobody is signed in. */
  token(): string | undefined
  /** Renews the token after a 401. Returns whether it succeeded. */
  renew(): Promise<boolean>
}

const nobody: TokenSource = { token: () => undefined, renew: async () => false }
let tokens = nobody

/** Sets the source of the token; `undefined` makes calls anonymous again. */
export function setTokenSource(source: TokenSource | undefined): void {
  tokens = source ?? nobody
}

/** Returns the current value of the Authorization header, for requests that do not use `call` (uploads). */
export function authorization(): string | undefined {
  const token = tokens.token()
  return token === undefined ? undefined : `Bearer ${token}`
}

/** Input of a call. Fields that the route does not have are absent. */
export interface CallInput {
  /** Parameters of the path. */
  params?: Record<string, unknown>
  /** Parameters of the query string. */
  query?: Record<string, unknown>
  /** The request body. */
  body?: unknown
}

/**
 * Intercepts the calls of a page: returns a result itself, changes the call, or throws to reject it. `send` calls the server.
 */
export type CallRelay = (
  route: Route,
  input: CallInput,
  options: CallOptions,
  send: (route: Route, input: CallInput, options?: CallOptions) => Promise<Response>,
) => Promise<Response>

let relay: CallRelay | undefined

/** Sets the relay for the calls of a page, for pages that load their data from other routes. Undefined removes it. */
export function setCallRelay(next: CallRelay | undefined): void {
  relay = next
}

const throttle = createThrottle(5, { nowMs: () => performance.now(), wait: waitFor })

/** Calls a route and returns its JSON. Throws an {@link ApiError} on failure. */
export async function call<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: CallOptions = {},
): Promise<RouteOutput<R>> {
  const response = await callRaw(route, input, options)
  if (route.output === undefined || response.status === 204) return undefined as RouteOutput<R>
  return (await jsonOf(response, options.signal)) as RouteOutput<R>
}

/**
 * Parses the JSON of a response. Returns undefined for an empty response. Treats an incomplete response, or the response of
 * an intermediary, as no response.
 */
async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    // Leaving a page aborts its responses, just as a signal does.
    if (signal?.aborted) throw error
    throw noResponse(error)
  }
}

function noResponse(cause: unknown): ApiError {
  return new ApiError(
    {
      status: 0,
      code: 'noAnswer',
      message: 'The server cannot be reached. Check your connection and try again.',
    },
    { cause },
  )
}

/** Calls a route and returns the response itself, for streams and text. Throws like {@link call}. */
export async function callRaw<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: CallOptions = {},
): Promise<Response> {
  if (options.throttled) await throttle(options.signal)
  if (relay !== undefined && !options.direct)
    return relay(route, input as CallInput, options, (next, given, more = options) =>
      reach(next, given as RouteCall<typeof next>, more),
    )
  return reach(route, input, options)
}

async function reach<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: CallOptions,
): Promise<Response> {
  const response = await send(route, input, options)
  if (response.status === 401 && route.permission !== 'public' && (await tokens.renew())) {
    return succeeded(await send(route, input, options), options)
  }
  return succeeded(response, options)
}

async function succeeded(response: Response, options: CallOptions): Promise<Response> {
  if (response.ok) return response
  if (isLimitStatus(response.status) && !options.isOptional)
    limitedProviders.add(options.target ?? localProvider)
  throw await errorOf(response)
}

/** Maximum length of a body that outlives its page. Browsers reject more than 64 KB, and a character can have three bytes. */
const maxOutlivingLength = 20_000

async function send<R extends Route>(route: R, input: RouteCall<R>, options: CallOptions): Promise<Response> {
  const parts = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  const request = options.keep ? undefined : openRequest(route.name, performance.now())
  const signals = [options.signal, request?.signal].filter((signal) => signal !== undefined)
  const body = bodyOf(route, parts.body)
  try {
    return await fetch(pathOf(route.path, parts.params) + queryText(parts.query), {
      method: route.method,
      headers: headersOf(route, parts.body, options),
      body,
      signal: signals.length === 0 ? null : AbortSignal.any(signals),
      credentials: 'omit',
      keepalive:
        options.outlivesPage === true && typeof body === 'string' && body.length <= maxOutlivingLength,
    })
  } catch (error) {
    // Leaving a page aborts its calls, just as a signal does.
    if (signals.some((signal) => signal.aborted)) throw error
    throw noResponse(error)
  } finally {
    request?.close()
  }
}

function headersOf(route: Route, body: unknown, options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers }
  const token = authorization()
  if (token !== undefined) headers.Authorization ??= token
  if (options.target !== undefined && options.target !== localProvider) headers.Target = options.target
  if (body !== undefined) {
    headers['Content-Type'] ??=
      route.bodyKind === 'text'
        ? 'text/plain'
        : route.bodyKind === 'stream'
          ? 'application/octet-stream'
          : 'application/json'
  }
  return headers
}

function bodyOf(route: Route, body: unknown): RequestInit['body'] {
  if (body === undefined) return null
  return route.bodyKind === undefined || route.bodyKind === 'json'
    ? JSON.stringify(body)
    : (body as RequestInit['body'])
}

/**
 * Formats query parameters, including the question mark. Omits undefined values and repeats the name for each item of a
 * list.
 */
export function queryText(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) search.append(key, String(one))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
