/** Reads a list from browser storage; empty if the key is absent or unreadable. */
export function readStoredList(key: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

/** Writes a list to browser storage. Does nothing if the browser forbids storage. */
export function writeStoredList(key: string, list: readonly unknown[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list))
  } catch {
    // The next page then starts without the list.
  }
}
