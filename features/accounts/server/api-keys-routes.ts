import { createApiKey, deleteApiKey, listApiKeys } from '@headwater/accounts/contract'
import type { Router } from '@headwater/server-kit'
import type { ApiKeysService } from './api-keys-service.ts'

/** Registers the routes of the caller's API keys. */
export function registerApiKeysRoutes(router: Router, { apiKeys }: { apiKeys: ApiKeysService }): void {
  router.add(listApiKeys, (_input, { principal }) => apiKeys.list(principal.userId))

  router.add(createApiKey, ({ body }, { principal }) => apiKeys.create(principal, body))

  router.add(deleteApiKey, async ({ params }, { principal }) => {
    await apiKeys.remove(principal.userId, params.id)
    return {}
  })
}
