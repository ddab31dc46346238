import type { FastifyRequest } from 'fastify'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Principal } from '@headwater/server-kit'
import type { AccessTokens } from './access-tokens.ts'
import { toPrincipal, type AccountsCache } from './accounts-cache.ts'
import type { ApiKeysService } from './api-keys-service.ts'
import { parseCredentials, type Credentials } from './credentials.ts'
import type { PasswordChecker } from './password-checker.ts'
import type { SessionsService } from './sessions-service.ts'
import type { Account } from './users-store.ts'

/** The user who made a request, and the kind of credentials. */
export interface Identity {
  /** The user. */
  account: Account
  /** Scheme of the Authorization header. */
  scheme: Principal['scheme']
  /** The session of an access token; absent for API keys and passwords. */
  sessionId?: string
}

/** Identifies the caller of a request. */
export interface Authenticator {
  /** Returns the caller; undefined without an Authorization header. Checks a request once and caches the result. */
  identify(request: FastifyRequest): Promise<Identity | undefined>
  /** The same for the hook of every route. */
  authenticate: Authenticate
}

/** Authenticates every request by access token, API key or password. */
export function createAuthenticator(deps: {
  accounts: AccountsCache
  accessTokens: AccessTokens
  sessions: SessionsService
  apiKeys: ApiKeysService
  passwords: PasswordChecker
}): Authenticator {
  const { accounts, accessTokens, sessions, apiKeys, passwords } = deps
  const identities = new WeakMap<FastifyRequest, Promise<Identity | undefined>>()

  function identify(request: FastifyRequest): Promise<Identity | undefined> {
    const identity = identities.get(request) ?? examine(request.headers.authorization, request.ip)
    identities.set(request, identity)
    return identity
  }

  async function examine(header: string | undefined, address: string): Promise<Identity | undefined> {
    if (header === undefined || header === '') return undefined
    const credentials = parseCredentials(header)
    const identity = credentials && (await prove(credentials, address))
    if (identity?.account.status !== 'ACTIVE') throw commonErrors.signInNeeded()
    return identity
  }

  async function prove(credentials: Credentials, address: string): Promise<Identity | undefined> {
    switch (credentials.kind) {
      case 'password': {
        const account = await passwords.check(credentials.userName, credentials.password, address)
        return { account, scheme: 'Basic' }
      }
      case 'api-key': {
        const userId = await apiKeys.use(credentials.key)
        const account = userId === undefined ? undefined : await accounts.get(userId)
        return account && { account, scheme: 'ApiKey' }
      }
      case 'token': {
        const claims = await accessTokens.read(credentials.token)
        const userId = claims && (await sessions.findUserId(claims.sessionId))
        const account = userId === undefined ? undefined : await accounts.get(userId)
        if (claims === undefined || account?.sub !== claims.sub) return undefined
        return { account, scheme: 'Bearer', sessionId: claims.sessionId }
      }
    }
  }

  return {
    identify,
    async authenticate(request) {
      const identity = await identify(request)
      return identity && toPrincipal(identity.account, identity.scheme)
    },
  }
}
