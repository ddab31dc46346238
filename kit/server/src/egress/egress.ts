import { lookup } from 'node:dns/promises'
import type { Socket } from 'node:net'
import type { HostPattern } from '@headwater/contract'
import {
  connectPinned,
  pinAddresses,
  type EgressConnection,
  type EgressTarget,
  type PinnedOptions,
} from './connect-pinned.ts'
import { sendRequest, type EgressRequest, type EgressResponse } from './send-request.ts'

/**
 * The client for all connections that leave this server on behalf of users. It resolves a host once, checks every
 * address, and connects only to a checked address, so that a second DNS response cannot change the target.
 */
export interface Egress {
  /**
   * Opens a TCP connection.
   * @throws egressHostInvalid, egressHostNotAllowed, egressAddressForbidden, egressHostNotFound, egressConnectionFailed,
   *   egressTimedOut, or `signal.reason`
   */
  connect: (target: EgressTarget, options?: EgressConnection) => Promise<Socket>
  /**
   * Checks a host for a library that opens its connections itself, such as a mail client. Returns connection options with
   * which the library can reach only the checked addresses.
   * @throws egressHostInvalid, egressAddressForbidden, egressHostNotFound
   */
  pin: (target: EgressTarget) => Promise<PinnedOptions>
  /**
   * Sends an HTTP or HTTPS request and resolves when the response headers have arrived. The caller must read the
   * whole body or destroy it.
   * @throws the errors of `connect` and the other `egressErrors`; the body can fail with the same errors
   */
  request: (request: EgressRequest) => Promise<EgressResponse>
}

/** Settings of the client. */
export interface EgressOptions {
  /**
   * Hosts that are allowed to have internal addresses, from the server configuration. A listed name can resolve to
   * loopback and private addresses. A listed address is allowed even if it is link-local.
   */
  internalHosts: readonly HostPattern[]
  /** Returns the IP addresses of a host name. Default: the system resolver. */
  resolve?: (host: string) => Promise<string[]>
  /** Trusted CA certificates in PEM format. Default: the certificates of Node. */
  authorities?: string[]
}

/** Creates the client. */
export function createEgress({
  internalHosts,
  resolve = resolveBySystem,
  authorities,
}: EgressOptions): Egress {
  const network = { internalHosts, resolve, authorities }
  return {
    connect: (target, options = {}) => connectPinned(network, target, options),
    pin: (target) => pinAddresses(network, target),
    request: (request) => sendRequest(network, request),
  }
}

async function resolveBySystem(host: string): Promise<string[]> {
  const addresses = await lookup(host, { all: true, order: 'verbatim' })
  return addresses.map(({ address }) => address)
}
