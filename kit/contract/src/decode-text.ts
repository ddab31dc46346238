/** Returns a text with its `%` escapes decoded; the text itself if they are invalid. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
