import type { Executor } from '@headwater/server-kit'
import type { IngestStore } from './ingest-store.ts'

/** Tells whether what was read of the symbols and columns of a group is still true. */
export interface SymbolChanges {
  /**
   * A number that no change of the group leaves as it is; undefined while one is under way. What was read between two calls with
   * the same number is true.
   */
  stateOf(groupId: number): number | undefined
  /** Called before a change; what it returns is called once, after its end. */
  begin(groupId: number): () => void
}

/** Makes the record of changes of this process. */
export function createSymbolChanges(): SymbolChanges {
  const groups = new Map<number, { changes: number; running: number }>()
  return {
    stateOf(groupId) {
      const group = groups.get(groupId)
      if (group === undefined) return 0
      return group.running > 0 ? undefined : group.changes
    },
    begin(groupId) {
      const group = groups.get(groupId) ?? { changes: 0, running: 0 }
      groups.set(groupId, group)
      group.running++
      return () => {
        group.running--
        group.changes++
      }
    },
  }
}

/**
 * The same store, which tells of its changes: every transaction that changes symbols or columns locks their group first, and its
 * change lasts from there until it has ended.
 */
export function tellOfChanges(store: IngestStore, changes: SymbolChanges): IngestStore {
  const running = new WeakMap<Executor, (() => void)[]>()
  return {
    ...store,
    async transaction(work) {
      const ends: (() => void)[] = []
      try {
        return await store.transaction((executor) => {
          running.set(executor, ends)
          return work(executor)
        })
      } finally {
        for (const end of ends) end()
      }
    },
    lockGroup(executor, groupId) {
      running.get(executor)?.push(changes.begin(groupId))
      return store.lockGroup(executor, groupId)
    },
  }
}
