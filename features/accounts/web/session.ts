import type { Store } from '@headwater/web-kit'
import { ApiError, createStore } from '@headwater/web-kit'
import type { CurrentUser, TokenPair } from '../contract/index.ts'
import {
  type Arrival,
  type ArrivalStorage,
  type SessionStorage,
  clearSignedInState,
} from './session-storage.ts'

/** Where a session stands. `unreachable`: there is a refresh token, but no answer from the server yet. */
export type SessionState =
  | { phase: 'starting' }
  | { phase: 'signed-out' }
  | { phase: 'unreachable'; error: ApiError }
  | { phase: 'switching'; choice: AccountChoice }
  | { phase: 'signed-in'; user: CurrentUser }

/** What a user decides when an address signs in another account than theirs. */
export interface AccountChoice {
  /** E-mail address of the user who is signed in. */
  current: string
  /** E-mail address of the account that the address signs in. */
  next: string
  /** Ends the session of the address. */
  stay: () => void
  /** Ends the session of the current user, here and in other tabs, and forgets what it stored. */
  switchAccount: () => void
}

/** The calls a session makes; each throws an {@link ApiError}. */
export interface SessionCalls {
  /** @param fromAddress for a token of the address: the random text of the browser */
  refresh(refreshToken: string, fromAddress?: string): Promise<TokenPair>
  /** @param token access token of the user; default that of the session */
  settings(token?: string): Promise<CurrentUser>
  logOut(refreshToken: string): Promise<unknown>
}

/** The outside world of a session. */
export interface SessionWorld {
  calls: SessionCalls
  storage: SessionStorage
  arrivals: ArrivalStorage
  /** Makes up a random text. */
  newSecret: () => string
  /** Runs one at a time over all tabs of the browser. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
  /** Tells the other tabs of a new access token. */
  tellTabs: (token: string) => void
  /** Tells the other tabs that this browser is signed in as another user. */
  tellSwitch: () => void
  after: (delayMs: number, callback: () => void) => () => void
}

/** The session of this tab. */
export interface Session {
  readonly state: Store<SessionState>
  /** Resolves as soon as calls have the token of the first user. Their settings come later. */
  readonly begun: Promise<void>
  /** The access token; in memory only. */
  token: () => string | undefined
  /**
   * Begins: exchanges the refresh token of the address or, without one, of the storage, and reads the settings. When the storage
   * holds the session of another user, the user is asked first.
   */
  start: (tokenOfAddress?: string) => Promise<void>
  /** Takes a pair of tokens that a sign-in or an activation gave, and reads the settings. */
  adopt: (pair: TokenPair) => Promise<void>
  /** Fetches a new access token; one exchange at a time, over all tabs. Answers whether there is one now. */
  renew: () => Promise<boolean>
  /** Takes over an access token another tab fetched. */
  takeToken: (token: string) => void
  /** Another tab switched to another user: begins again. */
  userChanged: () => void
  /** The stored refresh token changed in another tab: gone means signed out there, new means signed in. */
  storageChanged: () => void
  setUser: (user: CurrentUser) => void
  logOut: () => Promise<void>
}

/** How long before its end an access token is renewed. */
const renewBeforeMs = 60_000

/** Makes the session of a tab. */
export function createSession(world: SessionWorld): Session {
  const { calls, storage } = world
  const state = createStore<SessionState>({ phase: 'starting' })
  const begun = Promise.withResolvers<void>()
  let token: string | undefined
  let renewing: Promise<boolean> | undefined
  let stopTimer = () => {}
  let arrival: Arrival | undefined
  /** Bought with the token of the address; not in use yet. */
  let arrivedPair: TokenPair | undefined

  function hold(next: string): void {
    token = next
    stopTimer()
    const lifeMs = lifetimeMs(next)
    if (lifeMs !== undefined)
      stopTimer = world.after(Math.max(5000, lifeMs - renewBeforeMs), () => void renew())
  }

  function drop(): void {
    stopTimer()
    token = undefined
    state.set({ phase: 'signed-out' })
  }

  function renew(): Promise<boolean> {
    renewing ??= exchange().finally(() => (renewing = undefined))
    return renewing
  }

  async function exchange(): Promise<boolean> {
    const before = token
    return world.exclusively(async () => {
      if (token !== undefined && token !== before) return true
      const refreshToken = storage.refreshToken()
      if (refreshToken === undefined) {
        drop()
        return false
      }
      try {
        const pair = await calls.refresh(refreshToken)
        keep(pair)
        return true
      } catch (error) {
        if (isUnreachable(error)) {
          if (state.get().phase !== 'signed-in') state.set({ phase: 'unreachable', error })
          return false
        }
        storage.clear()
        drop()
        return false
      }
    })
  }

  function keep(pair: TokenPair): void {
    storage.keep(pair.refreshToken)
    hold(pair.token)
    world.tellTabs(pair.token)
  }

  async function readSettings(): Promise<void> {
    begun.resolve()
    const user = await readUser()
    if (user !== undefined) state.set({ phase: 'signed-in', user })
  }

  /** The user of the session; undefined when there is no response, or no session any more. */
  async function readUser(): Promise<CurrentUser | undefined> {
    try {
      return await calls.settings()
    } catch (error) {
      // So ends the call of a page that is left, too; the next page goes on with the session.
      if (isUnreachable(error)) state.set({ phase: 'unreachable', error })
      else await logOut()
      return undefined
    }
  }

  /** Exchanges the token of the address. Answers whether the start can go on; a token that is refused changes no other session. */
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
    keep(pair)
    forgetArrival()
    await readSettings()
  }

  /** Takes the session of the address in place of the present one: of the same user at once, of another one if the user agrees. */
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
      keep(pair)
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
    hold(pair.token)
    world.tellSwitch()
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
    token: () => token,
    renew,
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
      const isSignedIn = storage.refreshToken() !== undefined && (await renew())
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
      // Whatever follows the session drops what belongs to the user before it begins again.
      world.after(0, () => void this.start())
    },
    takeToken(next) {
      if (state.get().phase === 'signed-in') hold(next)
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

/** Statuses that proxies and networks in between answer with, and that of a server that cannot work at the moment. */
const statusesBetween = new Set([407, 429, 502, 503, 504, 511])

/** No answer, or one of something in front of the server: the refresh token may still be good. */
function isUnreachable(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { status } = error
  return (
    error.isOffline ||
    statusesBetween.has(status) ||
    status >= 520 ||
    // a firewall; the server itself says why
    (status === 403 && !error.isFromServer)
  )
}

/** How long a JWT lives, by its own two times, so that a wrong clock of the browser does not matter. */
function lifetimeMs(token: string): number | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: number; exp?: number }
    return iat === undefined || exp === undefined ? undefined : (exp - iat) * 1000
  } catch {
    return undefined
  }
}
