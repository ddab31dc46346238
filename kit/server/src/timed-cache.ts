import { setNewest } from '@headwater/contract'
import type { Clock } from './clock.ts'

/** Caches loaded values for a short time. Concurrent calls for the same key share one load. */
export interface TimedCache<Key, Value> {
  /** Returns the cached value of a key or loads it. */
  get(key: Key): Promise<Value>
  /** Removes a key and discards its load in progress. */
  drop(key: Key): void
  /** Removes all keys. */
  clear(): void
}

/**
 * Creates a cache in front of `load`.
 * @param ttlMs lifetime of a value in milliseconds. Changes by other servers become visible at the latest after this time
 * @param maxEntries maximum number of entries; the oldest is removed first
 */
export function createTimedCache<Key, Value>(options: {
  load: (key: Key) => Promise<Value>
  ttlMs: number
  maxEntries: number
  clock: Clock
}): TimedCache<Key, Value> {
  const { load, ttlMs, maxEntries, clock } = options
  const entries = new Map<Key, { value: Promise<Value>; until: number }>()
  return {
    get(key) {
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known !== undefined && known.until > now) return known.value
      const entry = { value: load(key), until: now + ttlMs }
      setNewest(entries, key, entry, maxEntries)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
