import { isUuid } from '@headwater/contract'

/**
 * Returns the search query for typed text: plain text gets wildcards at both ends; `name=…` pairs and ids stay unchanged.
 */
export function freeTextQuery(text: string): string {
  const typed = text.trim()
  return typed === '' || typed.includes('=') || isUuid(typed) ? typed : `*${typed}*`
}
