import { firstChoiceUnless } from '@headwater/web-kit'

/** Returns whether a text looks like an e-mail address. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}

/**
 * Rule for address fields: Enter accepts a complete address unchanged; for a part of an address, it selects the first
 * suggestion.
 */
export const addressRule = firstChoiceUnless(isAddress)
