import { randomBytes, randomUUID } from 'node:crypto'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Principal, RunAttempt } from '@headwater/server-kit'

/** Tokens with which the code of a task authenticates at the API while it runs. */
export interface RunTokens {
  /** Issues a token for a user, valid until it is closed. The database never contains it. */
  open(userId: number): { token: string; close(): void }
  /** Whether the token of the principal with this `run` is still valid. */
  isOpen(run: RunAttempt): boolean
  /** Authenticates requests with a token of a run, and passes others to `next`. */
  authenticate(next: Authenticate): Authenticate
}

/**
 * Creates the tokens. They exist in this process only, as do the runs they belong to.
 * @param findPrincipal returns the principal of an active user; called for each request, so that changes apply at once
 */
export function createRunTokens(
  findPrincipal: (userId: number) => Promise<Principal | undefined>,
): RunTokens {
  const runs = new Map<string, { userId: number; run: RunAttempt }>()
  /** Separate from the tokens, because these ids are part of URLs. */
  const runIds = new Set<string>()
  return {
    open(userId) {
      // Clients treat shorter texts as API keys.
      const token = randomBytes(64).toString('base64url')
      const runId = randomUUID()
      runs.set(token, { userId, run: { runId, eId: randomUUID(), attempt: 1 } })
      runIds.add(runId)
      return {
        token,
        close() {
          runs.delete(token)
          runIds.delete(runId)
        },
      }
    },
    isOpen: ({ runId }) => runIds.has(runId),
    authenticate: (next) => async (request) => {
      const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const run = token === undefined ? undefined : runs.get(token)
      if (run === undefined) return next(request)
      const principal = await findPrincipal(run.userId)
      if (principal === undefined) throw commonErrors.signInNeeded()
      return inRun(principal, run.run)
    },
  }
}

/** Returns the principal of a user without administrator access. */
function inRun(principal: Principal, run: RunAttempt): Principal {
  return {
    ...principal,
    run,
    isAdministrator: false,
    can: (resource, mode) => !/^(MyAccount|Administrator)\b/.test(resource) && principal.can(resource, mode),
  }
}
