import type { IngestChanges } from './ingest-changes.ts'
import type { DataQueryStore, GroupColumn, StoredSeries } from './data-query-store.ts'
import { batchLookups } from './batched-lookup.ts'
import type { SymbolChanges } from './symbol-changes.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Minimum size of a cached symbol in characters, to account for its overhead. */
const usualCharacters = 200
/** Maximum size of the cache in characters of keys and metadata: 50,000 ordinary symbols. */
const maxCharacters = 50_000 * usualCharacters
/** Maximum cache size for symbols of uploads. The other half is for requested symbols. */
const maxUnrequested = maxCharacters / 2

/** Cache of a group. */
interface CachedGroup {
  /** Value columns; undefined if not cached. */
  columns: GroupColumn[] | undefined
  /** Symbols by digest. */
  symbols: Map<string, StoredSeries>
  /** Size of its symbols in characters. */
  characters: number
}

/**
 * Returns the store with a cache of columns, of symbols that were requested by name, and of symbols of ingested files. A change of a
 * group invalidates its entries. Missing symbols are not cached. Use it only where this process makes every change.
 */
export function cacheLookups(store: DataQueryStore, changes: SymbolChanges): DataQueryStore {
  const lookUp = batchLookups((groupId, digests) => store.byDigest(groupId, digests, { conditions: [] }))
  const groups = new Map<number, CachedGroup>()
  let characters = 0

  changes.listen((groupId, ingested) => {
    if (ingested === undefined) forget(groupId)
    else applyIngest(groupId, ingested)
  })

  function openGroup(groupId: number): CachedGroup {
    const known = groups.get(groupId)
    if (known !== undefined) return known
    const fresh: CachedGroup = { columns: undefined, symbols: new Map(), characters: 0 }
    groups.set(groupId, fresh)
    return fresh
  }

  function forget(groupId: number): void {
    characters -= groups.get(groupId)?.characters ?? 0
    groups.delete(groupId)
  }

  function drop(group: CachedGroup, key: string): void {
    const known = group.symbols.get(key)
    if (known === undefined) return
    group.symbols.delete(key)
    count(group, -charactersOf(known))
  }

  function keep(group: CachedGroup, key: string, series: StoredSeries): void {
    drop(group, key)
    group.symbols.set(key, series)
    count(group, charactersOf(series))
  }

  function count(group: CachedGroup, more: number): void {
    group.characters += more
    characters += more
  }

  /** Updates the cache after an ingest: unchanged entries stay, new symbols are added. */
  function applyIngest(groupId: number, { columnIds, series }: IngestChanges): void {
    const group = openGroup(groupId)
    if (group.columns !== undefined && !isWithin(columnIds, idsOf(group.columns))) group.columns = undefined
    for (const { digest, isNew, stored } of series) {
      const key = digest.toString('hex')
      const known = group.symbols.get(key)
      if (known !== undefined && !isKnownOf(known, stored)) drop(group, key)
      if (isNew && characters < maxUnrequested && charactersOf(stored) === usualCharacters)
        keep(group, key, stored)
    }
  }

  /** Adds symbols. Clears the cache when it is full, because frequently requested symbols return quickly. */
  function addSymbols(groupId: number, matches: ReadonlyMap<string, StoredSeries>): void {
    const added = [...matches.values()].reduce((sum, series) => sum + charactersOf(series), 0)
    if (added > maxCharacters) return
    if (characters + added > maxCharacters) {
      groups.clear()
      characters = 0
    }
    const group = openGroup(groupId)
    for (const [digest, series] of matches) keep(group, digest, series)
  }

  return {
    ...store,
    async byDigest(groupId, digests, scope) {
      const state = changes.stateOf(groupId)
      const isWhole = scope.conditions.length === 0 && scope.range === undefined
      if (state === undefined || !isWhole) return store.byDigest(groupId, digests, scope)
      const { symbols } = openGroup(groupId)
      const known: StoredSeries[] = []
      const unknown: Buffer[] = []
      for (const digest of digests) {
        const series = symbols.get(digest.toString('hex'))
        if (series === undefined) unknown.push(digest)
        else known.push(series)
      }
      if (unknown.length > 0) {
        const matches = await lookUp(groupId, unknown)
        if (changes.stateOf(groupId) === state) addSymbols(groupId, byDigestOf(matches))
        known.push(...matches)
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

function byDigestOf(matches: readonly StoredSeries[]): Map<string, StoredSeries> {
  return new Map(matches.map((series) => [symbolDigest(series.keys).toString('hex'), series]))
}

/** Returns whether a cached symbol already has the columns and metadata of a file. */
function isKnownOf({ columnIds, metadata }: StoredSeries, ingested: StoredSeries): boolean {
  return (
    isWithin(ingested.columnIds, new Set(columnIds)) &&
    Object.entries(ingested.metadata).every(
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

/** Returns the size of a symbol: the characters of its keys and metadata, but at least the usual size. */
function charactersOf({ keys, metadata }: StoredSeries): number {
  let characters = 0
  for (const texts of [keys, metadata])
    for (const [name, value] of Object.entries(texts)) characters += name.length + value.length
  return Math.max(usualCharacters, characters)
}
