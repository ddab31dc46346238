import { ApiError } from '@headwater/web-kit'
import type { TokenPair } from '../contract/index.ts'
import type { SessionWorld } from './session.ts'

/** The tokens of a session: the access token in memory, and the refresh token in the storage. */
export interface SessionTokens {
  /** Returns the access token; undefined without one. */
  current: () => string | undefined
  /** Uses an access token, and renews it before it expires. */
  hold: (token: string) => void
  /** Uses a pair of tokens: stores the refresh token and sends the access token to the other tabs. */
  keep: (pair: TokenPair) => void
  /** Removes the access token and stops its renewal. */
  clear: () => void
  /** Fetches a new access token, one exchange at a time over all tabs. Returns whether there is a token. */
  renew: () => Promise<boolean>
}

/** Handling of a failed exchange. */
export interface SessionTokenEvents {
  /** There is no refresh token, or the server refused it; `reason` is an error that the user must see. */
  onEnded: (reason?: ApiError) => void
  /** The server did not respond; the refresh token can still be valid. */
  onUnreachable: (error: ApiError) => void
}

/** Access tokens are renewed this long before their expiry. */
const renewBeforeMs = 60_000

/** Creates the tokens of a session. */
export function createSessionTokens(
  world: Pick<SessionWorld, 'calls' | 'storage' | 'exclusively' | 'notifyTabs' | 'after'>,
  { onEnded, onUnreachable }: SessionTokenEvents,
): SessionTokens {
  const { calls, storage } = world
  let token: string | undefined
  let renewing: Promise<boolean> | undefined
  let stopTimer = () => {}

  function hold(next: string): void {
    token = next
    stopTimer()
    const lifeMs = lifetimeMs(next)
    if (lifeMs !== undefined)
      stopTimer = world.after(Math.max(5000, lifeMs - renewBeforeMs), () => void renew())
  }

  function keep(pair: TokenPair): void {
    storage.keep(pair.refreshToken)
    hold(pair.token)
    world.notifyTabs(pair.token)
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
        onEnded()
        return false
      }
      try {
        keep(await calls.refresh(refreshToken))
        return true
      } catch (error) {
        if (isUnreachable(error)) {
          onUnreachable(error)
          return false
        }
        storage.clear()
        onEnded(isDeactivated(error) ? error : undefined)
        return false
      }
    })
  }

  return {
    current: () => token,
    hold,
    keep,
    renew,
    clear() {
      stopTimer()
      token = undefined
    },
  }
}

function isDeactivated(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'accountDeactivated'
}

/** Statuses of proxies, networks and unavailable servers. */
const statusesBetween = new Set([407, 429, 502, 503, 504, 511])

/** Returns whether the server did not respond, or a proxy did: the refresh token can still be valid. */
export function isUnreachable(error: unknown): error is ApiError {
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

/** Returns the validity of a JWT from its own two times, so that a wrong clock of the browser does not matter. */
function lifetimeMs(token: string): number | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: number; exp?: number }
    return iat === undefined || exp === undefined ? undefined : (exp - iat) * 1000
  } catch {
    return undefined
  }
}
