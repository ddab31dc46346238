/**
 * Normalises a user name: trimmed, lower case.
 * @returns undefined for text that cannot be a user name: empty, longer than 320 characters, or with control characters
 */
export function parseUserName(text: string): string | undefined {
  const userName = text.trim().toLowerCase()
  if (userName === '' || userName.length > 320 || /\p{Cc}/u.test(userName)) return undefined
  return userName
}
