import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AllowedParameter } from '../contract/index.ts'
import type { Allowed } from './link-permissions.ts'

/** Writes and reads what visitors of public views carry: links that allow parameters, and filled-in forms. */
export interface PublicTokens {
  /** @param key what the link is known by while it has not been ended */
  writeLink(signingKey: string, allowed: Allowed, key: string): string
  /**
   * What a link allows and the key it is known by; undefined when it is not genuine. An empty link allows nothing. A link
   * without a key was made by an earlier version and ends with the public view.
   */
  readLink(signingKey: string, link: string): { allowed: Allowed; key: string | undefined } | undefined
  writeVisit(signingKey: string, ends: Date): string
  /** Until when a filled-in form counts; undefined when it is not genuine or over. */
  readVisit(signingKey: string, token: string, now: Date): Date | undefined
  /** A word that stands for a group in one public view; nobody can tell the name from it. */
  groupWord(signingKey: string, groupName: string): string
  /** A word that stands for a version of a file in one public view. */
  fileWord(signingKey: string, fid: string): string
}

/**
 * Creates the tokens with a key derived from the secret of the installation. Each is signed together with the random key
 * of the publication as well, so that it belongs to one insight and ends with its public view.
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
    fileWord: (signingKey, fid) => signature('file', signingKey, fid).slice(0, 12),
    groupWord: (signingKey, groupName) => `data-${signature('group', signingKey, groupName).slice(0, 12)}`,
  }
}
