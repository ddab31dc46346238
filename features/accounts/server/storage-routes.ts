import { getOwnStorage, getStorageLimits, updateStorageLimits } from '@headwater/accounts/contract'
import type { Router } from '@headwater/server-kit'
import type { StorageService } from './storage-service.ts'

/** Registers the routes of the limits of stored files. */
export function registerStorageRoutes(router: Router, { storage }: { storage: StorageService }): void {
  router.add(getOwnStorage, (_input, { principal }) => storage.ofUser(principal.userId))

  router.add(getStorageLimits, () => storage.overview())

  router.add(updateStorageLimits, ({ body }, { principal }) => storage.update(principal, body))
}
