/** Decodes the `%` escapes of a string. Returns the text unchanged if an escape is invalid. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
