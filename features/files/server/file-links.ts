import { createHmac, timingSafeEqual } from 'node:crypto'

/** What the address of a content permits: to send it once, or to read it. */
export type LinkAction = 'upload' | 'download'

/** Makes and checks the permits in the addresses of contents. */
export interface FileLinks {
  /** A permit for one file and one action that ends at a moment. */
  sign(action: LinkAction, fileId: string, ends: Date): string
  /** Whether a permit is genuine, for this file and action, and not over. */
  verify(action: LinkAction, fileId: string, token: string, now: Date): boolean
}

/** Creates the permits with a key derived from the secret of the installation, so that no other signature fits. */
export function createFileLinks(secret: string): FileLinks {
  const key = createHmac('sha256', secret).update('addresses of file contents').digest()

  function signature(action: LinkAction, fileId: string, endSeconds: number): string {
    return createHmac('sha256', key).update(`${action} ${fileId} ${endSeconds}`).digest('base64url')
  }

  return {
    sign(action, fileId, ends) {
      const endSeconds = Math.floor(ends.getTime() / 1000)
      return `${endSeconds}.${signature(action, fileId, endSeconds)}`
    },
    verify(action, fileId, token, now) {
      const [, seconds, given] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
      if (seconds === undefined || given === undefined) return false
      const expected = signature(action, fileId, Number(seconds))
      const isGenuine = timingSafeEqual(Buffer.from(given), Buffer.from(expected))
      return isGenuine && now.getTime() < Number(seconds) * 1000
    },
  }
}
