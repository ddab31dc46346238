import type { Executor } from '@headwater/server-kit'
import type { BroughtSeries } from './brought-series.ts'
import type { IngestStore } from './ingest-store.ts'

/** Is told of a change that has ended, with all that it brought; undefined where that is not known. */
export type ChangeListener = (groupId: number, brought: BroughtSeries | undefined) => void

/** Tells whether what was read of the symbols and columns of a group is still true. */
export interface SymbolChanges {
  /**
   * A number that no change of the group leaves as it is; undefined while one is under way. What was read between two calls with
   * the same number is true.
   */
  stateOf(groupId: number): number | undefined
  /** Called before a change; what it returns is called once, after its end, with all that it brought if that is known. */
  begin(groupId: number): (brought?: BroughtSeries) => void
  /** Calls `listener` at the end of each change, before anybody learns that it has ended. */
  listen(listener: ChangeListener): void
}

interface ChangingGroup {
  changes: number
  running: number
  /** Two ran at the same time, so that nobody knows which of them ended first. */
  isMixed: boolean
}

/** Makes the record of changes of this process. */
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
      return (brought) => {
        group.running--
        group.changes++
        const known = group.isMixed ? undefined : brought
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
  ends: ((brought?: BroughtSeries) => void)[]
  brought: BroughtSeries | undefined
}

/**
 * The same store, which tells of its changes: every transaction that changes symbols or columns locks their group first, and its
 * change lasts from there until it has ended. One that finishes an ingest changes nothing but what the file brought.
 */
export function tellOfChanges(store: IngestStore, changes: SymbolChanges): IngestStore {
  const running = new WeakMap<Executor, RunningChange>()
  return {
    ...store,
    async transaction(work) {
      const change: RunningChange = { ends: [], brought: undefined }
      let isKnown = false
      try {
        const result = await store.transaction((executor) => {
          running.set(executor, change)
          return work(executor)
        })
        isKnown = true
        return result
      } finally {
        for (const end of change.ends) end(isKnown ? change.brought : undefined)
      }
    },
    lockGroup(executor, groupId) {
      running.get(executor)?.ends.push(changes.begin(groupId))
      return store.lockGroup(executor, groupId)
    },
    finish(executor, ingest) {
      const change = running.get(executor)
      if (change !== undefined) change.brought = ingest.brought
      return store.finish(executor, ingest)
    },
  }
}
