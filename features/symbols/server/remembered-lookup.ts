import type { BroughtSeries } from './brought-series.ts'
import type { DataQueryStore, GroupColumn, StoredSeries } from './data-query-store.ts'
import { gatherLookups } from './gathered-lookup.ts'
import type { SymbolChanges } from './symbol-changes.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Letters of an ordinary symbol: one with fewer counts as so many, for what it takes besides its letters. */
const usualLetters = 200
/** Letters of keys and metadata that are remembered at most: 50,000 ordinary symbols. */
const maxLetters = 50_000 * usualLetters
/** Symbols of uploads leave the other half to those that somebody asked for. */
const maxUnasked = maxLetters / 2

/** What is known of a group. */
interface Remembered {
  columns: GroupColumn[] | undefined
  /** By digest. */
  symbols: Map<string, StoredSeries>
  /** What its symbols count. */
  letters: number
}

/**
 * The same store, which remembers columns of groups, symbols that were asked for by name and those that files brought, until a change
 * of the group may have made them untrue. Symbols that are not there are asked for every time. Only where every change goes through
 * this process.
 */
export function rememberLookups(store: DataQueryStore, changes: SymbolChanges): DataQueryStore {
  const lookUp = gatherLookups((groupId, digests) => store.byDigest(groupId, digests, { conditions: [] }))
  const groups = new Map<number, Remembered>()
  let letters = 0

  changes.listen((groupId, brought) => {
    if (brought === undefined) forget(groupId)
    else takeOver(groupId, brought)
  })

  function openGroup(groupId: number): Remembered {
    const known = groups.get(groupId)
    if (known !== undefined) return known
    const fresh: Remembered = { columns: undefined, symbols: new Map(), letters: 0 }
    groups.set(groupId, fresh)
    return fresh
  }

  function forget(groupId: number): void {
    letters -= groups.get(groupId)?.letters ?? 0
    groups.delete(groupId)
  }

  function drop(group: Remembered, key: string): void {
    const known = group.symbols.get(key)
    if (known === undefined) return
    group.symbols.delete(key)
    count(group, -lettersOf(known))
  }

  function keep(group: Remembered, key: string, series: StoredSeries): void {
    drop(group, key)
    group.symbols.set(key, series)
    count(group, lettersOf(series))
  }

  function count(group: Remembered, more: number): void {
    group.letters += more
    letters += more
  }

  /** What a file did not change stays known, and what it made is known from now on. */
  function takeOver(groupId: number, { columnIds, series }: BroughtSeries): void {
    const group = openGroup(groupId)
    if (group.columns !== undefined && !isWithin(columnIds, idsOf(group.columns))) group.columns = undefined
    for (const { digest, isNew, brought } of series) {
      const key = digest.toString('hex')
      const known = group.symbols.get(key)
      if (known !== undefined && !isKnownOf(known, brought)) drop(group, key)
      if (isNew && letters < maxUnasked && lettersOf(brought) === usualLetters) keep(group, key, brought)
    }
  }

  /** Makes room by forgetting everything, as what is asked for now comes back at once. */
  function addSymbols(groupId: number, found: ReadonlyMap<string, StoredSeries>): void {
    const asked = [...found.values()].reduce((sum, series) => sum + lettersOf(series), 0)
    if (asked > maxLetters) return
    if (letters + asked > maxLetters) {
      groups.clear()
      letters = 0
    }
    const group = openGroup(groupId)
    for (const [digest, series] of found) keep(group, digest, series)
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

/** What a symbol counts: the letters of its keys and metadata, and never less than an ordinary one. */
function lettersOf({ keys, metadata }: StoredSeries): number {
  let letters = 0
  for (const texts of [keys, metadata])
    for (const [name, value] of Object.entries(texts)) letters += name.length + value.length
  return Math.max(usualLetters, letters)
}
