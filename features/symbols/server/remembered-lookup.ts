import type { DataQueryStore, GroupColumn, StoredSeries } from './data-query-store.ts'
import { gatherLookups } from './gathered-lookup.ts'
import type { SymbolChanges } from './symbol-changes.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Symbols that are remembered at most. */
const maxSymbols = 50_000

/** What was read of a group while its symbols were in one state. */
interface Remembered {
  state: number
  columns: GroupColumn[] | undefined
  /** By digest. */
  symbols: Map<string, StoredSeries>
}

/**
 * The same store, which remembers columns of groups and symbols that were asked for by name until the group changes. Symbols that are
 * not there are asked for every time. Only where every change goes through this process.
 */
export function rememberLookups(store: DataQueryStore, changes: SymbolChanges): DataQueryStore {
  const lookUp = gatherLookups((groupId, digests) => store.byDigest(groupId, digests, { conditions: [] }))
  const groups = new Map<number, Remembered>()
  let symbolCount = 0

  /** What is known of a group in this state, to be added to. */
  function openGroup(groupId: number, state: number): Remembered {
    const known = groups.get(groupId)
    if (known?.state === state) return known
    symbolCount -= known?.symbols.size ?? 0
    const fresh: Remembered = { state, columns: undefined, symbols: new Map() }
    groups.set(groupId, fresh)
    return fresh
  }

  /** Makes room by forgetting everything, as what is asked for now comes back at once. */
  function addSymbols(groupId: number, state: number, found: ReadonlyMap<string, StoredSeries>): void {
    if (found.size > maxSymbols) return
    if (symbolCount + found.size > maxSymbols) {
      groups.clear()
      symbolCount = 0
    }
    const { symbols } = openGroup(groupId, state)
    symbolCount -= symbols.size
    for (const [digest, series] of found) symbols.set(digest, series)
    symbolCount += symbols.size
  }

  return {
    ...store,
    async byDigest(groupId, digests, scope) {
      const state = changes.stateOf(groupId)
      if (state === undefined || scope.conditions.length > 0) return store.byDigest(groupId, digests, scope)
      const { symbols } = openGroup(groupId, state)
      const known: StoredSeries[] = []
      const unknown: Buffer[] = []
      for (const digest of digests) {
        const series = symbols.get(digest.toString('hex'))
        if (series === undefined) unknown.push(digest)
        else known.push(series)
      }
      if (unknown.length > 0) {
        const found = await lookUp(groupId, unknown)
        if (changes.stateOf(groupId) === state) addSymbols(groupId, state, byDigestOf(found))
        known.push(...found)
      }
      const { lastSymbolId = Infinity } = scope
      return known.filter(({ id }) => id <= lastSymbolId)
    },
    async columns(groupIds) {
      const states = new Map(groupIds.map((groupId) => [groupId, changes.stateOf(groupId)]))
      const known = groupIds.map((groupId) => {
        const state = states.get(groupId)
        return state === undefined ? undefined : openGroup(groupId, state).columns
      })
      if (known.every((columns) => columns !== undefined)) return known.flat()
      const columns = await store.columns(groupIds)
      for (const [groupId, state] of states)
        if (state !== undefined && changes.stateOf(groupId) === state)
          openGroup(groupId, state).columns = columns.filter((column) => column.groupId === groupId)
      return columns
    },
  }
}

function byDigestOf(found: readonly StoredSeries[]): Map<string, StoredSeries> {
  return new Map(found.map((series) => [symbolDigest(series.keys).toString('hex'), series]))
}
