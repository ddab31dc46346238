import { randomBytes } from 'node:crypto'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Principal } from '@headwater/server-kit'

/** Tokens of runs: what the code of a task shows to the API while it runs, and no longer. */
export interface RunTokens {
  /** A token that stands for a user until it is closed. It never is in the database. */
  open(principal: Principal): { token: string; close(): void }
  /** Finds the caller by a token of a run; without one asks `next`. */
  authenticate(next: Authenticate): Authenticate
}

/** Routes that manage who somebody is: code that runs in somebody's name may not, whatever the user may. */
const accountRoutes = /^\/auth(\/|$)/

/** Makes the tokens. They live in this process, as the runs they belong to do. */
export function createRunTokens(): RunTokens {
  const principals = new Map<string, Principal>()
  return {
    open(principal) {
      // Clients of the ecosystem take a shorter text for an API key.
      const token = randomBytes(64).toString('base64url')
      principals.set(token, inRun(principal))
      return { token, close: () => principals.delete(token) }
    },
    authenticate: (next) => async (request) => {
      const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const principal = token === undefined ? undefined : principals.get(token)
      if (principal === undefined) return next(request)
      if (accountRoutes.test(request.routeOptions.url ?? ''))
        throw commonErrors.forbidden({ what: 'manage an account from within a run' })
      return principal
    },
  }
}

/** The rights of a user without those to administer. */
function inRun(principal: Principal): Principal {
  return {
    ...principal,
    isAdministrator: false,
    can: (resource, mode) => !/^(MyAccount|Administrator)\b/.test(resource) && principal.can(resource, mode),
  }
}
