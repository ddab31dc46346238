import { isUuid, type AccessMode, type Page } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import { formatUtc, parseSearchQuery, type Principal } from '@headwater/server-kit'
import { SeriesEngineError, type SeriesEngine } from '@headwater/timeseries'
import {
  countedSymbols,
  maxCountedPage,
  symbolErrors,
  type SymbolBranch,
  type SymbolGroup,
  type SymbolItem,
  type SymbolKey,
  type ValueColumn,
} from '../contract/index.ts'
import {
  fieldOf,
  parseSymbolFilter,
  parseSymbolOrder,
  toExactFilter,
  type SymbolFilter,
  type SymbolOrder,
} from './symbol-filter.ts'
import type { StoredSymbol, SymbolsStore } from './symbols-store.ts'

/** A search as it comes from the URL; parameters with other names may be part of it. */
export interface SymbolSearch extends Record<string, unknown> {
  query: string
  access: AccessMode
  exactMatch: boolean
  valuesOnly: boolean
  sortBy: string
  sort: string
}

/** Which part of a search is wanted. */
export interface SymbolSearchPage {
  size: number
  pageSize?: number | undefined
  from: number
  collapse: string
  exactTotal: boolean
  pointCount: boolean
}

/** Which values of a field of symbols are wanted. */
export interface FieldValuesQuestion {
  groupName: string
  /** Name of the symbol key or metadata, in any letter case. */
  name: string
  kind: 'symbol' | 'metadata'
  /** Part of the value, in any letter case. */
  query: string
  /** Values of keys that the symbols must have; a star is a star. */
  symbols: Readonly<Record<string, string>>
  limit: number
}

export interface SymbolsDependencies {
  store: SymbolsStore
  access: GroupAccess
  engine: Pick<SeriesEngine, 'statistics'>
}

export type SymbolsService = ReturnType<typeof createSymbolsService>

const scanPiece = 5000

/** The rules of symbols: everybody sees those of the groups they can read. */
export function createSymbolsService({ store, access, engine }: SymbolsDependencies) {
  async function filterOf(principal: Principal, search: SymbolSearch): Promise<SymbolFilter> {
    const { query, exactMatch, valuesOnly, sortBy, sort, ...stray } = search
    const isSorting = sortBy !== '' || sort !== ''
    const conditions = Object.fromEntries(
      Object.entries(stray).filter(([, value]) => !(isSorting && /^(asc|desc)$/i.test(String(value)))),
    )
    const scope = await access.scope(principal, search.access)
    const filter = parseSymbolFilter(query, conditions, scope)
    if (valuesOnly) filter.textPlaces = 'values'
    return exactMatch ? toExactFilter(filter, parseSearchQuery(query).freeText) : filter
  }

  async function filterOfGroup(principal: Principal, groupName: string, query = ''): Promise<SymbolFilter> {
    const group = await access.getGroup(principal, groupName, 'R')
    return parseSymbolFilter(query, {}, group.scope)
  }

  /** Items with the number of points of each symbol. */
  async function countPoints(symbols: readonly StoredSymbol[]): Promise<SymbolItem[]> {
    const counts = new Map<number, number>()
    try {
      for (const [groupId, members] of Map.groupBy(symbols, (symbol) => symbol.groupId))
        for (const { sid, count } of await engine.statistics(
          groupId,
          members.map((symbol) => symbol.id),
        ))
          counts.set(sid, count)
    } catch (error) {
      if (error instanceof SeriesEngineError && error.code === 'unavailable')
        throw symbolErrors.seriesUnavailable()
      throw error
    }
    return symbols.map((symbol) =>
      symbol.isFormula ? toItem(symbol) : { ...toItem(symbol), pointCount: counts.get(symbol.id) ?? 0 },
    )
  }

  return {
    async search(
      principal: Principal,
      {
        size: givenSize,
        pageSize,
        from,
        collapse,
        exactTotal,
        pointCount,
        ...search
      }: SymbolSearch & SymbolSearchPage,
    ): Promise<Page<SymbolItem> & { totalIsAtLeast?: boolean }> {
      const size = pageSize ?? givenSize
      if (pointCount && size > maxCountedPage)
        throw symbolErrors.tooManyToCount({ size, limit: maxCountedPage })
      const filter = await filterOf(principal, search)
      const { symbols, total, isAtLeast } = await store.search(filter, {
        order: parseSymbolOrder(search.sortBy === '' ? search.sort : search.sortBy, search),
        from,
        size,
        collapse: collapseField(collapse),
        countUpTo: exactTotal ? undefined : countedSymbols,
      })
      const items = pointCount ? await countPoints(symbols) : symbols.map(toItem)
      return { from, totalSize: total, items, ...(isAtLeast ? { totalIsAtLeast: true } : {}) }
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
      filter.values = conditionsOf(symbols)
      const { values, total } = await store.values(filter, {
        key,
        containing: query,
        sort,
        from,
        size: limit,
      })
      return { from, totalSize: total, items: values }
    },

    /** The different values of a symbol key or of metadata in a group, ascending, at most `limit` of them. */
    async fieldValues(
      principal: Principal,
      { groupName, name, kind, query, symbols, limit }: FieldValuesQuestion,
    ): Promise<string[]> {
      const filter = await filterOfGroup(principal, groupName)
      filter.values = conditionsOf(symbols).map((condition) => ({ ...condition, isLiteral: true }))
      if (kind === 'symbol') {
        const page = { key: name, containing: query, sort: 'asc' as const, from: 0, size: limit }
        return (await store.values(filter, page)).values
      }
      const field = { kind, name: name.toLowerCase() }
      filter.values.push({ ...field, pattern: `*${query}*` })
      const { symbols: found } = await store.search(filter, {
        order: [{ field, direction: 'asc' }],
        from: 0,
        size: limit,
        collapse: field,
        countUpTo: limit,
      })
      const valueOf = (metadata: Readonly<Record<string, string>>) =>
        Object.entries(metadata).find(([own]) => own.toLowerCase() === field.name)?.[1]
      return [...new Set(found.flatMap((item) => valueOf(toItem(item).metadata) ?? []))]
    },

    async keys(
      principal: Principal,
      question: {
        groupName: string
        query: string
        symbols: Record<string, string>
        metadata: boolean
        omitRequiredKeys: boolean
        sort: 'asc' | 'desc'
        from: number
        size: number
      },
    ): Promise<Page<SymbolKey>> {
      const { groupName, query, symbols, metadata, omitRequiredKeys, sort, from, size } = question
      const { id, scope } = await access.getGroup(principal, groupName, 'R')
      const filter = parseSymbolFilter('', {}, scope)
      filter.values = conditionsOf(symbols)
      const named = new Set(filter.values.map(({ name }) => name))
      const found = await store.keys(id, {
        containing: query,
        metadata,
        sort,
        of: named.size === 0 ? undefined : filter,
      })
      const keys = omitRequiredKeys
        ? found.filter(({ kind, name }) => kind !== 'symbol' || !named.has(name.toLowerCase()))
        : found
      return { from, totalSize: keys.length, items: keys.slice(from, from + size) }
    },

    async branches(
      principal: Principal,
      question: {
        groupName: string
        key: string
        symbols: Record<string, string>
        query: string
        from: number
        size: number
      },
    ): Promise<Page<SymbolBranch>> {
      const { groupName, key, symbols, query, from, size } = question
      const filter = await filterOfGroup(principal, groupName)
      filter.values = conditionsOf(symbols).map((value) => ({ ...value, isLiteral: true }))
      const { branches, total } = await store.branches(filter, { key, containing: query, from, size })
      return { from, totalSize: total, items: branches }
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
      const scope = await access.scope(principal)
      const { groups, total } = await store.groups(scope, { containing: query, from, size })
      return { from, totalSize: total, items: groups }
    },

    async ofFile(
      principal: Principal,
      { fid, from, size }: { fid: string; from: number; size: number },
    ): Promise<Page<SymbolItem>> {
      const found = isUuid(fid) ? await store.ofFile(fid.trim(), { from, size }) : undefined
      const scope = await access.scope(principal)
      if (found === undefined || !scope.has(found.groupId)) throw symbolErrors.fileWithoutSymbols({ fid })
      return { from, totalSize: found.total, items: found.symbols.map(toItem) }
    },

    groupIdsWithSymbols: () => store.groupIdsWithSymbols(),
    countIn: (groupId: number) => store.countIn(groupId),
  }
}

function conditionsOf(symbols: Readonly<Record<string, string>>): SymbolFilter['values'] {
  return Object.entries(symbols).map(([name, pattern]) => ({
    kind: 'symbol',
    name: name.toLowerCase(),
    pattern,
  }))
}

function collapseField(text: string): SymbolOrder['field'] | undefined {
  if (text === '' || text.toLowerCase() === 'false') return undefined
  return text.toLowerCase() === 'true' ? { kind: 'groupName' } : fieldOf(text)
}

/** A symbol as the API shows it: names ascending, times in UTC without a zone. */
export function toItem(symbol: StoredSymbol): SymbolItem {
  return {
    symbols: byName(symbol.keys),
    groupName: symbol.groupName,
    columns: symbol.columns,
    metadata: byName(symbol.metadata),
    ...(symbol.isFormula ? { formula: true } : {}),
    ...(symbol.firstAt === null ? {} : { firstDate: formatUtc(symbol.firstAt) }),
    ...(symbol.lastAt === null ? {} : { lastDate: formatUtc(symbol.lastAt) }),
  }
}

function byName(map: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
