/** Reads a string from browser storage; null if the key is absent or the browser forbids storage. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Writes a string to browser storage. Does nothing if the browser forbids storage. */
export function writeStoredText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The next page then starts without the string.
  }
}
