import { createHash } from 'node:crypto'
import { accountErrors } from '@headwater/accounts/contract'
import { networkOf } from '@headwater/server-kit'
import type { ThrottleRule, ThrottleStore } from './throttle-store.ts'

/** The limited actions: checking a password and sending a reset link. */
export type AttemptKind = 'password' | 'reset'

/** An admitted attempt. Call `succeeded` if it succeeds. */
export interface Attempt {
  /** Resets the counters and adds the address to the known addresses of this user. */
  succeeded(userId: number): Promise<void>
}

/** Limits the rate of attempts, whether or not the user exists. */
export interface ThrottleService {
  /** Counts an attempt in advance; throws `tooManyAttempts` if the caller must wait. */
  begin(kind: AttemptKind, userName: string, address: string): Promise<Attempt>
  /** Resets the counters of a user who proved ownership of the account by e-mail. */
  trust(userId: number, userName: string, address: string): Promise<void>
  /** Removes expired counters and addresses. */
  cleanUp(): Promise<void>
}

/**
 * Creates the service with three counters: the user name at this address, the user name at any address, and the address
 * with any name. At an address from which the user signed in before, only the first counter applies. So attackers at
 * other addresses, or with other names at the same address, cannot lock the user out.
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
          const [name, source] = others
          await store.forget(known ? [pair.key] : [pair.key, name.key])
          if (!known) await store.giveBack(source.key)
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
