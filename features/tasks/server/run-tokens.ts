import { randomBytes, randomUUID } from 'node:crypto'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Principal } from '@headwater/server-kit'

/** Tokens with which the code of a task authenticates at the API while it runs. */
export interface RunTokens {
  /** Issues a token for a user, valid until it is closed. The database never contains it. */
  open(userId: number): { token: string; close(): void }
  /** Whether the token of the principal with this `runId` is still valid. */
  isOpen(runId: string): boolean
  /** Authenticates requests with a token of a run, and passes others to `next`. */
  authenticate(next: Authenticate): Authenticate
}

/** Routes of accounts. User code cannot use them, even if its user can. */
const accountRoutes = /^\/auth(\/|$)/

/**
 * Routes with which the code of a run can change data: files, series, statuses and the values of its run. It cannot start other runs
 * or change what outlasts the run, such as schedules, shares and public views.
 */
const changingRoutes = [
  /^\/file(\/:fid(\/content)?|\/group)?$/,
  /^\/ts(\/(stream|batch|symbol\/.+|formula|formula\/.+))?$/,
  /^\/insights\/search$/,
  /^\/status$/,
  /^\/mgmt\/store\/:pipelineId\/:key$/,
]

/**
 * Creates the tokens. They exist in this process only, as do the runs they belong to.
 * @param findPrincipal returns the principal of an active user; called for each request, so that changes apply at once
 */
export function createRunTokens(
  findPrincipal: (userId: number) => Promise<Principal | undefined>,
): RunTokens {
  const runs = new Map<string, { userId: number; runId: string }>()
  /** Separate from the tokens, because these ids are part of URLs. */
  const runIds = new Set<string>()
  return {
    open(userId) {
      // Clients treat shorter texts as API keys.
      const token = randomBytes(64).toString('base64url')
      const runId = randomUUID()
      runs.set(token, { userId, runId })
      runIds.add(runId)
      return {
        token,
        close() {
          runs.delete(token)
          runIds.delete(runId)
        },
      }
    },
    isOpen: (runId) => runIds.has(runId),
    authenticate: (next) => async (request) => {
      const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const run = token === undefined ? undefined : runs.get(token)
      if (run === undefined) return next(request)
      const principal = await findPrincipal(run.userId)
      if (principal === undefined) throw commonErrors.signInNeeded()
      const path = request.routeOptions.url ?? ''
      if (accountRoutes.test(path))
        throw commonErrors.forbidden({ what: 'manage an account from within a run' })
      if (request.method !== 'GET' && !changingRoutes.some((allowed) => allowed.test(path)))
        throw commonErrors.forbidden({
          what: 'do this from within a run, which can change files, series and statuses only',
        })
      return inRun(principal, run.runId)
    },
  }
}

/** Returns the principal of a user without administrator access. */
function inRun(principal: Principal, runId: string): Principal {
  return {
    ...principal,
    runId,
    isAdministrator: false,
    can: (resource, mode) => !/^(MyAccount|Administrator)\b/.test(resource) && principal.can(resource, mode),
  }
}
