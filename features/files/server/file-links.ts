import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RunAttempt } from '@headwater/server-kit'

/** Permission of the address of a content: to send it once, or to read it. */
export type LinkAction = 'upload' | 'download'

/** Ends of a permit; the earlier one applies. */
export interface PermitEnd {
  /** Time of expiry. */
  ends: Date
  /** The attempt of a run whose code requested the permit; absent for other callers. */
  run?: RunAttempt | undefined
}

/** Makes and checks the permits in the addresses of contents. */
export interface FileLinks {
  /** Signs and checks permits for one file and one action. A permit expires at a time, and with the attempt that requested it. */
  sign(action: LinkAction, fileId: string, until: PermitEnd): string
  /** Whether a permit is genuine, for this file and action, and not over. */
  verify(action: LinkAction, fileId: string, token: string, now: Date): Promise<boolean>
}

/**
 * Creates the permits with a key derived from the secret of the installation, so that no other signature fits.
 * @param isAttemptRunning whether the code of an attempt is still running
 */
export function createFileLinks(
  secret: string,
  isAttemptRunning: (run: RunAttempt) => Promise<boolean>,
): FileLinks {
  const key = createHmac('sha256', secret).update('addresses of file contents').digest()

  function signature(action: LinkAction, fileId: string, end: string): string {
    return createHmac('sha256', key).update(`${action} ${fileId} ${end}`).digest('base64url')
  }

  return {
    sign(action, fileId, { ends, run }) {
      const seconds = Math.floor(ends.getTime() / 1000)
      const end = run === undefined ? `${seconds}` : `${seconds}.${run.runId}.${run.eId}.${run.attempt}`
      return `${end}.${signature(action, fileId, end)}`
    },
    async verify(action, fileId, token, now) {
      const [, end, seconds, runId, eId, attempt, given] = permit.exec(token) ?? []
      if (end === undefined || given === undefined) return false
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(signature(action, fileId, end)))) return false
      if (now.getTime() >= Number(seconds) * 1000) return false
      if (runId === undefined || eId === undefined) return true
      return isAttemptRunning({ runId, eId, attempt: Number(attempt) })
    },
  }
}

/** Time of expiry, the attempt of a run if the permit ends with one, and the signature. */
const permit = /^((\d{1,12})(?:\.([\da-f-]{36})\.([\da-f-]{36})\.(\d{1,9}))?)\.([\w-]{43})$/
