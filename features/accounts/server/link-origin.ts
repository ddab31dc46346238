import { hostname, networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Log } from '@headwater/server-kit'

/** Decides where links in e-mails lead. */
export interface LinkOrigin {
  /**
   * Scheme, host and port for links, without a slash at the end.
   * @param trusted whether a signed-in user of good standing made the request, so that its Host header is believed
   */
  of(request: FastifyRequest, options: { trusted: boolean }): string
}

/**
 * Creates the decision. A Host header can be forged by whoever asks for a reset, and a link to a foreign host would hand
 * over the token; so the configured address wins, and without one an unauthenticated request may only name this very
 * machine. Everything else gets the name of the machine.
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
      const asked = parseHost(request.headers.host)
      if (asked !== undefined && (trusted || own.includes(asked.hostname)))
        return `${request.protocol}://${asked.host}`
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
