import { readFileSync } from 'node:fs'
import { accountErrors } from '@headwater/accounts/contract'

/** What of a password has to be left without the user's own name and address. */
const leastOwnCharacters = 6
/** What is repeated needs so many characters. */
const shortestUnit = 5
/** Parts of an address that are too short to be recognised in a password. */
const shortestPart = 3

let known: ReadonlySet<string> | undefined

/**
 * Refuses a password that others guess first: a common one, also with digits and signs behind it, one character or a row of keys
 * repeated, or little more than the user's own address. Throws `passwordCommon` and `passwordOwnName`.
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

/** A word without the digits and signs that people put behind it; the text itself when it has no letters. */
function withoutEnd(text: string): string {
  return text.replace(/[^\p{L}]+$/u, '') || text
}

/** What is repeated: `abcabcabc` is `abc` three times. */
function unitOf(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** The address, its name and host, and the parts of these, the longest first. */
function partsOf(userName: string): string[] {
  const parts = [userName, ...userName.split('@'), ...userName.split(/[^\p{L}\p{N}]+/u)]
  return parts.filter((part) => part.length >= shortestPart).toSorted((a, b) => b.length - a.length)
}
