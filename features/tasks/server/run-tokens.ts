import { randomBytes, randomUUID } from 'node:crypto'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Principal } from '@headwater/server-kit'

/** Tokens of runs: what the code of a task shows to the API while it runs, and no longer. */
export interface RunTokens {
  /** A token that stands for a user until it is closed. It never is in the database. */
  open(userId: number): { token: string; close(): void }
  /** Whether the token is open by which a principal of this `runId` came. */
  isOpen(runId: string): boolean
  /** Finds the caller by a token of a run; without one asks `next`. */
  authenticate(next: Authenticate): Authenticate
}

/** Routes that manage who somebody is: code that runs in somebody's name may not, whatever the user may. */
const accountRoutes = /^\/auth(\/|$)/

/**
 * What code of a run may do besides reading: files, series, statuses and the values of its run. Whatever would last beyond the
 * run, such as schedules, shares and public views, or start another one, is not among them.
 */
const changingRoutes = [
  /^\/file(\/:fid(\/content)?|\/group)?$/,
  /^\/ts(\/(stream|batch|symbol\/.+|formula|formula\/.+))?$/,
  /^\/insights\/search$/,
  /^\/status$/,
  /^\/mgmt\/store\/:pipelineId\/:key$/,
]

/**
 * Makes the tokens. They live in this process, as the runs they belong to do.
 * @param findPrincipal the principal of an active user; asked on each request, so that changes count at once
 */
export function createRunTokens(
  findPrincipal: (userId: number) => Promise<Principal | undefined>,
): RunTokens {
  const runs = new Map<string, { userId: number; runId: string }>()
  /** Not the tokens themselves: these ids stand in addresses. */
  const runIds = new Set<string>()
  return {
    open(userId) {
      // Clients of the ecosystem take a shorter text for an API key.
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
          what: 'do this from within a run, which works on files, series and statuses only',
        })
      return inRun(principal, run.runId)
    },
  }
}

/** The rights of a user without those to administer. */
function inRun(principal: Principal, runId: string): Principal {
  return {
    ...principal,
    runId,
    isAdministrator: false,
    can: (resource, mode) => !/^(MyAccount|Administrator)\b/.test(resource) && principal.can(resource, mode),
  }
}
