const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a string is exactly one UUID, regardless of case. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
