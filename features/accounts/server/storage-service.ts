import type { StorageLimits, StorageOverview } from '@headwater/accounts/contract'
import { createTimedCache, type Clock, type Log, type Principal } from '@headwater/server-kit'
import type { StorageLimitsStore } from './storage-limits-store.ts'

/** Reports how much is stored; the files feature provides it. */
export interface StorageUsage {
  /** Returns the bytes of the files of one user, or of all users. */
  storedBytes(owner: number | 'everybody'): Promise<number>
  /** Returns the free bytes on the disk of the files. */
  freeDiskBytes(): Promise<number>
}

/** Reads and changes the limits of stored files. */
export interface StorageService {
  /** Returns the limits. Changes through another server apply after a second. */
  limits(): Promise<StorageLimits>
  /** Returns the limits, the stored bytes and the free bytes. */
  overview(): Promise<StorageOverview>
  /** Changes limits; absent ones keep their value. */
  update(principal: Principal, change: Partial<StorageLimits>): Promise<StorageOverview>
  /** Returns the stored bytes of a user and the limit. */
  ofUser(userId: number): Promise<{ storedBytes: number; limitBytes: number }>
}

const cacheTtlMs = 1000

/** Creates the service of limits. */
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
