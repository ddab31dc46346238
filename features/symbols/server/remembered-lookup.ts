import type { BroughtSeries } from './brought-series.ts'
import type { DataQueryStore, GroupColumn, StoredSeries } from './data-query-store.ts'
import { gatherLookups } from './gathered-lookup.ts'
import type { SymbolChanges } from './symbol-changes.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Symbols that are remembered at most. */
const maxSymbols = 50_000

/** Those of uploads leave the other half to symbols that somebody asked for. */
const maxUnasked = maxSymbols / 2
/** Letters of the keys and metadata of a symbol that is remembered before anybody asked for it. */
const maxUnaskedLetters = 200

/** What is known of a group. */
interface Remembered {
  columns: GroupColumn[] | undefined
  /** By digest. */
  symbols: Map<string, StoredSeries>
}

/**
 * The same store, which remembers columns of groups, symbols that were asked for by name and those that files brought, until a change
 * of the group may have made them untrue. Symbols that are not there are asked for every time. Only where every change goes through
 * this process.
 */
export function rememberLookups(store: DataQueryStore, changes: SymbolChanges): DataQueryStore {
  const lookUp = gatherLookups((groupId, digests) => store.byDigest(groupId, digests, { conditions: [] }))
  const groups = new Map<number, Remembered>()
  let symbolCount = 0

  changes.listen((groupId, brought) => {
    if (brought === undefined) forget(groupId)
    else takeOver(groupId, brought)
  })

  function openGroup(groupId: number): Remembered {
    const known = groups.get(groupId)
    if (known !== undefined) return known
    const fresh: Remembered = { columns: undefined, symbols: new Map() }
    groups.set(groupId, fresh)
    return fresh
  }

  function forget(groupId: number): void {
    symbolCount -= groups.get(groupId)?.symbols.size ?? 0
    groups.delete(groupId)
  }

  /** What a file did not change stays known, and what it made is known from now on. */
  function takeOver(groupId: number, { columnIds, series }: BroughtSeries): void {
    const group = openGroup(groupId)
    const { symbols, columns } = group
    if (columns !== undefined && !isWithin(columnIds, idsOf(columns))) group.columns = undefined
    symbolCount -= symbols.size
    for (const { digest, isNew, brought } of series) {
      const key = digest.toString('hex')
      const known = symbols.get(key)
      if (known !== undefined && !isKnownOf(known, brought)) symbols.delete(key)
      if (isNew && symbolCount + symbols.size < maxUnasked && lettersOf(brought) <= maxUnaskedLetters)
        symbols.set(key, brought)
    }
    symbolCount += symbols.size
  }

  /** Makes room by forgetting everything, as what is asked for now comes back at once. */
  function addSymbols(groupId: number, found: ReadonlyMap<string, StoredSeries>): void {
    if (found.size > maxSymbols) return
    if (symbolCount + found.size > maxSymbols) {
      groups.clear()
      symbolCount = 0
    }
    const { symbols } = openGroup(groupId)
    symbolCount -= symbols.size
    for (const [digest, series] of found) symbols.set(digest, series)
    symbolCount += symbols.size
  }

  return {
    ...store,
    async byDigest(groupId, digests, scope) {
      const state = changes.stateOf(groupId)
      if (state === undefined || scope.conditions.length > 0) return store.byDigest(groupId, digests, scope)
      const { symbols } = openGroup(groupId)
      const known: StoredSeries[] = []
      const unknown: Buffer[] = []
      for (const digest of digests) {
        const series = symbols.get(digest.toString('hex'))
        if (series === undefined) unknown.push(digest)
        else known.push(series)
      }
      if (unknown.length > 0) {
        const found = await lookUp(groupId, unknown)
        if (changes.stateOf(groupId) === state) addSymbols(groupId, byDigestOf(found))
        known.push(...found)
      }
      const { lastSymbolId = Infinity } = scope
      return known.filter(({ id }) => id <= lastSymbolId)
    },
    async columns(groupIds) {
      const states = new Map(groupIds.map((groupId) => [groupId, changes.stateOf(groupId)]))
      const known = groupIds.map((groupId) => {
        const state = states.get(groupId)
        return state === undefined ? undefined : openGroup(groupId).columns
      })
      if (known.every((columns) => columns !== undefined)) return known.flat()
      const columns = await store.columns(groupIds)
      for (const [groupId, state] of states)
        if (state !== undefined && changes.stateOf(groupId) === state)
          openGroup(groupId).columns = columns.filter((column) => column.groupId === groupId)
      return columns
    },
  }
}

function byDigestOf(found: readonly StoredSeries[]): Map<string, StoredSeries> {
  return new Map(found.map((series) => [symbolDigest(series.keys).toString('hex'), series]))
}

/** Whether everything that a file says of a symbol was known of it. */
function isKnownOf({ columnIds, metadata }: StoredSeries, brought: StoredSeries): boolean {
  return (
    isWithin(brought.columnIds, new Set(columnIds)) &&
    Object.entries(brought.metadata).every(
      ([name, value]) => Object.hasOwn(metadata, name) && metadata[name] === value,
    )
  )
}

function isWithin(ids: readonly number[], all: ReadonlySet<number>): boolean {
  return ids.every((id) => all.has(id))
}

function idsOf(columns: readonly GroupColumn[]): Set<number> {
  return new Set(columns.map(({ id }) => id))
}

function lettersOf({ keys, metadata }: StoredSeries): number {
  return [keys, metadata]
    .flatMap(Object.entries)
    .reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}
