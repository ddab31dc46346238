const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is an id of the product. */
export function isUuid(text: string): boolean {
  return uuid.test(text.trim())
}

/** Returns the query of a search for typed text: plain text is wrapped in wildcards; `name=…` pairs and ids stay as they are. */
export function freeTextQuery(text: string): string {
  const typed = text.trim()
  return typed === '' || typed.includes('=') || isUuid(typed) ? typed : `*${typed}*`
}
