import type { AccessMode } from '@headwater/contract'
import { covers, isEntitled, resources, type Entitlement } from '@headwater/accounts/contract'
import { createTimedCache, type Clock, type Principal, type TimedCache } from '@headwater/server-kit'
import type { Account, UsersStore } from './users-store.ts'

/**
 * Cache lifetime of a user. A change made on this server applies immediately, a change made on another server after
 * this time at the latest.
 */
export const accountTtlMs = 2000

/** Cache of users by id, so that not every request reads their roles. */
export type AccountsCache = TimedCache<number, Account | undefined>

/** Creates a cache of 10,000 users. */
export function createAccountsCache({ store, clock }: { store: UsersStore; clock: Clock }): AccountsCache {
  return createTimedCache({
    load: (userId) => store.findAccount(userId),
    ttlMs: accountTtlMs,
    maxEntries: 10_000,
    clock,
  })
}

/** Returns the entitlements of a user: each resource once with its highest mode, sorted by area and name. */
export function entitlementsOf(account: Pick<Account, 'holdsEverything' | 'entitlements'>): Entitlement[] {
  const everything = resources.map(({ name, ...rest }): Entitlement => ({ resource: name, ...rest }))
  const all = account.holdsEverything ? everything : account.entitlements
  const highest = new Map<string, Entitlement>()
  for (const { resource, mode, parent } of all) {
    const key = nameOf({ resource, parent })
    const held = highest.get(key)
    if (held === undefined || !covers(held.mode, mode))
      highest.set(key, { resource, mode, ...(parent === undefined ? {} : { parent }) })
  }
  return [...highest.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** Principals by cached account, so that requests of one user share them. */
const principals = new WeakMap<Account, Map<Principal['scheme'], Principal>>()

/** Returns the principal of a user: the caller of a request, or the user that a job runs for. */
export function toPrincipal(account: Account, scheme: Principal['scheme']): Principal {
  const known = principals.get(account) ?? new Map<Principal['scheme'], Principal>()
  principals.set(account, known)
  const principal = known.get(scheme) ?? makePrincipal(account, scheme)
  known.set(scheme, principal)
  return principal
}

function makePrincipal(account: Account, scheme: Principal['scheme']): Principal {
  const entitlements = entitlementsOf(account)
  return {
    userId: account.userId,
    userName: account.userName,
    companyId: account.companyId,
    scheme,
    isAdministrator: isEntitled(entitlements, 'Administrator'),
    can: (resource: string, mode: AccessMode) => {
      const names = resource.split('/')
      const [name = '', parent] = names.toReversed()
      return names.length <= 2 && isEntitled(entitlements, name, mode, parent)
    },
  }
}

function nameOf({ resource, parent }: { resource: string; parent?: string | undefined }): string {
  return parent === undefined ? resource : `${parent}/${resource}`
}
