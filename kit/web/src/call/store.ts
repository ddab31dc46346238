import { useSyncExternalStore } from 'react'

/** A value that components observe. */
export interface Store<T> {
  /** Returns the current value. */
  get: () => T
  /** Sets the value and notifies listeners. */
  set: (next: T) => void
  /** Calls `listener` after each change; returns a function that stops it. */
  subscribe: (listener: () => void) => () => void
}

/** Creates a store that starts with `initial`; setting an equal value notifies no listeners. */
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

/** Returns the current value of a store. The component renders again when the value changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
