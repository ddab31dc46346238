import { createHmac, timingSafeEqual } from 'node:crypto'

/** What the address of a content permits: to send it once, or to read it. */
export type LinkAction = 'upload' | 'download'

/** What a permit ends with, whatever comes first. */
export interface PermitEnd {
  /** Time of expiry. */
  ends: Date
  /** The run that requested the permit; absent for other callers. */
  runId?: string | undefined
}

/** Makes and checks the permits in the addresses of contents. */
export interface FileLinks {
  /** Signs and checks permits for one file and one action. A permit expires at a time, and with the run that requested it. */
  sign(action: LinkAction, fileId: string, until: PermitEnd): string
  /** Whether a permit is genuine, for this file and action, and not over. */
  verify(action: LinkAction, fileId: string, token: string, now: Date): boolean
}

/**
 * Creates the permits with a key derived from the secret of the installation, so that no other signature fits.
 * @param isRunning whether the code of a run still goes on
 */
export function createFileLinks(secret: string, isRunning: (runId: string) => boolean): FileLinks {
  const key = createHmac('sha256', secret).update('addresses of file contents').digest()

  function signature(action: LinkAction, fileId: string, end: string): string {
    return createHmac('sha256', key).update(`${action} ${fileId} ${end}`).digest('base64url')
  }

  return {
    sign(action, fileId, { ends, runId }) {
      const seconds = Math.floor(ends.getTime() / 1000)
      const end = runId === undefined ? `${seconds}` : `${seconds}.${runId}`
      return `${end}.${signature(action, fileId, end)}`
    },
    verify(action, fileId, token, now) {
      const [, end, seconds, runId, given] = permit.exec(token) ?? []
      if (end === undefined || given === undefined) return false
      const isGenuine = timingSafeEqual(Buffer.from(given), Buffer.from(signature(action, fileId, end)))
      return isGenuine && now.getTime() < Number(seconds) * 1000 && (runId === undefined || isRunning(runId))
    },
  }
}

/** When it ends, the run it ends with if it names one, and its signature. */
const permit = /^((\d{1,12})(?:\.([\da-f-]{36}))?)\.([\w-]{43})$/
