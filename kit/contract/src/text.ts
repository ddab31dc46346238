/** Returns the non-empty lines of a string, trimmed. */
export function linesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Truncates a string to at most `most` characters without splitting a surrogate pair. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most)
}
