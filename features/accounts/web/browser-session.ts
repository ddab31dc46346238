import { call, setTokenSource } from '@headwater/web-kit'
import { getSettings, logOut, refreshSession } from '../contract/index.ts'
import { type Session, createSession } from './session.ts'
import { createSessionStorage, refreshTokenKey, takeTokenFromUrl } from './session-storage.ts'

const channelName = 'ng-session'
const ofSession = { keep: true, direct: true }

/** The session of this page. */
export const session: Session = createSession({
  calls: {
    refresh: (refreshToken) => call(refreshSession, { body: { refreshToken } }, ofSession),
    settings: () => call(getSettings, {}, ofSession),
    logOut: (refreshToken) => call(logOut, { body: { refreshToken } }, ofSession),
  },
  storage: createSessionStorage(() => window.localStorage),
  exclusively: (work) => ('locks' in navigator ? navigator.locks.request('ng-session', work) : work()),
  tellTabs: (token) => channel?.postMessage(token),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
})

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : undefined

/**
 * Starts the session of this page. A refresh token in the query string wins over the stored one and is taken out of
 * the URL at once; calls get their token from here from now on, and other tabs are heard.
 */
export function startSession(): Promise<void> {
  const { token, url } = takeTokenFromUrl(window.location.href)
  if (url !== window.location.href) window.history.replaceState(window.history.state, '', url)
  setTokenSource({ token: session.token, renew: session.renew })
  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (typeof event.data === 'string') session.takeToken(event.data)
  })
  window.addEventListener('storage', (event) => {
    if (event.key === refreshTokenKey || event.key === null) session.storageChanged()
  })
  return session.start(token)
}
