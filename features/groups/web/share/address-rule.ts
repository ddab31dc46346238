import { firstChoiceUnless } from '@headwater/web-kit'

/** Returns whether a text has the form of an e-mail address. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}

/** Rule of fields for addresses: Enter takes a complete address as it is, and for a part of one the first suggestion. */
export const addressRule = firstChoiceUnless(isAddress)
