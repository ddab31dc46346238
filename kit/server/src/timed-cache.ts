import type { Clock } from './clock.ts'

/** Remembers what was loaded for a short time; calls for the same key at the same time share one load. */
export interface TimedCache<Key, Value> {
  get(key: Key): Promise<Value>
  /** Forgets a key, also what is being loaded for it at the moment. */
  drop(key: Key): void
  /** Forgets everything. */
  clear(): void
}

/**
 * Creates a cache in front of `load`.
 * @param ttlMs how long a value is believed; the longest time that a change made by another server goes unseen
 * @param maxEntries the oldest entry leaves when there are more
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
      entries.delete(key)
      entries.set(key, entry)
      const [oldest] = entries.keys()
      if (entries.size > maxEntries) entries.delete(oldest as Key)
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
    drop: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
