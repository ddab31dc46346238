import { hostname, networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Log } from '@headwater/server-kit'

/** Chooses the origin of links in e-mails. */
export interface LinkOrigin {
  /**
   * Returns scheme, host and port, without a slash at the end.
   * @param trusted whether the Host header can be used, because a signed-in user made the request
   */
  of(request: FastifyRequest, options: { trusted: boolean }): string
}

/**
 * Chooses the configured address if there is one. A request without sign-in can forge its Host header, and a link to
 * another host would disclose the token. Such a request can only name this machine; otherwise the name of the machine is used.
 * @param publicUrl the configured address of the installation
 * @param ownHosts names and addresses of this machine
 */
export function createLinkOrigin(options: {
  publicUrl: string | undefined
  log: Log
  ownHosts?: () => string[]
}): LinkOrigin {
  const { publicUrl, log, ownHosts = hostsOfThisMachine } = options
  return {
    of(request, { trusted }) {
      if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
      const own = ownHosts()
      const requested = parseHost(request.headers.host)
      if (requested !== undefined && (trusted || own.includes(requested.hostname)))
        return `${request.protocol}://${requested.host}`
      const port = request.socket.localPort
      log.warn('a link in an e-mail names this machine; set HEADWATER_PUBLIC_URL so that it works everywhere')
      return `${request.protocol}://${own[0] ?? 'localhost'}${port === undefined ? '' : `:${port}`}`
    },
  }
}

function parseHost(header: string | undefined): { host: string; hostname: string } | undefined {
  if (header === undefined || !/^[A-Za-z0-9.:[\]-]+$/.test(header)) return undefined
  const url = URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined
  return url && { host: url.host, hostname: url.hostname }
}

function hostsOfThisMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const literals = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  return [hostname().toLowerCase(), 'localhost', '127.0.0.1', '[::1]', ...literals]
}
