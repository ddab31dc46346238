import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { AppError, canonicalHost, matchesHost, type HostPattern } from '@headwater/contract'
import { addressKind } from './address-kind.ts'
import { egressErrors } from './egress-errors.ts'

/** Values shared by all connections of a client. */
export interface EgressNetwork {
  /** Hosts that are allowed to have internal addresses. */
  internalHosts: readonly HostPattern[]
  /** Returns the IP addresses of a host name. */
  resolve: (host: string) => Promise<string[]>
  /** Trusted CA certificates; undefined: the certificates of Node. */
  authorities: string[] | undefined
}

/** The remote end of a connection. */
export interface EgressTarget {
  /** Host name or IP address. */
  host: string
  /** TCP port. */
  port: number
}

/** Options of a connection. */
export interface EgressConnection {
  /**
   * Address that an earlier connection to the host reached. The client uses only this address, so that another DNS
   * response cannot change the target. It is checked like any resolved address. Default: the resolved addresses of the
   * host.
   */
  address?: string | undefined
  /** Maximum time until the connection is open, in milliseconds. Default 10,000. */
  connectTimeoutMs?: number
  /** Aborts the connection. */
  signal?: AbortSignal | undefined
  /**
   * Returns whether the caller can connect to a host in canonical form. Also called for each redirect. Default: every host
   * is allowed.
   */
  isAllowed?: ((target: EgressTarget) => boolean | Promise<boolean>) | undefined
}

/** Options for `connect` of `node:net` and `node:tls`, for clients that open their connection themselves. */
export interface PinnedOptions {
  /** Returns the checked addresses. */
  lookup: LookupFunction
  /** Makes the client try all addresses. */
  autoSelectFamily: true
  /** Trusted CA certificates. Default: those of Node. */
  ca?: string[]
}

const defaultConnectTimeoutMs = 10_000
const lastPort = 65_535

/** Connects to a checked address of a host. */
export async function connectPinned(
  network: EgressNetwork,
  target: EgressTarget,
  { address, connectTimeoutMs = defaultConnectTimeoutMs, signal, isAllowed }: EgressConnection,
): Promise<Socket> {
  const { host, port } = requireTarget(target)
  if (isAllowed !== undefined && !(await isAllowed({ host, port }))) throw notAllowed(host, port)
  const timeout = AbortSignal.timeout(connectTimeoutMs)
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    stop.throwIfAborted()
    const known = address === undefined ? undefined : [address]
    const addresses = await unlessAborted(findAddresses(network, { host, port }, known), stop)
    return await open(host, port, addresses, stop)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (timeout.aborted) throw egressErrors.egressTimedOut({ host, seconds: connectTimeoutMs / 1000 })
    throw toEgressError(error, host, port)
  }
}

/** Checks the addresses of a host for clients that open their connection themselves. */
export async function pinAddresses(network: EgressNetwork, target: EgressTarget): Promise<PinnedOptions> {
  const { host, port } = requireTarget(target)
  const { authorities } = network
  try {
    const addresses = await findAddresses(network, { host, port })
    return {
      lookup: pinned(addresses),
      autoSelectFamily: true,
      ...(authorities === undefined ? {} : { ca: authorities }),
    }
  } catch (error) {
    throw toEgressError(error, host)
  }
}

/** Converts an error into one for the caller, which names the port if it is given. Returns AppErrors unchanged. */
export function toEgressError(error: unknown, host: string, port?: number): AppError {
  if (error instanceof AppError) return error
  const { code = 'unknown reason' } = firstOf(error) as NodeJS.ErrnoException
  if (/^(ENOTFOUND|EAI_\w+|ENODATA)$/.test(code)) return egressErrors.egressHostNotFound({ host })
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code))
    return egressErrors.egressCertificateInvalid({ host, reason: code })
  return egressErrors.egressConnectionFailed({
    host: port === undefined ? host : withPort(host, port),
    reason: code,
  })
}

/** Returns the first error of a connection attempt. An attempt with several addresses fails with one error per address. */
function firstOf(error: unknown): unknown {
  const { errors } = error as { errors?: unknown[] }
  return errors?.[0] ?? error
}

function requireTarget({ host, port }: EgressTarget): EgressTarget {
  const canonical = canonicalHost(host)
  if (canonical !== undefined && Number.isInteger(port) && port >= 1 && port <= lastPort)
    return { host: canonical, port }
  throw egressErrors.egressHostInvalid({ host: `${host}:${port}` })
}

function notAllowed(host: string, port: number): AppError {
  return egressErrors.egressHostNotAllowed({ host: withPort(host, port) })
}

function withPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Resolves a host and checks each of its addresses. If one address is forbidden, the host is rejected. */
async function findAddresses(
  { internalHosts, resolve }: EgressNetwork,
  target: EgressTarget,
  known?: string[],
): Promise<string[]> {
  const { host } = target
  const addresses = known ?? (isIP(host) === 0 ? await resolve(host) : [host])
  if (addresses.length === 0) throw egressErrors.egressHostNotFound({ host })
  const listed = internalHosts.filter((pattern) => matchesHost(pattern, target))
  const isAllowed = (address: string) => {
    const kind = addressKind(address)
    if (kind === 'public') return true
    // A host name must not resolve to a metadata service, even if its DNS server is hostile.
    return listed.some((pattern) => kind === 'internal' || isIP(pattern.host) !== 0)
  }
  if (addresses.every(isAllowed)) return addresses
  throw egressErrors.egressAddressForbidden({ host: withPort(host, target.port) })
}

async function open(host: string, port: number, addresses: string[], stop: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, lookup: pinned(addresses), autoSelectFamily: true, noDelay: true })
  const abort = () => socket.destroy(stop.reason as Error)
  stop.addEventListener('abort', abort)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    stop.removeEventListener('abort', abort)
  }
  return socket
}

/** Creates a lookup function that returns the checked addresses instead of resolving the name again. */
function pinned(addresses: readonly string[]): LookupFunction {
  const list = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    // Callers of this function attach their listeners afterwards.
    process.nextTick(() => {
      if (all === true) callback(null, list)
      else callback(null, list[0]!.address, list[0]!.family)
    })
  }
}

/** Waits for work that cannot be aborted itself. Rejects as soon as the signal aborts. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
    work.catch(() => undefined)
  }
}
