import type { Store } from '@headwater/web-kit'
import { type ApiError, createStore } from '@headwater/web-kit'
import type { CurrentUser, TokenPair } from '../contract/index.ts'
import {
  type Arrival,
  type ArrivalStorage,
  type SessionStorage,
  clearSignedInState,
} from './session-storage.ts'
import { createSessionTokens, isUnreachable } from './session-tokens.ts'

/** State of a session. `error` states why the user can no longer sign in. `unreachable`: there is a refresh token, but the server has not responded yet. */
export type SessionState =
  | { phase: 'starting' }
  | { phase: 'signed-out'; error?: ApiError }
  | { phase: 'unreachable'; error: ApiError }
  | { phase: 'switching'; choice: AccountChoice }
  | { phase: 'signed-in'; user: CurrentUser }

/** The choice when a URL signs in another account than the current one. */
export interface AccountChoice {
  /** E-mail address of the user who is signed in. */
  current: string
  /** E-mail address of the account of the URL. */
  next: string
  /** Keeps the current user and ends the session of the URL. */
  stay: () => void
  /** Ends the session of the current user in all tabs and removes what it stored. */
  switchAccount: () => void
}

/** The calls a session makes; each throws an {@link ApiError}. */
export interface SessionCalls {
  /** Exchanges a refresh token; `fromAddress` is the random text of the browser for a token from the URL. */
  refresh(refreshToken: string, fromAddress?: string): Promise<TokenPair>
  /** Reads the user of an access token; default the token of the session. */
  settings(token?: string): Promise<CurrentUser>
  /** Ends the session of a refresh token. */
  logOut(refreshToken: string): Promise<unknown>
}

/** Dependencies of a session. */
export interface SessionWorld {
  /** Requests to the server. */
  calls: SessionCalls
  /** Storage that all tabs share. */
  storage: SessionStorage
  /** Storage of this tab. */
  arrivals: ArrivalStorage
  /** Generates a random text. */
  newSecret: () => string
  /** Runs work under a lock that all tabs share. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
  /** Sends a new access token to the other tabs. */
  notifyTabs: (token: string) => void
  /** Notifies the other tabs that another user signed in. */
  notifyUserChange: () => void
  /** Calls a function after a delay; returns a function that cancels the call. */
  after: (delayMs: number, callback: () => void) => () => void
}

/** The session of this tab. */
export interface Session {
  /** Current state, observable. */
  readonly state: Store<SessionState>
  /** Resolves when requests have the token of the first user, before the settings are loaded. */
  readonly begun: Promise<void>
  /** The access token; in memory only. */
  token: () => string | undefined
  /**
   * Starts: exchanges the refresh token of the URL or, without one, of the storage, and reads the settings. If the storage
   * contains the session of another user, the user must confirm the switch.
   */
  start: (tokenOfAddress?: string) => Promise<void>
  /** Starts with the tokens of a sign-in or an activation, and reads the settings. */
  adopt: (pair: TokenPair) => Promise<void>
  /** Fetches a new access token, one exchange at a time over all tabs. Returns whether there is a token. */
  renew: () => Promise<boolean>
  /** Uses an access token that another tab fetched. */
  takeToken: (token: string) => void
  /** Restarts after another tab switched to another user. */
  userChanged: () => void
  /** Signs out or in after another tab removed or stored the refresh token. */
  storageChanged: () => void
  /** Replaces the user after a change of settings. */
  setUser: (user: CurrentUser) => void
  /** Ends the session and removes the user's keys from browser storage. */
  logOut: () => Promise<void>
}

/** Creates the session of a tab. */
export function createSession(world: SessionWorld): Session {
  const { calls, storage } = world
  const state = createStore<SessionState>({ phase: 'starting' })
  const begun = Promise.withResolvers<void>()
  const tokens = createSessionTokens(world, { onEnded: drop, onUnreachable: waitUnlessSignedIn })
  let arrival: Arrival | undefined
  /** Result of exchanging the token of the URL; not in use yet. */
  let arrivedPair: TokenPair | undefined

  function drop(reason?: ApiError): void {
    tokens.clear()
    const before = state.get()
    // The call that noticed the end of the session fails as well, without the reason.
    const error = reason ?? (before.phase === 'signed-out' ? before.error : undefined)
    state.set({ phase: 'signed-out', ...(error === undefined ? {} : { error }) })
  }

  function waitUnlessSignedIn(error: ApiError): void {
    if (state.get().phase !== 'signed-in') state.set({ phase: 'unreachable', error })
  }

  async function readSettings(): Promise<void> {
    begun.resolve()
    const user = await readUser()
    if (user !== undefined) state.set({ phase: 'signed-in', user })
  }

  /** Returns the user of the session; undefined without a response or if the session has ended. */
  async function readUser(): Promise<CurrentUser | undefined> {
    try {
      return await calls.settings()
    } catch (error) {
      // A call aborted by leaving the page also fails here; the next page continues the session.
      if (isUnreachable(error)) state.set({ phase: 'unreachable', error })
      else await logOut()
      return undefined
    }
  }

  /** Exchanges the token of the URL. Returns whether the start can continue; a refused token does not change another session. */
  async function exchangeArrived(): Promise<boolean> {
    if (arrival === undefined || arrivedPair !== undefined) return true
    try {
      arrivedPair = await calls.refresh(arrival.token, arrival.secret)
    } catch (error) {
      if (isUnreachable(error)) {
        state.set({ phase: 'unreachable', error })
        return false
      }
      forgetArrival()
      if (storage.refreshToken() === undefined) storage.clear()
    }
    return true
  }

  function forgetArrival(): void {
    arrival = undefined
    arrivedPair = undefined
    world.arrivals.forget()
  }

  async function adopt(pair: TokenPair): Promise<void> {
    tokens.keep(pair)
    forgetArrival()
    await readSettings()
  }

  /**
   * Replaces the current session by the session of the URL: immediately for the same user, after confirmation for
   * another one.
   */
  async function compare(pair: TokenPair): Promise<void> {
    const user = await readUser()
    if (user === undefined) return
    let other: CurrentUser
    try {
      other = await calls.settings(pair.token)
    } catch (error) {
      if (isUnreachable(error)) state.set({ phase: 'unreachable', error })
      else leave(pair, user)
      return
    }
    const [current, next] = [user.settings.userName, other.settings.userName]
    if (current === next) {
      tokens.keep(pair)
      forgetArrival()
      state.set({ phase: 'signed-in', user: other })
      return
    }
    const choice = { current, next, stay: () => leave(pair, user), switchAccount: () => change(pair, other) }
    state.set({ phase: 'switching', choice })
  }

  function leave(pair: TokenPair, user: CurrentUser): void {
    forgetArrival()
    state.set({ phase: 'signed-in', user })
    endOnServer(pair.refreshToken)
  }

  function change(pair: TokenPair, user: CurrentUser): void {
    forgetArrival()
    const before = storage.refreshToken()
    clearSignedInState(storage)
    storage.keep(pair.refreshToken)
    tokens.hold(pair.token)
    world.notifyUserChange()
    state.set({ phase: 'signed-in', user })
    if (before !== undefined) endOnServer(before)
  }

  function endOnServer(refreshToken: string): void {
    calls.logOut(refreshToken).catch(() => undefined)
  }

  async function logOut(): Promise<void> {
    const refreshToken = storage.refreshToken()
    clearSignedInState(storage)
    drop()
    if (refreshToken !== undefined) await calls.logOut(refreshToken).catch(() => undefined)
  }

  return {
    state,
    begun: begun.promise,
    token: tokens.current,
    renew: tokens.renew,
    logOut,
    async start(tokenOfAddress) {
      if (tokenOfAddress !== undefined) {
        forgetArrival()
        arrival = { token: tokenOfAddress, secret: world.newSecret() }
        world.arrivals.keep(arrival)
      }
      arrival ??= world.arrivals.read()
      if (arrival === undefined && storage.refreshToken() === undefined) {
        drop()
        return
      }
      state.set({ phase: 'starting' })
      if (!(await exchangeArrived())) return
      const isSignedIn = storage.refreshToken() !== undefined && (await tokens.renew())
      const isWaiting = state.get().phase === 'unreachable'
      if (isWaiting) return
      if (arrivedPair !== undefined) await (isSignedIn ? compare(arrivedPair) : adopt(arrivedPair))
      else if (isSignedIn) await readSettings()
      else drop()
    },
    adopt,
    userChanged() {
      if (state.get().phase !== 'signed-in') return
      drop()
      // Subscribers remove the data of the user before the session restarts.
      world.after(0, () => void this.start())
    },
    takeToken(next) {
      if (state.get().phase === 'signed-in') tokens.hold(next)
    },
    storageChanged() {
      const signedIn = state.get().phase === 'signed-in'
      if (storage.refreshToken() === undefined) {
        if (signedIn) drop()
      } else if (state.get().phase === 'signed-out') void this.start()
    },
    setUser(user) {
      if (state.get().phase === 'signed-in') state.set({ phase: 'signed-in', user })
    },
  }
}
