import { createStore, useStore } from '../call/store.ts'
import { readStoredList, writeStoredList } from './stored-list.ts'

/** Entries, such as code, that the user has allowed to run in this browser. */
export interface TrustedEntries {
  /** Returns whether an entry is allowed. */
  has: (entry: string) => boolean
  /** Returns whether an entry is allowed, and renders again when this changes. False for undefined. */
  useHas: (entry: string | undefined) => boolean
  /** Allows an entry. */
  add: (entry: string) => void
  /** Revokes the permission of an entry. */
  remove: (entry: string) => void
}

/**
 * Creates a list of entries that a user allows to run, in browser storage.
 * @param key storage key
 * @param maxEntries maximum number of entries; the oldest are removed first
 */
export function createTrustedEntries(key: string, maxEntries: number): TrustedEntries {
  const changed = createStore<readonly unknown[] | undefined>(undefined)
  let initial: readonly unknown[] | undefined
  function change(entry: string, added: readonly string[]): void {
    const others = readStoredList(key).filter((other) => other !== entry)
    const next = [...added, ...others].slice(0, maxEntries)
    writeStoredList(key, next)
    changed.set(next)
  }
  return {
    has: (entry) => readStoredList(key).includes(entry),
    useHas(entry) {
      const entries = useStore(changed) ?? (initial ??= readStoredList(key))
      return entry !== undefined && entries.includes(entry)
    },
    add: (entry) => change(entry, [entry]),
    remove: (entry) => change(entry, []),
  }
}
