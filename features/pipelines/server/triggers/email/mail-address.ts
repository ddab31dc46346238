import { createHash, createHmac } from 'node:crypto'
import type { StoredTrigger } from '../trigger-definitions.ts'

/**
 * Returns the token in the address of a trigger. It is derived from a secret, so that the address can be displayed at any time.
 */
export function mailTokenOf(
  signingSecret: string,
  { id, keyNumber }: Pick<StoredTrigger, 'id' | 'keyNumber'>,
): string {
  return createHmac('sha256', signingSecret).update(`mail ${id} ${keyNumber}`).digest('hex').slice(0, 32)
}

/** Returns the hash of a token, which the database uses to find the trigger. */
export function hashOfMailToken(token: string): string {
  return createHash('sha256').update(`mail ${token}`).digest('hex')
}

/** Returns the address of a trigger: the address of the mailbox with the token after a plus sign. */
export function mailAddressOf(mailbox: string, token: string): string {
  const at = mailbox.lastIndexOf('@')
  return `${mailbox.slice(0, at)}+${token}${mailbox.slice(at)}`
}

/** Returns the tokens in addresses of the mailbox. */
export function mailTokensIn(mailbox: string, addresses: readonly string[]): string[] {
  const at = mailbox.lastIndexOf('@')
  const [start, end] = [`${mailbox.slice(0, at)}+`, mailbox.slice(at)]
  const tokens = addresses
    .map((address) => address.trim().toLowerCase())
    .filter((address) => address.startsWith(start) && address.endsWith(end))
    .map((address) => address.slice(start.length, -end.length))
  return [...new Set(tokens.filter((token) => /^[0-9a-f]{32}$/.test(token)))]
}
