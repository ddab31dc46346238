/** The key of the refresh token in browser storage; the key of its source stands beside it. */
export const refreshTokenKey = 'ng-token'
/** Who gave the token. Tokens of this platform have the source NG. */
export const tokenSourceKey = 'ng-token-source'

/** Keys that belong to the browser, not to the user: they survive a log out. */
const globalKeys = new Set([
  'ng-darkmode',
  'ng-sidebar',
  'ng-demo-notice',
  'ng-palette',
  'ng-guides',
  'ng-rerun-tooltip-closed',
])

/** What a session keeps in the browser. */
export interface SessionStorage {
  refreshToken(): string | undefined
  keep(refreshToken: string): void
  /** Empties browser storage. */
  clear(): void
  keys(): string[]
  remove(key: string): void
}

/** Keeps the session in a storage of the browser. A browser that forbids storage keeps the token for this page only. */
export function createSessionStorage(storage: () => Storage): SessionStorage {
  let inMemory: string | undefined
  function guarded<T>(work: (storage: Storage) => T, otherwise: T): T {
    try {
      return work(storage())
    } catch {
      return otherwise
    }
  }
  return {
    refreshToken: () => guarded((area) => area.getItem(refreshTokenKey) ?? undefined, inMemory),
    keep(refreshToken) {
      inMemory = refreshToken
      guarded((area) => {
        area.setItem(refreshTokenKey, refreshToken)
        area.setItem(tokenSourceKey, 'NG')
      }, undefined)
    },
    clear() {
      inMemory = undefined
      guarded((area) => area.clear(), undefined)
    },
    keys: () => guarded((area) => Object.keys(area), []),
    remove(key) {
      if (key === refreshTokenKey) inMemory = undefined
      guarded((area) => area.removeItem(key), undefined)
    },
  }
}

/** Removes everything the user left in the browser; what belongs to the browser itself stays. */
export function clearSignedInState(storage: SessionStorage): void {
  storage.remove(refreshTokenKey)
  for (const key of storage.keys()) {
    if (key.startsWith('ng-') && !globalKeys.has(key)) storage.remove(key)
  }
}

/** A refresh token that came in the address, and the random text that shows the server that it is the same browser again. */
export interface Arrival {
  token: string
  secret: string
}

/** Where a tab keeps what came in the address until it is exchanged, so that a reload in between loses nothing. */
export interface ArrivalStorage {
  read(): Arrival | undefined
  keep(arrival: Arrival): void
  forget(): void
}

const arrivalKey = 'ng-arrival'

/** Keeps an arrival in a storage of the tab. A browser that forbids storage keeps none. */
export function createArrivalStorage(storage: () => Storage): ArrivalStorage {
  return {
    read() {
      try {
        return (JSON.parse(storage().getItem(arrivalKey) ?? 'null') as Arrival | null) ?? undefined
      } catch {
        return undefined
      }
    },
    keep(arrival) {
      try {
        storage().setItem(arrivalKey, JSON.stringify(arrival))
      } catch {
        // The page itself still has it.
      }
    },
    forget() {
      try {
        storage().removeItem(arrivalKey)
      } catch {
        // Nothing was kept.
      }
    },
  }
}
