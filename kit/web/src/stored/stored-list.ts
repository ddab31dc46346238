/** What the browser keeps as a list under a key; empty when there is nothing, or nothing that can be read. */
export function readStoredList(key: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

/** Keeps a list under a key. A browser that forbids storage forgets it. */
export function writeStoredList(key: string, list: readonly unknown[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list))
  } catch {
    // the next page starts without it
  }
}
