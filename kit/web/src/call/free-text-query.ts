import { isUuid } from '@headwater/contract'

/** Returns the query of a search for typed text: plain text is wrapped in wildcards; `name=…` pairs and ids stay as they are. */
export function freeTextQuery(text: string): string {
  const typed = text.trim()
  return typed === '' || typed.includes('=') || isUuid(typed) ? typed : `*${typed}*`
}
