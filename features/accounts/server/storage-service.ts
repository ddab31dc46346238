import type { StorageLimits, StorageOverview } from '@headwater/accounts/contract'
import { createTimedCache, type Clock, type Log, type Principal } from '@headwater/server-kit'
import type { StorageLimitsStore } from './storage-limits-store.ts'

/** How much is stored, as the feature that stores files reports it. */
export interface StorageUsage {
  /** Bytes of the files of one user, or of everybody. */
  storedBytes(owner: number | 'everybody'): Promise<number>
  /** Bytes that are free on the disk of the files. */
  freeDiskBytes(): Promise<number>
}

/** Limits of stored files. */
export interface StorageService {
  /** The limits in force; changes made through another server count after a second. */
  limits(): Promise<StorageLimits>
  overview(): Promise<StorageOverview>
  /** Changes limits; absent ones stay. */
  update(principal: Principal, change: Partial<StorageLimits>): Promise<StorageOverview>
  /** What a user has stored, and the limit. */
  ofUser(userId: number): Promise<{ storedBytes: number; limitBytes: number }>
}

const cacheTtlMs = 1000

/** Creates the service. */
export function createStorageService(deps: {
  store: StorageLimitsStore
  usage: StorageUsage
  clock: Clock
  log: Log
}): StorageService {
  const { store, usage, clock, log } = deps
  const cache = createTimedCache({
    load: (_key: 'limits') => store.read(),
    ttlMs: cacheTtlMs,
    maxEntries: 1,
    clock,
  })
  const limits = () => cache.get('limits')

  async function overview(): Promise<StorageOverview> {
    const [present, storedBytes, freeDiskBytes] = await Promise.all([
      limits(),
      usage.storedBytes('everybody'),
      usage.freeDiskBytes(),
    ])
    return { ...present, storedBytes, freeDiskBytes }
  }

  return {
    limits,
    overview,
    async update(principal, change) {
      await store.update(change)
      cache.clear()
      log.info({ by: principal.userId, change }, 'the limits of stored files were changed')
      return overview()
    },
    async ofUser(userId) {
      const [storedBytes, { bytesPerUser }] = await Promise.all([usage.storedBytes(userId), limits()])
      return { storedBytes, limitBytes: bytesPerUser }
    },
  }
}
