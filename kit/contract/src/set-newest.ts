/**
 * Sets an entry of a Map as its newest and drops the oldest one if there are more than `maxEntries`. Use it for caches: entries that are
 * set again on each use are dropped least recent first.
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
