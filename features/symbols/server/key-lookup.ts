import type { GroupAccess } from '@headwater/groups/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { DataKey, SymbolItem } from '../contract/index.ts'
import { checkPatterns, columnMatcher, conditionsOfKey, filterOfKey, isOpenKey } from './key-filter.ts'
import { symbolDigest } from './symbol-digest.ts'
import { toItem } from './symbols-service.ts'
import type { StoredSymbol, SymbolsStore } from './symbols-store.ts'
import { readableGroup, toVisible, type VisibleSymbols } from './visible-symbols.ts'

/** Symbols that a key of a data query matches now. */
export interface KeyMeaning {
  /** Whether the key can match several symbols. */
  isOpen: boolean
  /** Number of matching symbols; also 0 when the user cannot read the group. */
  totalSize: number
  /** First matches, with the columns that the key selects. */
  symbols: SymbolItem[]
}

/** Resolves the keys of data queries to symbols with the access of a user, without reading points. */
export interface KeyLookup {
  /**
   * Returns the matches of each key, in order.
   * @param limits maximum number of symbols to return for each open key, and in total
   * @throws lookupTooSlow, tooManyPatterns
   */
  describe(
    principal: Principal,
    keys: readonly DataKey[],
    limits: { perKey: number; inAll: number },
  ): Promise<KeyMeaning[]>
  /** Yields every matching symbol, in pieces; a symbol that several keys match is repeated. */
  scan(principal: Principal, keys: readonly DataKey[]): AsyncGenerator<SymbolItem[]>
}

const pieceSize = 5000

/** Creates the lookup. Keys without a group match nothing. */
export function createKeyLookup(deps: {
  store: SymbolsStore
  access: GroupAccess
  visible: VisibleSymbols
}): KeyLookup {
  const { store } = deps
  async function readableGroups(principal: Principal, keys: readonly DataKey[]) {
    const names = new Set(keys.flatMap(({ groupName }) => (groupName === undefined ? [] : [groupName])))
    const groups: ReadableGroups = new Map()
    for (const name of names) {
      const group = await unlessRefused(readableGroup(deps, principal, name))
      if (group !== undefined) groups.set(name, group)
    }
    return groups
  }

  /** Returns the symbols of all exact keys, by group and digest. */
  async function findExact(keys: readonly DataKey[], groups: ReadableGroups) {
    const digests = new Map<number, Buffer[]>()
    for (const key of keys) {
      const groupId = groups.get(key.groupName)?.id
      if (groupId === undefined || isOpenKey(key)) continue
      const list = digests.get(groupId) ?? []
      list.push(symbolDigest(key.symbols))
      digests.set(groupId, list)
    }
    const matches = new Map<string, StoredSymbol>()
    for (const [groupId, list] of digests)
      for (const symbol of await store.byDigest(groupId, list))
        if (isVisible(symbol, groups)) matches.set(lookupKey(groupId, symbol.keys), symbol)
    return matches
  }

  return {
    async describe(principal, keys, { perKey, inAll }) {
      const open = keys.filter(isOpenKey)
      const different = new Map(
        open.map((key) => [JSON.stringify([key.groupName, conditionsOfKey(key)]), key]),
      )
      checkPatterns([...different.values()])
      const groups = await readableGroups(principal, keys)
      const exact = await findExact(keys, groups)
      const meanings: KeyMeaning[] = []
      let left = inAll
      for (const key of keys) {
        const isOpen = isOpenKey(key)
        const group = groups.get(key.groupName)
        if (group === undefined) {
          meanings.push({ isOpen, totalSize: 0, symbols: [] })
        } else if (isOpen) {
          const filter = { ...filterOfKey(key, group.scope), ...group.limited }
          const size = Math.min(perKey, left)
          const { symbols, total } =
            size === 0
              ? { symbols: [], total: await store.count(filter) }
              : await store.search(filter, { order: [], from: 0, size })
          left -= symbols.length
          meanings.push({
            isOpen,
            totalSize: total,
            symbols: symbols.map((symbol) => requestedItem(key, toVisible(group.limited.limited)(symbol))),
          })
        } else {
          const symbol = exact.get(lookupKey(group.id, key.symbols))
          const symbols =
            symbol === undefined ? [] : [requestedItem(key, toVisible(group.limited.limited)(symbol))]
          meanings.push({ isOpen, totalSize: symbols.length, symbols })
        }
      }
      return meanings
    },

    async *scan(principal, keys) {
      const groups = await readableGroups(principal, keys)
      const exact = await findExact(keys, groups)
      const limitedOf = new Map([...groups.values()].map(({ id, limited }) => [id, limited.limited]))
      const seen = (symbol: StoredSymbol) => toItem(toVisible(limitedOf.get(symbol.groupId))(symbol))
      if (exact.size > 0) yield [...exact.values()].map(seen)
      for (const key of keys.filter(isOpenKey)) {
        const group = groups.get(key.groupName)
        if (group === undefined) continue
        const filter = { ...filterOfKey(key, group.scope), ...group.limited }
        for await (const piece of store.scan(filter, pieceSize)) yield piece.map(seen)
      }
    },
  }
}

type ReadableGroups = Map<string | undefined, Awaited<ReturnType<typeof readableGroup>>>

function isVisible({ id, groupId }: StoredSymbol, groups: ReadableGroups): boolean {
  const group = [...groups.values()].find((each) => each.id === groupId)
  return group?.limited.limited === undefined || group.limited.limited.symbols.has(id)
}

function lookupKey(groupId: number, symbols: Record<string, string>): string {
  return `${groupId}:${symbolDigest(symbols).toString('hex')}`
}

function requestedItem(key: DataKey, symbol: StoredSymbol): SymbolItem {
  const isRequested = columnMatcher(key)
  const item = toItem(symbol)
  return { ...item, columns: item.columns.filter(({ name }) => isRequested(name)) }
}
