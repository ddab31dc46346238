import {
  request as httpRequest,
  validateHeaderName,
  validateHeaderValue,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { isIP, type Socket } from 'node:net'
import { pipeline, Readable, Transform } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { canonicalHost } from '@headwater/contract'
import { connectPinned, toEgressError, type EgressConnection, type EgressNetwork } from './connect-pinned.ts'
import { isConnectionHeader } from './connection-headers.ts'
import { egressErrors } from './egress-errors.ts'

/** An HTTP or HTTPS request. */
export interface EgressRequest extends EgressConnection {
  /** URL with the scheme http or https. */
  url: string | URL
  /** Method. Default GET. */
  method?: string
  /** Headers. After a redirect to another origin, only headers without credentials are sent. Default: none. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** Body. A stream cannot be sent again after a redirect. Default: none. */
  body?: string | Uint8Array | Readable | undefined
  /** Length of a streamed body in bytes; without it, the request is chunked. */
  bodyBytes?: number | undefined
  /** Maximum number of redirects. Default 5. */
  maxRedirects?: number
  /** Whether a redirect is returned like any other response. Default false. */
  returnsRedirects?: boolean
  /** Maximum time until the end of the response body, in milliseconds. Default 60,000. */
  timeoutMs?: number
  /** Maximum size of the response body, in bytes. Default 100 MiB. */
  maxResponseBytes?: number
  /** Maximum size of the response headers, in bytes. Default 16 KiB. */
  maxHeaderBytes?: number
}

/** The response to a request. */
export interface EgressResponse {
  /** HTTP status. */
  status: number
  /** Headers, with names in lower case. */
  headers: IncomingHttpHeaders
  /** URL that responded, after all redirects. */
  url: string
  /** Body, not decompressed. */
  body: Readable
}

const defaults = {
  maxRedirects: 5,
  timeoutMs: 60_000,
  maxResponseBytes: 100 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
}
const redirects = [301, 302, 303, 307, 308]
/** Headers that are sent to another origin after a redirect. All other headers can contain credentials. */
const headersForAnyOrigin = ['accept', 'accept-language', 'content-type', 'user-agent', 'range']

/** A single request without its redirects. */
interface Hop {
  url: URL
  method: string
  headers: Record<string, string | readonly string[]>
  body: EgressRequest['body']
  bodyBytes: number | undefined
}

/** Limits of a request, including all of its redirects. */
interface Limits {
  stop: AbortSignal
  timeout: AbortSignal
  signal: AbortSignal | undefined
  timeoutMs: number
  maxResponseBytes: number
  maxHeaderBytes: number
}

/** Sends a request and follows its redirects. Each redirect is checked like a new connection. */
export async function sendRequest(network: EgressNetwork, request: EgressRequest): Promise<EgressResponse> {
  const { maxRedirects = defaults.maxRedirects, returnsRedirects = false } = request
  const limits = limitsOf(request)
  let hop = firstHop(request)
  for (let count = 0; ; count++) {
    const response = await send(network, hop, request, limits)
    const { statusCode = 0, headers } = response
    if (returnsRedirects || !redirects.includes(statusCode) || headers.location === undefined)
      return { status: statusCode, headers, url: hop.url.href, body: limitedBody(response, hop, limits) }
    response.destroy()
    if (count === maxRedirects)
      throw egressErrors.egressTooManyRedirects({ host: hostOf(hop.url), count: maxRedirects })
    hop = nextHop(hop, statusCode, headers.location)
  }
}

function limitsOf(request: EgressRequest): Limits {
  const { timeoutMs = defaults.timeoutMs, signal } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  return {
    stop: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    timeout,
    signal,
    timeoutMs,
    maxResponseBytes: request.maxResponseBytes ?? defaults.maxResponseBytes,
    maxHeaderBytes: request.maxHeaderBytes ?? defaults.maxHeaderBytes,
  }
}

function firstHop({ url, method = 'GET', headers = {}, body, bodyBytes }: EgressRequest): Hop {
  const parsed = parseUrl(String(url))
  if (parsed === undefined) throw egressErrors.egressUrlInvalid({ url: String(url) })
  for (const [name, value] of Object.entries(headers)) requireHeader(name, value)
  return { url: parsed, method: method.toUpperCase(), headers: { ...headers }, body, bodyBytes }
}

function nextHop(hop: Hop, status: number, location: string): Hop {
  const { url, method, headers, body, bodyBytes } = hop
  const target = parseUrl(location, url)
  if (target === undefined) throw egressErrors.egressRedirectInvalid({ host: hostOf(url) })
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!becomesGet && body instanceof Readable)
    throw egressErrors.egressBodyNotRepeatable({ host: hostOf(url) })
  const isSameOrigin = target.origin === url.origin
  const passed = Object.entries(headers).filter(([name]) => {
    const lower = name.toLowerCase()
    if (becomesGet && lower.startsWith('content-')) return false
    return isSameOrigin || headersForAnyOrigin.includes(lower)
  })
  return {
    url: target,
    method: becomesGet ? 'GET' : method,
    headers: Object.fromEntries(passed),
    ...(becomesGet ? { body: undefined, bodyBytes: undefined } : { body, bodyBytes }),
  }
}

function parseUrl(text: string, base?: URL): URL | undefined {
  const url = URL.parse(text, base?.href)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url !== null && isWeb && url.hostname !== '' && url.username === '' && url.password === ''
    ? url
    : undefined
}

function requireHeader(name: string, value: string | readonly string[]): void {
  try {
    if (isConnectionHeader(name)) throw new Error('reserved')
    validateHeaderName(name)
    for (const each of [value].flat()) validateHeaderValue(name, each)
  } catch {
    throw egressErrors.egressHeaderInvalid({ name })
  }
}

function hostOf(url: URL): string {
  return canonicalHost(url.hostname) ?? url.hostname
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Sends one request on a new connection and returns its response with the body unread. */
async function send(
  network: EgressNetwork,
  hop: Hop,
  options: EgressConnection,
  limits: Limits,
): Promise<IncomingMessage> {
  const { url } = hop
  const host = hostOf(url)
  let socket: Socket | undefined
  try {
    socket = await connectPinned(network, { host, port: portOf(url) }, { ...options, signal: limits.stop })
    const connection = url.protocol === 'https:' ? await secure(network, socket, host, limits.stop) : socket
    return await exchange(hop, connection, limits)
  } catch (error) {
    socket?.destroy()
    throw explainError(error, host, limits)
  }
}

/** Starts TLS and checks the certificate. */
async function secure(
  { authorities }: EgressNetwork,
  socket: Socket,
  host: string,
  stop: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(authorities === undefined ? {} : { ca: authorities }),
  })
  const abort = () => secured.destroy(stop.reason as Error)
  stop.addEventListener('abort', abort)
  try {
    await new Promise<void>((resolve, reject) => {
      secured.once('secureConnect', resolve)
      secured.once('error', reject)
      secured.once('close', () => reject(new Error('The connection was closed.')))
    })
  } finally {
    stop.removeEventListener('abort', abort)
  }
  return secured
}

function exchange(
  { url, method, headers, body, bodyBytes }: Hop,
  connection: Socket,
  { stop, maxHeaderBytes }: Limits,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Without a prototype, a header `__proto__` is a property like all others.
    const sent: OutgoingHttpHeaders = Object.assign(Object.create(null) as OutgoingHttpHeaders, {
      'Accept-Encoding': 'identity',
      'User-Agent': 'Headwater',
    })
    for (const [name, value] of Object.entries(headers)) {
      // A header of the caller replaces a default header with the same name, regardless of case.
      for (const known of Object.keys(sent))
        if (known.toLowerCase() === name.toLowerCase()) delete sent[known]
      sent[name] = typeof value === 'string' ? value : [...value]
    }
    sent.Host = url.host
    if (body instanceof Readable && bodyBytes !== undefined) sent['Content-Length'] = bodyBytes
    const outgoing = httpRequest({
      createConnection: () => connection,
      method,
      path: `${url.pathname}${url.search}`,
      headers: sent,
      setHost: false,
      maxHeaderSize: maxHeaderBytes,
      signal: stop,
    })
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    outgoing.once('close', () => reject(new Error('The connection was closed.')))
    // The request reports errors of the connection and of the body.
    if (body instanceof Readable) pipeline(body, outgoing, (error) => error && outgoing.destroy(error))
    else outgoing.end(body)
  })
}

/** Limits the bytes of a body and converts its errors. */
function limitedBody(response: IncomingMessage, { url, method }: Hop, limits: Limits): Readable {
  const { maxResponseBytes } = limits
  const host = hostOf(url)
  const tooLarge = () => egressErrors.egressTooLarge({ host, bytes: maxResponseBytes })
  const announced = Number(response.headers['content-length'] ?? 0)
  if (method !== 'HEAD' && announced > maxResponseBytes) {
    response.destroy()
    throw tooLarge()
  }
  let bytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxResponseBytes) done(tooLarge())
      else done(null, chunk)
    },
    destroy(error, done) {
      response.destroy()
      done(error === null ? null : explainError(error, host, limits))
    },
  })
  // The caller may start reading later. An error before that must not end the process.
  body.on('error', () => undefined)
  pipeline(response, body, () => undefined)
  return body
}

function explainError(error: unknown, host: string, limits: Limits): Error {
  const { signal, timeout, timeoutMs, maxHeaderBytes } = limits
  if (signal?.aborted && signal.reason instanceof Error) return signal.reason
  if (timeout.aborted) return egressErrors.egressTimedOut({ host, seconds: timeoutMs / 1000 })
  if ((error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW')
    return egressErrors.egressHeadersTooLarge({ host, bytes: maxHeaderBytes })
  return toEgressError(error, host)
}
