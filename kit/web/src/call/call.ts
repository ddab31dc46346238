import { type Route, type RouteCall, type RouteOutput, pathOf } from '@headwater/contract'
import { ApiError, errorOf } from './api-error.ts'
import { limitedProviders, localProvider, tellsLimit } from './limited.ts'
import { openRequest } from './requests.ts'
import { createThrottle, waitFor } from './throttle.ts'

/** How a call is made; everything is optional. */
export interface CallOptions {
  signal?: AbortSignal
  /** Name of the provider the call is for; sent as the `Target` header. */
  target?: string
  /** Waits so that at most five such calls start in a second. */
  throttled?: boolean
  /** Survives navigation from the sidebar, which aborts all other calls. */
  keep?: boolean
  /** Goes past the relay of a page: for calls of the session, which belongs to no page. */
  direct?: boolean
  headers?: Record<string, string>
}

/** Who gives calls their token. `renew` fetches a new one after a 401 and says whether there is one now. */
export interface TokenSource {
  token(): string | undefined
  renew(): Promise<boolean>
}

const nobody: TokenSource = { token: () => undefined, renew: async () => false }
let tokens = nobody

/** Tells the calls where their token comes from; `undefined` makes them anonymous again. */
export function setTokenSource(source: TokenSource | undefined): void {
  tokens = source ?? nobody
}

/** The value of the Authorization header at the moment, for calls that are not made here (uploads). */
export function authorization(): string | undefined {
  const token = tokens.token()
  return token === undefined ? undefined : `Bearer ${token}`
}

/** What a call hands over: parts of the route that it has. */
export interface CallInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Stands between the calls of a page and the server: answers a call itself, hands it on changed, or throws what refuses
 * it. `send` reaches the server.
 */
export type CallRelay = (
  route: Route,
  input: CallInput,
  options: CallOptions,
  send: (route: Route, input: CallInput, options?: CallOptions) => Promise<Response>,
) => Promise<Response>

let relay: CallRelay | undefined

/** Puts a relay between the calls of a page and the server, for pages whose data come by other routes; undefined takes it away. */
export function setCallRelay(next: CallRelay | undefined): void {
  relay = next
}

const throttle = createThrottle(5, { nowMs: () => performance.now(), wait: waitFor })

/** Calls a route and answers with its JSON. Throws an {@link ApiError} when it does not succeed. */
export async function call<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: CallOptions = {},
): Promise<RouteOutput<R>> {
  const response = await callRaw(route, input, options)
  if (route.output === undefined || response.status === 204) return undefined as RouteOutput<R>
  return (await jsonOf(response, options.signal)) as RouteOutput<R>
}

/** The JSON of an answer; undefined of an empty one. One that breaks off, or comes from something in between, is no answer. */
async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    // A page that is left ends its answers as if they had been given up.
    if (signal?.aborted) throw error
    throw noAnswer(error)
  }
}

function noAnswer(cause: unknown): ApiError {
  return new ApiError(
    {
      status: 0,
      code: 'noAnswer',
      message: 'The server cannot be reached. Check your connection and try again.',
    },
    { cause },
  )
}

/** Calls a route and answers with the response itself, for streams and text. Throws like {@link call}. */
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
  if (tellsLimit(response.status)) limitedProviders.add(options.target ?? localProvider)
  throw await errorOf(response)
}

async function send<R extends Route>(route: R, input: RouteCall<R>, options: CallOptions): Promise<Response> {
  const parts = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  const request = options.keep ? undefined : openRequest(route.name, performance.now())
  const signals = [options.signal, request?.signal].filter((signal) => signal !== undefined)
  try {
    return await fetch(pathOf(route.path, parts.params) + queryText(parts.query), {
      method: route.method,
      headers: headersOf(route, parts.body, options),
      body: bodyOf(route, parts.body),
      signal: signals.length === 0 ? null : AbortSignal.any(signals),
      credentials: 'omit',
    })
  } catch (error) {
    // A page that is left ends its calls as if they had been given up.
    if (signals.some((signal) => signal.aborted)) throw error
    throw noAnswer(error)
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

/** Query parameters as text with its question mark; undefined is left out, a list is repeated. */
export function queryText(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) search.append(key, String(one))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
