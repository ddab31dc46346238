import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RunAttempt } from '@headwater/server-kit'

/**
 * Action that a signed URL allows: uploading content once, downloading it, or downloading several contents as an archive.
 */
export type LinkAction = 'upload' | 'download' | 'archive'

/** The user of a permit, and its validity. A permit expires at `ends`, and with the attempt in `run` if that is earlier. */
export interface PermitTerms {
  /** Id of the user who requested the permit. The permit grants the access that this user has when it is used. */
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

/** Signs and verifies the permits in the URLs of contents. */
export interface FileLinks {
  /** Signs a permit for one file and one action. */
  sign(action: LinkAction, fileId: string, terms: PermitTerms): string
  /**
   * Returns the user of a permit; undefined if the permit is not genuine, is for another file or action, or has expired.
   * Callers must check the access of this user.
   */
  verify(action: LinkAction, fileId: string, token: string, now: Date): Promise<PermitUser | undefined>
}

/**
 * Creates the permits. The key is derived from the secret of the installation, so that signatures for other purposes are not
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
