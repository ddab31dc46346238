import { call, setTokenSource } from '@headwater/web-kit'
import { getSettings, logOut, refreshSession } from '../contract/index.ts'
import { followSystem } from './changed-settings.ts'
import { type Session, createSession } from './session.ts'
import { createArrivalStorage, createSessionStorage, refreshTokenKey } from './session-storage.ts'

declare global {
  interface Window {
    /** Returns the refresh token of the URL, once. Set by `refresh-token.js` of the page, which runs first. */
    takeRefreshToken?: () => string
  }
}

const channelName = 'ng-session'
/** Message between tabs, besides access tokens. */
const userChanged = 'user-changed'
const ofSession = { keep: true, direct: true }

/** The session of this page. */
export const session: Session = createSession({
  calls: {
    refresh: (refreshToken, fromAddress) =>
      call(refreshSession, { body: { refreshToken, fromAddress } }, ofSession),
    settings: (token) =>
      call(
        getSettings,
        {},
        token === undefined ? ofSession : { ...ofSession, headers: { Authorization: `Bearer ${token}` } },
      ).then(followSystem),
    logOut: (refreshToken) => call(logOut, { body: { refreshToken } }, ofSession),
  },
  storage: createSessionStorage(() => window.localStorage),
  arrivals: createArrivalStorage(() => window.sessionStorage),
  // `randomUUID` exists in secure contexts only.
  newSecret: () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))),
  exclusively: (work) => ('locks' in navigator ? navigator.locks.request('ng-session', work) : work()),
  notifyTabs: (token) => channel?.postMessage(token),
  notifyUserChange: () => channel?.postMessage(userChanged),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
})

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : undefined

/**
 * Starts the session of this page, with the refresh token of its URL if there was one. Requests use its token from now
 * on, and messages of other tabs are handled.
 */
export function startSession(): Promise<void> {
  setTokenSource({ token: session.token, renew: session.renew })
  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data === userChanged) session.userChanged()
    else if (typeof event.data === 'string') session.takeToken(event.data)
  })
  window.addEventListener('storage', (event) => {
    if (event.key === refreshTokenKey || event.key === null) session.storageChanged()
  })
  return session.start(window.takeRefreshToken?.())
}
