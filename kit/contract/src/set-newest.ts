/**
 * Sets an entry of a Map as the newest one, and removes the oldest one if the Map has more than `maxEntries`. If a cache
 * sets an entry again on each use, it removes the least recently used entries first.
 */
export function setNewest<Key, Value>(
  entries: Map<Key, Value>,
  key: Key,
  value: Value,
  maxEntries: number,
): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > maxEntries) entries.delete(entries.keys().next().value!)
}
