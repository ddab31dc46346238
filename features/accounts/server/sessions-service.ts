import { accountErrors, type TokenPair, type UserSession } from '@headwater/accounts/contract'
import { createTimedCache, type Clock, type Log } from '@headwater/server-kit'
import type { AccessTokens } from './access-tokens.ts'
import { accountTtlMs, type AccountsCache } from './accounts-cache.ts'
import type { SessionsStore } from './sessions-store.ts'
import type { Account, UsersStore } from './users-store.ts'

/** Starts, renews and ends sessions. */
export interface SessionsService {
  /** Starts a session and records the sign-in. */
  start(account: Account): Promise<TokenPair>
  /**
   * Exchanges a refresh token; throws `sessionEnded`, or `accountDeactivated` if the session ended because its user was
   * deactivated and still is.
   * @param fromAddress random text of the browser, for a token from a URL: the token works once, within five minutes of issue
   */
  refresh(refreshToken: string, fromAddress?: string): Promise<TokenPair>
  /** Ends the session of a refresh token; ignores an unknown token. */
  end(refreshToken: string): Promise<void>
  /** Returns the active sessions of a user, most recently used first; at most 100. */
  list(userId: number): Promise<UserSession[]>
  /**
   * Ends all sessions of a user except `except`; returns the number of ended sessions. `isDeactivated`: the user was
   * deactivated.
   */
  endOfUser(userId: number, options?: { except?: string; isDeactivated?: boolean }): Promise<number>
  /** Returns the user of an active session; the result can be 2 s old. */
  findUserId(sessionId: string): Promise<number | undefined>
}

const maxListed = 100

/** Creates the service of sessions. */
export function createSessionsService(deps: {
  store: SessionsStore
  users: UsersStore
  accounts: AccountsCache
  accessTokens: AccessTokens
  /** Called at each sign-in; removes expired sessions, links and counters. */
  onSignIn: () => void
  clock: Clock
  log: Log
}): SessionsService {
  const { store, users, accounts, accessTokens, onSignIn, clock, log } = deps
  const owners = createTimedCache({
    load: (sessionId: string) => store.findUserId(sessionId),
    ttlMs: accountTtlMs,
    maxEntries: 10_000,
    clock,
  })
  return {
    async start(account) {
      const { sessionId, refreshToken } = await store.start(account.userId)
      await users.setLastLogged(account.userId)
      log.info({ userId: account.userId }, 'a user signed in')
      onSignIn()
      return { token: await accessTokens.issue({ sub: account.sub, sessionId }), refreshToken }
    },

    async refresh(refreshToken, fromAddress) {
      const rotation = await store.rotate(refreshToken, fromAddress)
      if (rotation.outcome === 'unknown') throw accountErrors.sessionEnded()
      const { userId, sessionId } = rotation
      if (rotation.outcome === 'reused') {
        owners.drop(sessionId)
        log.warn({ userId, sessionId }, 'a refresh token was used a second time: the session has been ended')
        throw accountErrors.sessionEnded()
      }
      const account = await accounts.get(userId)
      if (account?.status === 'INACTIVE') throw accountErrors.accountDeactivated()
      if (account?.status !== 'ACTIVE' || rotation.outcome === 'deactivated')
        throw accountErrors.sessionEnded()
      return {
        token: await accessTokens.issue({ sub: account.sub, sessionId }),
        refreshToken: rotation.refreshToken,
      }
    },

    async end(refreshToken) {
      const sessionId = await store.endByToken(refreshToken)
      if (sessionId !== undefined) owners.drop(sessionId)
    },

    list: (userId) => store.list(userId, maxListed),

    async endOfUser(userId, options = {}) {
      const ended = await store.endOfUser(userId, options)
      for (const sessionId of ended) owners.drop(sessionId)
      return ended.length
    },

    findUserId: (sessionId) => owners.get(sessionId),
  }
}
