import type { Executor } from '@headwater/server-kit'
import type { IngestChanges } from './ingest-changes.ts'
import type { IngestStore } from './ingest-store.ts'

/** Called when a change has ended, with its symbols and columns if they are known. */
export type ChangeListener = (groupId: number, ingested: IngestChanges | undefined) => void

/** Tracks changes of the symbols and columns of groups, to invalidate caches. */
export interface SymbolChanges {
  /**
   * Returns a number that every change of the group increases; undefined during a change. Data read between two calls with the same
   * number is still current.
   */
  stateOf(groupId: number): number | undefined
  /** Starts a change. Call the returned function once after its end, with the ingested symbols if they are known. */
  begin(groupId: number): (ingested?: IngestChanges) => void
  /** Calls `listener` at the end of each change, before the caller of the change continues. */
  listen(listener: ChangeListener): void
}

interface ChangingGroup {
  changes: number
  running: number
  /** Whether two changes ran concurrently, so that their order is unknown. */
  isMixed: boolean
}

/** Creates the tracker of changes in this process. */
export function createSymbolChanges(): SymbolChanges {
  const groups = new Map<number, ChangingGroup>()
  const listeners: ChangeListener[] = []
  return {
    stateOf(groupId) {
      const group = groups.get(groupId)
      if (group === undefined) return 0
      return group.running > 0 ? undefined : group.changes
    },
    begin(groupId) {
      const group = groups.get(groupId) ?? { changes: 0, running: 0, isMixed: false }
      groups.set(groupId, group)
      group.running++
      if (group.running > 1) group.isMixed = true
      return (ingested) => {
        group.running--
        group.changes++
        const known = group.isMixed ? undefined : ingested
        if (group.running === 0) group.isMixed = false
        for (const listener of listeners) listener(groupId, known)
      }
    },
    listen(listener) {
      listeners.push(listener)
    },
  }
}

/** A transaction that changes symbols. */
interface RunningChange {
  ends: ((ingested?: IngestChanges) => void)[]
  ingested: IngestChanges | undefined
}

/**
 * Returns the store with tracking of its changes. Every transaction that changes symbols or columns locks their group first; the change
 * lasts from the lock to the end of the transaction. A transaction that finishes an ingest changes only the symbols of the file.
 */
export function reportChanges(store: IngestStore, changes: SymbolChanges): IngestStore {
  const running = new WeakMap<Executor, RunningChange>()
  return {
    ...store,
    async transaction(work) {
      const change: RunningChange = { ends: [], ingested: undefined }
      let isKnown = false
      try {
        const result = await store.transaction((executor) => {
          running.set(executor, change)
          return work(executor)
        })
        isKnown = true
        return result
      } finally {
        for (const end of change.ends) end(isKnown ? change.ingested : undefined)
      }
    },
    lockGroup(executor, groupId) {
      running.get(executor)?.ends.push(changes.begin(groupId))
      return store.lockGroup(executor, groupId)
    },
    finish(executor, ingest) {
      const change = running.get(executor)
      if (change !== undefined) change.ingested = ingest.ingestChanges
      return store.finish(executor, ingest)
    },
  }
}
