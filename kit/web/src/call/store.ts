import { useSyncExternalStore } from 'react'

/** A value that parts of the page watch. */
export interface Store<T> {
  get: () => T
  set: (next: T) => void
  /** Calls `listener` after each change; returns how to stop. */
  subscribe: (listener: () => void) => () => void
}

/** Makes a store that starts with `initial`; setting the same value again tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The present value of a store; the component draws again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
