/** Keys of the refresh token and of its source in browser storage. */
export const refreshTokenKey = 'ng-token'
/** Key of the issuer of the token. Tokens of this platform have the source NG. */
const tokenSourceKey = 'ng-token-source'

/** Keys that belong to the browser, not to the user. Logging out preserves them. */
const globalKeys = new Set([
  'ng-darkmode',
  'ng-sidebar',
  'ng-demo-notice',
  'ng-palette',
  'ng-guides',
  'ng-rerun-tooltip-closed',
])

/** Browser storage of a session. */
export interface SessionStorage {
  /** Returns the stored refresh token. */
  refreshToken(): string | undefined
  /** Stores a refresh token. */
  keep(refreshToken: string): void
  /** Empties browser storage. */
  clear(): void
  /** Returns all keys in the storage. */
  keys(): string[]
  /** Removes one key. */
  remove(key: string): void
}

/** Stores the session in a browser storage, or in memory if the browser forbids storage. */
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

/** Removes the keys of the user from browser storage, but not the keys of the browser itself. */
export function clearSignedInState(storage: SessionStorage): void {
  storage.remove(refreshTokenKey)
  for (const key of storage.keys()) {
    if (key.startsWith('ng-') && !globalKeys.has(key)) storage.remove(key)
  }
}

/** A refresh token from the URL, and the random text that identifies this browser to the server. */
export interface Arrival {
  /** The refresh token. */
  token: string
  /** Random text of at least 16 characters. */
  secret: string
}

/** Stores a token from the URL until it is exchanged, so that a reload does not lose it. */
export interface ArrivalStorage {
  /** Returns the stored arrival. */
  read(): Arrival | undefined
  /** Stores an arrival. */
  keep(arrival: Arrival): void
  /** Removes the stored arrival. */
  forget(): void
}

const arrivalKey = 'ng-arrival'

/** Creates a store for a refresh token from the address (an arrival) in tab storage. Without storage, it does nothing. */
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
        // The page still has the token in memory.
      }
    },
    forget() {
      try {
        storage().removeItem(arrivalKey)
      } catch {
        // Nothing was stored.
      }
    },
  }
}
