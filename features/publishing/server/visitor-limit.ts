import { setNewest } from '@headwater/contract'
import { networkOf, type Clock } from '@headwater/server-kit'
import { publishingErrors } from '../contract/index.ts'

/** Rate limit per address (token bucket). */
export interface VisitorLimit {
  /**
   * Counts one or more requests of an address, default one. Throws tooManyRequests if the address exceeds its limit.
   */
  take(address: string, requests?: number): void
}

/** Maximum number of networks in memory, so that an attacker cannot exhaust it. */
const maxNetworks = 20_000

/**
 * Creates a limit for this process; several servers count separately.
 * @param options.burst number of requests at once
 * @param options.perSecond number of requests per second after a burst
 */
export function createVisitorLimit({
  burst,
  perSecond,
  clock,
}: {
  burst: number
  perSecond: number
  clock: Clock
}): VisitorLimit {
  const networks = new Map<string, { tokens: number; at: number }>()
  return {
    take(address, requests = 1) {
      const now = clock.now().getTime()
      const network = networkOf(address)
      const { tokens, at } = networks.get(network) ?? { tokens: burst, at: now }
      const left = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond)
      if (left < requests)
        throw publishingErrors.tooManyRequests({ waitSeconds: Math.ceil((requests - left) / perSecond) })
      // The map is ordered by last request, so the least recent network is dropped first.
      setNewest(networks, network, { tokens: left - requests, at: now }, maxNetworks)
    },
  }
}
