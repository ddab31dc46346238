import { ApiError } from '@headwater/web-kit'
import type { CurrentUser } from '../../contract/index.ts'
import { type SessionCalls, createSession } from '../session.ts'
import { createArrivalStorage, createSessionStorage, refreshTokenKey } from '../session-storage.ts'

/** A browser storage in memory. */
export class MemoryStorage {
  [name: string]: unknown
  getItem(key: string): string | null {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, value: string): void {
    this[key] = value
  }
  removeItem(key: string): void {
    delete this[key]
  }
  clear(): void {
    for (const key of Object.keys(this)) delete this[key]
  }
}

/** The default user of tokens. */
export const user = {
  settings: { userName: 'anna@example.com' },
  uiEntitlements: [],
  defaultPage: 'insight',
} as unknown as CurrentUser
/** The error of an ended session. */
export const refused = new ApiError({ status: 401, code: 'sessionEnded', message: 'The session has ended.' })
/** The error of a request without a response. */
export const unreachable = new ApiError({
  status: 0,
  code: 'noAnswer',
  message: 'The server cannot be reached.',
})

/** Returns an access token with this validity. */
export function jwt(lifeSeconds: number): string {
  const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${text({ alg: 'HS256' })}.${text({ iat: 1000, exp: 1000 + lifeSeconds })}.x`
}

/** Opens a session in a browser without a network: `log` has its calls in order. `users` are the owners of access tokens. */
export function openSession(
  calls: Partial<SessionCalls> = {},
  stored?: string,
  users: Record<string, CurrentUser> = {},
  tab = new MemoryStorage() as unknown as Storage,
) {
  const area = new MemoryStorage() as unknown as Storage
  if (stored !== undefined) area.setItem(refreshTokenKey, stored)
  const log: string[] = []
  const notifiedTabs: string[] = []
  let switches = 0
  let secrets = 0
  const timers: { delayMs: number; callback: () => void }[] = []
  let count = 0
  let queue: Promise<unknown> = Promise.resolve()
  const session = createSession({
    calls: {
      async refresh(refreshToken, fromAddress) {
        log.push(
          `refresh ${refreshToken}${fromAddress === undefined ? '' : ` from address by ${fromAddress}`}`,
        )
        if (calls.refresh) return calls.refresh(refreshToken, fromAddress)
        count++
        return { token: `access-${count}`, refreshToken: `refresh-${count}` }
      },
      async settings(token) {
        log.push(token === undefined ? 'settings' : `settings ${token}`)
        return calls.settings ? calls.settings(token) : (users[token ?? session.token() ?? ''] ?? user)
      },
      async logOut(refreshToken) {
        log.push(`logOut ${refreshToken}`)
      },
    },
    storage: createSessionStorage(() => area),
    arrivals: createArrivalStorage(() => tab),
    newSecret: () => `secret-${++secrets}`,
    exclusively: (work) => {
      const result = queue.then(work)
      queue = result.catch(() => undefined)
      return result
    },
    notifyTabs: (token) => notifiedTabs.push(token),
    notifyUserChange: () => switches++,
    after(delayMs, callback) {
      const timer = { delayMs, callback }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  const choice = () => {
    const state = session.state.get()
    if (state.phase !== 'switching') throw new Error(`The session needs no choice: ${state.phase}.`)
    return state.choice
  }
  return {
    session,
    area,
    log,
    notifiedTabs,
    timers,
    choice,
    switches: () => switches,
    phase: () => session.state.get().phase,
  }
}
