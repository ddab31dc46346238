import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { DataKey, SymbolItem } from '../contract/index.ts'
import { checkPatterns, columnMatcher, conditionsOfKey, filterOfKey, isOpenKey } from './key-filter.ts'
import { symbolDigest } from './symbol-digest.ts'
import { toItem } from './symbols-service.ts'
import type { StoredSymbol, SymbolsStore } from './symbols-store.ts'

/** What one key of a data query means now. */
export interface KeyMeaning {
  /** Whether the key may mean more than one symbol. */
  isOpen: boolean
  /** Number of symbols it means; 0 also when the user cannot read the group. */
  totalSize: number
  /** The first of them, with the columns that the key asks for. */
  symbols: SymbolItem[]
}

/** Tells which symbols the keys of a data query mean to a user, without asking for their points. */
export interface KeyLookup {
  /**
   * The meaning of each key, in their order.
   * @param limits most symbols to tell of one open key, and of all of them together
   * @throws lookupTooSlow, tooManyPatterns
   */
  describe(
    principal: Principal,
    keys: readonly DataKey[],
    limits: { perKey: number; inAll: number },
  ): Promise<KeyMeaning[]>
  /** Every symbol that the keys mean, in pieces; one that several keys mean comes several times. */
  scan(principal: Principal, keys: readonly DataKey[]): AsyncGenerator<SymbolItem[]>
}

const pieceSize = 5000

/** Makes the lookup. Keys without a group mean nothing. */
export function createKeyLookup({ store, access }: { store: SymbolsStore; access: GroupAccess }): KeyLookup {
  async function readableGroups(principal: Principal, keys: readonly DataKey[]) {
    const names = new Set(keys.flatMap(({ groupName }) => (groupName === undefined ? [] : [groupName])))
    const groups = new Map<string | undefined, AccessibleGroup>()
    for (const name of names) {
      const group = await unlessRefused(access.getGroup(principal, name, 'R'))
      if (group !== undefined) groups.set(name, group)
    }
    return groups
  }

  /** Symbols by group and digest of their keys, of all keys that name one completely. */
  async function findExact(keys: readonly DataKey[], groups: Map<string | undefined, AccessibleGroup>) {
    const digests = new Map<number, Buffer[]>()
    for (const key of keys) {
      const groupId = groups.get(key.groupName)?.id
      if (groupId === undefined || isOpenKey(key)) continue
      const list = digests.get(groupId) ?? []
      list.push(symbolDigest(key.symbols))
      digests.set(groupId, list)
    }
    const found = new Map<string, StoredSymbol>()
    for (const [groupId, list] of digests)
      for (const symbol of await store.byDigest(groupId, list))
        found.set(placeOf(groupId, symbol.keys), symbol)
    return found
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
          const filter = filterOfKey(key, group.scope)
          const size = Math.min(perKey, left)
          const { symbols, total } =
            size === 0
              ? { symbols: [], total: await store.count(filter) }
              : await store.search(filter, { order: [], from: 0, size })
          left -= symbols.length
          meanings.push({
            isOpen,
            totalSize: total,
            symbols: symbols.map((symbol) => askedItem(key, symbol)),
          })
        } else {
          const symbol = exact.get(placeOf(group.id, key.symbols))
          const symbols = symbol === undefined ? [] : [askedItem(key, symbol)]
          meanings.push({ isOpen, totalSize: symbols.length, symbols })
        }
      }
      return meanings
    },

    async *scan(principal, keys) {
      const groups = await readableGroups(principal, keys)
      const exact = await findExact(keys, groups)
      if (exact.size > 0) yield [...exact.values()].map(toItem)
      for (const key of keys.filter(isOpenKey)) {
        const group = groups.get(key.groupName)
        if (group === undefined) continue
        for await (const piece of store.scan(filterOfKey(key, group.scope), pieceSize))
          yield piece.map(toItem)
      }
    },
  }
}

function placeOf(groupId: number, symbols: Record<string, string>): string {
  return `${groupId}:${symbolDigest(symbols).toString('hex')}`
}

function askedItem(key: DataKey, symbol: StoredSymbol): SymbolItem {
  const isAsked = columnMatcher(key)
  const item = toItem(symbol)
  return { ...item, columns: item.columns.filter(({ name }) => isAsked(name)) }
}
