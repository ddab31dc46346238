/**
 * Sets an entry of a Map as the newest one, and drops the oldest one if the Map has more than `maxEntries`. A cache
 * that sets an entry again on each use drops the least recently used entry first.
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
