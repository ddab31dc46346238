import { networkOf, type Clock } from '@headwater/server-kit'
import { publishingErrors } from '../contract/index.ts'

/** Lets each address make so many requests at once, and so many more a second. */
export interface VisitorLimit {
  /** Counts a request, or as many as it stands for; throws tooManyRequests when the address has to wait. */
  take(address: string, requests?: number): void
}

/** How many addresses are remembered; more than that would be an attack on the memory. */
const maxNetworks = 20_000

/** A limit of this server; several servers count apart. */
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
      // Whoever asked longest ago stands first and is forgotten first.
      networks.delete(network)
      networks.set(network, { tokens: left - requests, at: now })
      if (networks.size > maxNetworks) networks.delete(networks.keys().next().value!)
    },
  }
}
