import { createHash } from 'node:crypto'
import { accountErrors } from '@headwater/accounts/contract'
import { networkOf } from '@headwater/server-kit'
import type { ThrottleRule, ThrottleStore } from './throttle-store.ts'

/** What somebody tries: to prove a password, or to have a reset link sent. */
export type AttemptKind = 'password' | 'reset'

/** An attempt that was let through; tell how it ended when it ended well. */
export interface Attempt {
  /** The caller proved to be this user: the counters start again and the address is known from now on. */
  succeeded(userId: number): Promise<void>
}

/** Slows down guessing, whether or not the guessed user exists. */
export interface ThrottleService {
  /** Counts an attempt before it is made; throws `tooManyAttempts` when the caller must wait. */
  begin(kind: AttemptKind, userName: string, address: string): Promise<Attempt>
  /** The user has proven to own the account by e-mail: nothing counts against the name any more. */
  trust(userId: number, userName: string, address: string): Promise<void>
  cleanUp(): Promise<void>
}

/**
 * Creates the service. Three things are counted: the user name from this address, the user name from anywhere, and the
 * address with any name. From an address that the user signed in from before, only the first counts: nobody elsewhere,
 * and nobody behind the same address trying other names, can lock an honest user out there.
 */
export function createThrottleService({ store }: { store: ThrottleStore }): ThrottleService {
  return {
    async begin(kind, userName, address) {
      const network = networkOf(address)
      const [pair, ...others] = rulesOf(kind, userName, network)
      const known = await store.isKnownAddress(userName, network)
      const waitSeconds = await store.take(known ? [pair] : [pair, ...others])
      if (waitSeconds > 0) throw accountErrors.tooManyAttempts({ waitSeconds })
      return {
        async succeeded(userId) {
          const [name, place] = others
          await store.forget(known ? [pair.key] : [pair.key, name.key])
          if (!known) await store.giveBack(place.key)
          await store.addKnownAddress(userId, network)
        },
      }
    },
    async trust(userId, userName, address) {
      const network = networkOf(address)
      const [pair, name] = rulesOf('password', userName, network)
      await store.forget([pair.key, name.key])
      await store.addKnownAddress(userId, network)
    },
    cleanUp: () => store.cleanUp(),
  }
}

function rulesOf(
  kind: AttemptKind,
  userName: string,
  network: string,
): [ThrottleRule, ThrottleRule, ThrottleRule] {
  const name = createHash('sha256').update(userName, 'utf8').digest('base64url')
  const [free, maxWaitSeconds] = kind === 'password' ? [5, 60] : [3, 300]
  return [
    { key: `${kind}:pair:${name}:${network}`, free, maxWaitSeconds },
    { key: `${kind}:name:${name}`, free: free * 4, maxWaitSeconds },
    { key: `${kind}:address:${network}`, free: free * 20, maxWaitSeconds: 300 },
  ]
}
