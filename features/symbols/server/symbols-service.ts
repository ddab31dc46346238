import type { Page } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import {
  symbolErrors,
  type SymbolGroup,
  type SymbolItem,
  type SymbolKey,
  type ValueColumn,
} from '../contract/index.ts'
import { parseSymbolFilter, parseSymbolOrder, type SymbolFilter } from './symbol-filter.ts'
import type { StoredSymbol, SymbolsStore } from './symbols-store.ts'

/** A search as it comes from the URL; parameters with other names may be part of it. */
export interface SymbolSearch extends Record<string, unknown> {
  query: string
  sortBy: string
}

export type SymbolsService = ReturnType<typeof createSymbolsService>

const scanPiece = 5000

/** The rules of symbols: everybody sees those of the groups they can read. */
export function createSymbolsService({ store, access }: { store: SymbolsStore; access: GroupAccess }) {
  async function filterOf(principal: Principal, search: SymbolSearch): Promise<SymbolFilter> {
    const { query, sortBy, ...stray } = search
    const isSorting = sortBy !== ''
    const conditions = Object.fromEntries(
      Object.entries(stray).filter(([, value]) => !(isSorting && /^(asc|desc)$/i.test(String(value)))),
    )
    return parseSymbolFilter(query, conditions, await access.readableGroupIds(principal))
  }

  async function filterOfGroup(principal: Principal, groupName: string, query = ''): Promise<SymbolFilter> {
    const group = await access.getGroup(principal, groupName, 'R')
    return parseSymbolFilter(query, {}, [group.id])
  }

  return {
    async search(
      principal: Principal,
      { size, from, ...search }: SymbolSearch & { size: number; from: number },
    ): Promise<Page<SymbolItem>> {
      const filter = await filterOf(principal, search)
      const order = parseSymbolOrder(search.sortBy, search)
      const { symbols, total } = await store.search(filter, { order, from, size })
      return { from, totalSize: total, items: symbols.map(toItem) }
    },

    /** The text of one JSON document with every symbol that is found, in pieces. */
    async *stream(principal: Principal, search: SymbolSearch): AsyncGenerator<string> {
      const filter = await filterOf(principal, search)
      yield `{"from":0,"totalSize":${await store.count(filter)},"items":[`
      let separator = ''
      for await (const symbols of store.scan(filter, scanPiece)) {
        yield separator + symbols.map((symbol) => JSON.stringify(toItem(symbol))).join(',')
        separator = ','
      }
      yield ']}'
    },

    async values(
      principal: Principal,
      question: {
        groupName: string
        key: string
        query: string
        symbols: Record<string, string>
        sort: 'asc' | 'desc'
        from: number
        limit: number
      },
    ): Promise<Page<string>> {
      const { key, query, symbols, sort, from, limit } = question
      const filter = await filterOfGroup(principal, question.groupName)
      for (const [name, pattern] of Object.entries(symbols))
        filter.values.push({ kind: 'symbol', name: name.toLowerCase(), pattern })
      const { values, total } = await store.values(filter, {
        key,
        containing: query,
        sort,
        from,
        size: limit,
      })
      return { from, totalSize: total, items: values }
    },

    async keys(
      principal: Principal,
      question: { groupName: string; query: string; metadata: boolean; from: number; size: number },
    ): Promise<Page<SymbolKey>> {
      const { groupName, query, metadata, from, size } = question
      const group = await access.getGroup(principal, groupName, 'R')
      const keys = await store.keys(group.id, { containing: query, metadata })
      return { from, totalSize: keys.length, items: keys.slice(from, from + size) }
    },

    async columns(
      principal: Principal,
      { groupName, query }: { groupName: string; query: string },
    ): Promise<Page<ValueColumn>> {
      const columns = await store.columns(await filterOfGroup(principal, groupName, query))
      return { from: 0, totalSize: columns.length, items: columns }
    },

    async groups(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ): Promise<Page<SymbolGroup>> {
      const readable = await access.readableGroupIds(principal)
      const { groups, total } = await store.groups(readable, { containing: query, from, size })
      return { from, totalSize: total, items: groups }
    },

    async ofFile(
      principal: Principal,
      { fid, from, size }: { fid: string; from: number; size: number },
    ): Promise<Page<SymbolItem>> {
      const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(fid)
      const found = isUuid ? await store.ofFile(fid, { from, size }) : undefined
      const readable = await access.readableGroupIds(principal)
      if (found === undefined || (readable !== 'all' && !readable.includes(found.groupId)))
        throw symbolErrors.fileWithoutSymbols({ fid })
      return { from, totalSize: found.total, items: found.symbols.map(toItem) }
    },

    groupIdsWithSymbols: () => store.groupIdsWithSymbols(),
  }
}

/** A symbol as the API shows it: names ascending, times in UTC without a zone. */
export function toItem(symbol: StoredSymbol): SymbolItem {
  return {
    symbols: byName(symbol.keys),
    groupName: symbol.groupName,
    columns: symbol.columns,
    metadata: byName(symbol.metadata),
    ...(symbol.firstAt === null ? {} : { firstDate: isoLocal(symbol.firstAt) }),
    ...(symbol.lastAt === null ? {} : { lastDate: isoLocal(symbol.lastAt) }),
  }
}

function byName(map: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isoLocal(date: Date): string {
  return date.toISOString().replace(/(\.000)?Z$/, '')
}
