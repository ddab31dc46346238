import { intervals } from './intervals.ts'
import { type Store, createStore } from './store.ts'

/** Name under which calls without a `Target` header count. */
export const localProvider = 'Local'

/** The outside world of {@link createLimitedProviders}. */
export interface Timer {
  set(callback: () => void, delayMs: number): unknown
}

/** The providers that asked for fewer calls. */
export interface LimitedProviders {
  readonly store: Store<ReadonlySet<string>>
  /** Marks a provider as limited; it is taken out again 120 s after it came in. */
  add(provider: string): void
}

/** Makes the set of limited providers. */
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

/** The limited providers of this page. An answer with status 429 or 503 marks its provider as limited. */
export const limitedProviders = createLimitedProviders({
  set: (callback, delayMs) => setTimeout(callback, delayMs),
})

/** Whether any provider is limited at the moment. */
export function isLimited(): boolean {
  return limitedProviders.store.get().size > 0
}

/** Whether a status tells that the provider wants fewer calls. */
export function tellsLimit(status: number): boolean {
  return status === 429 || status === 503
}
