import { accountErrors, type ApiKey, type ProductConfiguration } from '@headwater/accounts/contract'
import { createTimedCache, lastIsoTime, parseUtcEnd, type Clock, type Principal } from '@headwater/server-kit'
import type { ApiKeysStore } from './api-keys-store.ts'
import { apiKeyPrefix } from './credentials.ts'
import { hashSecret, newSecret } from './secrets.ts'

/** Maximum number of keys per user. */
const maxApiKeys = 50

/** Cache lifetime of the owner of a key. A key deleted through another server works until then. */
const cacheTtlMs = 1000

/** API keys of users. */
export interface ApiKeysService {
  /** Returns the keys of a user, newest first. */
  list(userId: number): Promise<ApiKey[]>
  /** Creates a key; throws `apiKeyByApiKey`, `tooManyApiKeys`, `expiryPast`, `expiryTooLate` and `apiKeysOff`. The secret cannot be read again. */
  create(
    principal: Pick<Principal, 'userId' | 'scheme'>,
    given: { label: string; expiresAt?: string | undefined },
  ): Promise<ApiKey & { key: string }>
  /** Deletes a key of this user; throws `apiKeyNotFound`. */
  remove(userId: number, id: number): Promise<void>
  /** Deletes a key of this user; returns false if it does not exist. */
  removeOne(userId: number, id: number): Promise<boolean>
  /** Deletes all keys of a user and returns their number. */
  removeOfUser(userId: number): Promise<number>
  /** Returns the user of a key; undefined for an unknown or expired key, and for every key while API keys are switched off. */
  use(key: string): Promise<number | undefined>
}

/** Creates the service. */
export function createApiKeysService(deps: {
  store: ApiKeysStore
  product: ProductConfiguration
  clock: Clock
}): ApiKeysService {
  const { store, product, clock } = deps
  const enabled = product.api_keys_enabled === 'true'
  const owners = createTimedCache({
    load: (hash: string) => store.use(Buffer.from(hash, 'hex')),
    ttlMs: cacheTtlMs,
    maxEntries: 10_000,
    clock,
  })
  async function removeOne(userId: number, id: number): Promise<boolean> {
    const wasThere = await store.remove(userId, id)
    owners.clear()
    return wasThere
  }

  return {
    removeOne,
    list: (userId) => store.list(userId),

    async create({ userId, scheme }, { label, expiresAt: expiry }) {
      if (!enabled) throw accountErrors.apiKeysOff()
      // Otherwise a leaked key that expires could create one that does not.
      if (scheme === 'ApiKey') throw accountErrors.apiKeyByApiKey()
      const expiresAt = parseUtcEnd(expiry)
      if (expiresAt !== undefined && expiresAt <= clock.now()) throw accountErrors.expiryPast()
      if (expiresAt !== undefined && expiresAt > lastIsoTime) throw accountErrors.expiryTooLate()
      const key = apiKeyPrefix + newSecret()
      const created = await store.create(userId, { label, key, expiresAt, limit: maxApiKeys })
      if (created === undefined) throw accountErrors.tooManyApiKeys()
      return { ...created, key }
    },

    async remove(userId, id) {
      if (!(await removeOne(userId, id))) throw accountErrors.apiKeyNotFound()
    },

    async removeOfUser(userId) {
      const count = await store.removeOfUser(userId)
      owners.clear()
      return count
    },

    async use(key) {
      if (!enabled) return undefined
      const hash = hashSecret(key).toString('hex')
      const owner = await owners.get(hash)
      // Unknown keys are not cached: guesses do not fill the cache, and a new key works immediately.
      if (owner === undefined) owners.drop(hash)
      const isExpired = owner?.expiresAt !== undefined && owner.expiresAt <= clock.now()
      return isExpired ? undefined : owner?.userId
    },
  }
}
