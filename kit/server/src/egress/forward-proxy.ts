import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { AppError } from '@headwater/contract'
import { isConnectionHeader } from './connection-headers.ts'
import type { EgressTarget } from './connect-pinned.ts'
import { egressErrors } from './egress-errors.ts'
import type { Egress } from './egress.ts'

/**
 * An HTTP proxy for code without network access. Each caller has a pass, which determines the hosts that the caller can
 * reach.
 */
export interface ForwardProxy {
  /** Issues a pass, valid until it is closed. */
  open(isAllowed: (target: EgressTarget) => Promise<boolean>): ProxyPass
  /**
   * Forwards a request for another host (absolute form) and returns true. Responds with 407 if the credentials are missing
   * or invalid. For a request to this server, returns false, and converts an absolute form to origin form.
   */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean
  /** Opens the tunnel of a CONNECT request. */
  handleConnect(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Access of one caller to the proxy. */
export interface ProxyPass {
  /** User name of the pass. */
  userName: string
  /** Password of the pass. */
  password: string
  /** Revokes the pass and closes all of its connections. */
  close(): void
}

interface OpenPass {
  isAllowed: (target: EgressTarget) => Promise<boolean>
  ended: AbortController
}

const userName = 'run'
/** Maximum duration of a request, in milliseconds. Connections end earlier if their pass is closed. */
const longestRequestMs = 3_600_000
const maxHeaderBytes = 64 * 1024
const credentialsRefused =
  'The proxy credentials are missing or not valid. Use the credentials in HTTP_PROXY while the code runs.'

/**
 * Creates the proxy.
 * @param ownHosts hosts with ports at which callers reach this server. Requests to them are handled as ordinary requests
 */
export function createForwardProxy({
  egress,
  ownHosts,
}: {
  egress: Egress
  ownHosts: readonly string[]
}): ForwardProxy {
  const passes = new Map<string, OpenPass>()

  function findPass({ headers }: IncomingMessage): OpenPass | undefined {
    const encoded = /^Basic\s+(\S+)$/i.exec(headers['proxy-authorization'] ?? '')?.[1] ?? ''
    const [name, password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
    return name === userName ? passes.get(password) : undefined
  }

  return {
    open(isAllowed) {
      const password = randomBytes(32).toString('base64url')
      const pass = { isAllowed, ended: new AbortController() }
      passes.set(password, pass)
      return {
        userName,
        password,
        close() {
          passes.delete(password)
          pass.ended.abort(egressErrors.egressPassEnded())
        },
      }
    },

    handleRequest(request, response) {
      const url = /^https?:\/\//i.test(request.url ?? '') ? URL.parse(request.url!) : null
      if (url === null) return false
      if (ownHosts.includes(url.host)) {
        request.url = `${url.pathname}${url.search}`
        delete request.headers['proxy-authorization']
        return false
      }
      const pass = findPass(request)
      if (pass === undefined) refuseCredentials(response)
      else void forward(egress, pass, url, request, response)
      return true
    },

    handleConnect(request, socket, head) {
      socket.on('error', () => socket.destroy())
      const pass = findPass(request)
      if (pass === undefined) endWith(socket, 407, credentialsRefused)
      else void openTunnel(egress, pass, request.url ?? '', socket, head)
    },
  }
}

async function forward(
  egress: Egress,
  { isAllowed, ended }: OpenPass,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const length = request.headers['content-length']
  const hasBody = length !== undefined || request.headers['transfer-encoding'] !== undefined
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort(new Error('The caller has disconnected.')))
  try {
    const result = await egress.request({
      url,
      method: request.method ?? 'GET',
      headers: forwardedHeaders(request),
      ...(hasBody ? { body: request, bodyBytes: length === undefined ? undefined : Number(length) } : {}),
      isAllowed,
      returnsRedirects: true,
      timeoutMs: longestRequestMs,
      maxResponseBytes: Number.MAX_SAFE_INTEGER,
      maxHeaderBytes,
      signal: AbortSignal.any([ended.signal, disconnected.signal]),
    })
    const headers = Object.entries(result.headers).filter(([name]) => !isConnectionHeader(name))
    const contentLength = result.headers['content-length']
    response.writeHead(result.status, {
      ...Object.fromEntries(headers),
      ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
    })
    pipeline(result.body, response, () => undefined)
  } catch (error) {
    refuse(response, error)
  }
}

/** Returns the headers to forward, without those that apply to this connection only. */
function forwardedHeaders({ headers }: IncomingMessage): Record<string, string | readonly string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const forwarded: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !isConnectionHeader(name) && !named.includes(name)) forwarded[name] = value
  return forwarded
}

async function openTunnel(
  egress: Egress,
  { isAllowed, ended }: OpenPass,
  address: string,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(address) ?? []
  try {
    const target = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
    const upstream = await egress.connect(target, { isAllowed, signal: ended.signal })
    const close = () => upstream.destroy()
    ended.signal.addEventListener('abort', close)
    upstream.once('close', () => {
      ended.signal.removeEventListener('abort', close)
      socket.destroy()
    })
    socket.once('close', close)
    upstream.on('error', close)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) upstream.write(head)
    socket.pipe(upstream)
    upstream.pipe(socket)
    if (socket.destroyed) close()
  } catch (error) {
    const { status, message } = refusalOf(error)
    endWith(socket, status, message)
  }
}

/** Returns the status and message for a failed request. A failure of the remote side becomes a gateway error. */
function refusalOf(error: unknown): { status: number; message: string } {
  if (!(error instanceof AppError)) return { status: 502, message: 'The connection failed. Try again later.' }
  return { status: error.status === 424 ? 502 : error.status, message: error.message }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, message } = refusalOf(error)
  response.writeHead(status, reasonOf(message), {
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
  })
  response.end(`${message}\n`)
}

function refuseCredentials(response: ServerResponse): void {
  response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="Headwater"', Connection: 'close' })
  response.end(`${credentialsRefused}\n`)
}

function endWith(socket: Duplex, status: number, message: string): void {
  const authenticate = status === 407 ? 'Proxy-Authenticate: Basic realm="Headwater"\r\n' : ''
  socket.end(
    `HTTP/1.1 ${status} ${reasonOf(message)}\r\n${authenticate}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}

/** Converts a message to an ASCII reason phrase, because clients show only this phrase when a tunnel is rejected. */
function reasonOf(message: string): string {
  return message.replace(/[“”]/g, '"').replace(/[^\x20-\x7e]/g, '?')
}
