import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RunAttempt } from '@headwater/server-kit'

/** Permission that the address of content gives: to send it once, to read it, or to read several contents as an archive. */
export type LinkAction = 'upload' | 'download' | 'archive'

/** The user of a permit, and the two limits of its validity, of which the earlier one applies. */
export interface PermitTerms {
  /** Id of the user who requested it. The permit gives the access that this user has at that time. */
  userId: number
  /** Time of expiry. */
  ends: Date
  /** The attempt of a run whose code requested the permit; absent for other callers. */
  run?: RunAttempt | undefined
}

/** The user of a valid permit. */
export interface PermitUser {
  /** Id of the user. */
  userId: number
  /** Id of the run whose code requested the permit; undefined for other callers. */
  runId: string | undefined
}

/** Makes and checks the permits in the addresses of contents. */
export interface FileLinks {
  /** Signs and checks permits for one file and one action. A permit expires at a time, and with the attempt that requested it. */
  sign(action: LinkAction, fileId: string, terms: PermitTerms): string
  /**
   * Returns the user of a permit that is genuine, for this file and action, and has not expired; otherwise undefined.
   * Check the access of this user afterwards.
   */
  verify(action: LinkAction, fileId: string, token: string, now: Date): Promise<PermitUser | undefined>
}

/**
 * Creates the permits with a key derived from the secret of the installation, so that no other signature is
 * valid.
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
    sign(action, fileId, { userId, ends, run }) {
      const seconds = Math.floor(ends.getTime() / 1000)
      const ofRun = run === undefined ? '' : `.${run.runId}.${run.eId}.${run.attempt}`
      const end = `${seconds}.u${userId}${ofRun}`
      return `${end}.${signature(action, fileId, end)}`
    },
    async verify(action, fileId, token, now) {
      const [, end, seconds, userId, runId, eId, attempt, given] = permit.exec(token) ?? []
      if (end === undefined || given === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(signature(action, fileId, end)))) return undefined
      if (now.getTime() >= Number(seconds) * 1000) return undefined
      const isOfRun = runId !== undefined && eId !== undefined
      if (isOfRun && !(await isAttemptRunning({ runId, eId, attempt: Number(attempt) }))) return undefined
      return { userId: Number(userId), runId }
    },
  }
}

/** Time of expiry, the user, the attempt of a run if the permit ends with one, and the signature. */
const permit = /^((\d{1,12})\.u(\d{1,15})(?:\.([\da-f-]{36})\.([\da-f-]{36})\.(\d{1,9}))?)\.([\w-]{43})$/
