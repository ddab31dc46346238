import { readFileSync } from 'node:fs'
import { accountErrors } from '@headwater/accounts/contract'

/** Minimum number of characters in a password, not counting parts of the user's own address. */
const leastOwnCharacters = 6
/** Minimum length of a repeated unit. */
const shortestUnit = 5
/** Shorter parts of an address are ignored. */
const shortestPart = 3

let known: ReadonlySet<string> | undefined

/**
 * Rejects a password that is easy to guess: a common password, even with digits and punctuation at its end, a short
 * repeated unit, or little more than the e-mail address of the user. Throws `passwordCommon` and `passwordOwnName`.
 */
export function requireGoodPassword(userName: string, password: string): void {
  const text = password.toLowerCase()
  const common = (known ??= readCommonPasswords())
  const unit = unitOf(text)
  if (unit.length < shortestUnit || [text, withoutEnd(text), unit].some((form) => common.has(form)))
    throw accountErrors.passwordCommon()
  const rest = partsOf(userName).reduce((left, part) => left.replaceAll(part, ''), text)
  if (rest !== text && rest.length < leastOwnCharacters) throw accountErrors.passwordOwnName()
}

function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
}

/** Removes trailing digits and punctuation; returns the text itself if it has no letters. */
function withoutEnd(text: string): string {
  return text.replace(/[^\p{L}]+$/u, '') || text
}

/** Returns the repeated unit: `abc` for `abcabcabc`. */
function unitOf(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** Returns the address, its name and host, and their parts, longest first. */
function partsOf(userName: string): string[] {
  const parts = [userName, ...userName.split('@'), ...userName.split(/[^\p{L}\p{N}]+/u)]
  return parts.filter((part) => part.length >= shortestPart).toSorted((a, b) => b.length - a.length)
}
