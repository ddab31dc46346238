import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AllowedParameter } from '../contract/index.ts'
import type { Allowed } from './link-permissions.ts'

/** Writes and reads the signed tokens of visitors: links with choices, and submitted forms. */
export interface PublicTokens {
  /**
   * Returns the signed part of a link.
   * @param key key of the stored link, which is valid until it is revoked
   */
  writeLink(signingKey: string, allowed: Allowed, key: string): string
  /**
   * Returns the choices and the key of a link; undefined if the signature is invalid. An empty link allows nothing. Links of
   * earlier versions have no key and end with the public view.
   */
  readLink(signingKey: string, link: string): { allowed: Allowed; key: string | undefined } | undefined
  /** Returns the token of a submitted form. */
  writeVisit(signingKey: string, ends: Date): string
  /** Returns the expiry of the token of a submitted form; undefined if the token is invalid or expired. */
  readVisit(signingKey: string, token: string, now: Date): Date | undefined
  /** Returns a token that replaces the name of a group in one public view and does not reveal it. */
  groupToken(signingKey: string, groupName: string): string
  /** Returns a token of a version of a file in one public view. */
  fileToken(signingKey: string, fid: string): string
}

/**
 * Creates the tokens with a key derived from the secret of the installation. Signatures include the random key of the
 * publication, so that each token belongs to one insight and ends with its public view.
 */
export function createPublicTokens(secret: string): PublicTokens {
  const key = createHmac('sha256', secret).update('public views of insights').digest()

  function signature(purpose: string, signingKey: string, content: string): string {
    return createHmac('sha256', key).update(`${purpose} ${signingKey} ${content}`).digest('base64url')
  }
  function isGenuine(purpose: string, signingKey: string, content: string, given: string): boolean {
    return timingSafeEqual(Buffer.from(given), Buffer.from(signature(purpose, signingKey, content)))
  }

  return {
    writeLink(signingKey, { parameters, dates }, key) {
      const listed = parameters.map(({ name, values }) => [name, values])
      const content = Buffer.from(JSON.stringify([listed, dates, key])).toString('base64url')
      return `${content}.${signature('link', signingKey, content)}`
    },
    readLink(signingKey, link) {
      if (link === '') return { allowed: { parameters: [], dates: false }, key: undefined }
      const [, content, given] = /^([\w-]+)\.([\w-]{43})$/.exec(link) ?? []
      if (content === undefined || given === undefined) return undefined
      if (!isGenuine('link', signingKey, content, given)) return undefined
      const [listed, dates, key] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
        [string, string[]][],
        boolean,
        string?,
      ]
      const parameters = listed.map(([name, values]): AllowedParameter => ({ name, values }))
      return { allowed: { parameters, dates }, key }
    },
    /** Returns the token of a submitted form. */
    writeVisit(signingKey, ends) {
      const seconds = String(Math.floor(ends.getTime() / 1000))
      return `${seconds}.${signature('visit', signingKey, seconds)}`
    },
    readVisit(signingKey, token, now) {
      const [, seconds, given] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
      if (seconds === undefined || given === undefined) return undefined
      if (!isGenuine('visit', signingKey, seconds, given)) return undefined
      const ends = new Date(Number(seconds) * 1000)
      return ends > now ? ends : undefined
    },
    fileToken: (signingKey, fid) => signature('file', signingKey, fid).slice(0, 12),
    groupToken: (signingKey, groupName) => `data-${signature('group', signingKey, groupName).slice(0, 12)}`,
  }
}
