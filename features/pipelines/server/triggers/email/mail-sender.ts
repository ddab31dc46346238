import { wildcardMatcher } from '@headwater/contract'
import type { ReadMail } from './read-mail.ts'

/**
 * Returns why an e-mail is not accepted from its sender; undefined if it is.
 * @param authServer mail server that authenticates senders; undefined if senders are not authenticated
 */
export function senderProblem(
  { senders, authentication }: Pick<ReadMail, 'senders' | 'authentication'>,
  allowed: readonly string[],
  authServer: string | undefined,
): string | undefined {
  const [sender, ...others] = senders
  if (sender === undefined || others.length > 0) return 'The e-mail must have exactly one sender.'
  if (!allowed.some((pattern) => wildcardMatcher(pattern)(sender)))
    return `${sender} is not an allowed sender of this address.`
  if (authServer === undefined || isProven(sender, authentication, authServer)) return undefined
  return `The mail server ${authServer} does not confirm that the e-mail is from ${sender}.`
}

/**
 * Returns whether the mail server confirmed the sender. Only the result that was added last counts, because the server removes
 * forged results or adds its own before them.
 */
function isProven(sender: string, authentication: readonly string[], authServer: string): boolean {
  const own = authentication.find((value) => value.split(/[;\s]/)[0]?.toLowerCase() === authServer)
  if (own === undefined) return false
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const results = own
    .toLowerCase()
    .replaceAll(/\([^)]*\)/g, '')
    .split(';')
    .slice(1)
  return results.some((result) => {
    const text = result.trim()
    if (/^dmarc=pass\b/.test(text)) return isAligned(/\bheader\.from=(\S+)/.exec(text)?.[1] ?? domain, domain)
    if (/^dkim=pass\b/.test(text)) return isAligned(/\bheader\.d=(\S+)/.exec(text)?.[1], domain)
    if (/^spf=pass\b/.test(text))
      return isAligned(/\bsmtp\.mailfrom=(\S+)/.exec(text)?.[1]?.split('@').at(-1), domain)
    return false
  })
}

/** Returns whether an authenticated domain is the domain of the sender or a parent domain. */
function isAligned(proven: string | undefined, domain: string): boolean {
  return proven !== undefined && proven.includes('.') && (domain === proven || domain.endsWith(`.${proven}`))
}
