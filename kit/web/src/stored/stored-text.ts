/** Reads a string from browser storage; null when the key is absent or the browser forbids storage. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Writes a string to browser storage. Does nothing when the browser forbids storage. */
export function writeStoredText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // the next page then starts without the text
  }
}
