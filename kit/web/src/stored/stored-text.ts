/** What the browser keeps as a text under a key; null when there is nothing, or the browser forbids storage. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text under a key. A browser that forbids storage forgets it. */
export function writeStoredText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // the next page starts without it
  }
}
