import { intervals } from './intervals.ts'
import { type Store, createStore } from './store.ts'

/** Name of the provider of calls without a `Target` header. */
export const localProvider = 'Local'

/** Timer; a parameter for tests. */
export interface Timer {
  /** Calls a function after a delay and returns a function that cancels it. */
  set(callback: () => void, delayMs: number): unknown
}

/** The providers that have asked the client to send fewer calls. */
export interface LimitedProviders {
  /** Names of the limited providers. */
  readonly store: Store<ReadonlySet<string>>
  /** Marks a provider as limited. The limit ends 120 s after the first call, even if it is called again. */
  add(provider: string): void
}

/** Creates the set of limited providers. */
export function createLimitedProviders(timer: Timer): LimitedProviders {
  const store = createStore<ReadonlySet<string>>(new Set())
  return {
    store,
    add(provider) {
      if (store.get().has(provider)) return
      store.set(new Set([...store.get(), provider]))
      timer.set(
        () => store.set(new Set([...store.get()].filter((name) => name !== provider))),
        intervals.limitedMs,
      )
    },
  }
}

/** The limited providers of this page. A response with status 429 or 503 marks its provider as limited. */
export const limitedProviders = createLimitedProviders({
  set: (callback, delayMs) => setTimeout(callback, delayMs),
})

/** Returns whether any provider is limited now. */
export function isLimited(): boolean {
  return limitedProviders.store.get().size > 0
}

/** Returns whether a status asks the client to send fewer calls. */
export function isLimitStatus(status: number): boolean {
  return status === 429 || status === 503
}
