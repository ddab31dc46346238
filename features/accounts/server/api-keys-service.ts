import { accountErrors, type ApiKey, type ProductConfiguration } from '@headwater/accounts/contract'
import type { ApiKeysStore } from './api-keys-store.ts'
import { apiKeyPrefix } from './credentials.ts'
import { newSecret } from './secrets.ts'

/** The most keys a user can have. */
const maxApiKeys = 50

/** API keys of users. */
export interface ApiKeysService {
  list(userId: number): Promise<ApiKey[]>
  /** Creates a key; throws `tooManyApiKeys` and `apiKeysOff`. Its secret is known to nobody afterwards. */
  create(userId: number, label: string): Promise<ApiKey & { key: string }>
  /** Deletes a key of this user; throws `apiKeyNotFound`. */
  remove(userId: number, id: number): Promise<void>
  /** The user of a key; undefined for an unknown key, and for every key while API keys are switched off. */
  use(key: string): Promise<number | undefined>
}

/** Creates the service. */
export function createApiKeysService(deps: {
  store: ApiKeysStore
  product: ProductConfiguration
}): ApiKeysService {
  const { store, product } = deps
  const enabled = product.api_keys_enabled === 'true'
  return {
    list: (userId) => store.list(userId),

    async create(userId, label) {
      if (!enabled) throw accountErrors.apiKeysOff()
      const key = apiKeyPrefix + newSecret()
      const created = await store.create(userId, { label, key, limit: maxApiKeys })
      if (created === undefined) throw accountErrors.tooManyApiKeys()
      return { ...created, key }
    },

    async remove(userId, id) {
      if (!(await store.remove(userId, id))) throw accountErrors.apiKeyNotFound()
    },

    use: async (key) => (enabled ? store.use(key) : undefined),
  }
}
