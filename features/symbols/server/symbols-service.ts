import { AppError, isUuid, type AccessMode, type Page } from '@headwater/contract'
import {
  joinScopes,
  scopeWithin,
  type AccessScope,
  type GroupAccess,
  type LimitedGroup,
} from '@headwater/groups/server'
import { formatUtc, parseSearchQuery, type Bound, type Principal } from '@headwater/server-kit'
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
import { readableGroup, toVisible, type LimitedSymbols, type VisibleSymbols } from './visible-symbols.ts'

/** A search from the URL. Parameters with other names can be part of the query. */
export interface SymbolSearch extends Record<string, unknown> {
  /** Search text in the search grammar. */
  query: string
  /** Access that the caller needs to the groups. */
  access: AccessMode
  /** Whether the query matches exactly. */
  exactMatch: boolean
  /** Whether free text is searched in values only. */
  valuesOnly: boolean
  /** Sort order as `field=asc` pairs. */
  sortBy: string
  /** Alias of `sortBy`. */
  sort: string
}

/** Page of a search. */
export interface SymbolSearchPage {
  /** Number of symbols to return. */
  size: number
  /** Alias of `size`; takes precedence. */
  pageSize?: number | undefined
  /** Index of the first symbol, from 0. */
  from: number
  /** Field to collapse by; empty for none. */
  collapse: string
  /** Whether all matches are counted. */
  exactTotal: boolean
  /** Whether points are counted. */
  pointCount: boolean
}

/** Values of a field of symbols to list. */
export interface FieldValuesQuery {
  /** Name of the group. */
  groupName: string
  /** Name of the symbol key or metadata, case-insensitive. */
  name: string
  /** Whether it is a symbol key or metadata. */
  kind: 'symbol' | 'metadata'
  /** Text that the values contain, regardless of case. */
  query: string
  /** Exact values of keys that the symbols must have. */
  symbols: Readonly<Record<string, string>>
  /** Maximum number of values. */
  limit: number
}

/** Dependencies of the symbols service. */
export interface SymbolsDependencies {
  /** Reads symbols. */
  store: SymbolsStore
  /** Checks access to groups. */
  access: GroupAccess
  /** Counts points. */
  engine: Pick<SeriesEngine, 'statistics'>
  /** Finds the symbols of groups with a range. */
  visible: VisibleSymbols
}

/**
 * Searches symbols. Callers see the symbols of groups that they can read; in groups with a range, only symbols with a
 * point in the range.
 */
export interface SymbolsService {
  /** Returns a page of matching symbols. */
  search: Bound<typeof search>
  /** Yields one JSON document with all matching symbols, in pieces. */
  stream: Bound<typeof stream>
  /** Returns the distinct values of a symbol key. */
  values: Bound<typeof values>
  /** Returns the distinct values of a symbol key or of metadata in a group, ascending, at most `limit`, and their total number. */
  fieldValues: Bound<typeof fieldValues>
  /** Returns the names of the symbol keys of a group and, on request, of its metadata. */
  keys: Bound<typeof keys>
  /** Returns the values of a symbol key with their number of symbols. */
  branches: Bound<typeof branches>
  /** Returns the value columns of matching symbols. */
  columns: Bound<typeof columns>
  /** Returns the readable groups that contain symbols. */
  groups: Bound<typeof groups>
  /** Returns the symbols in a file. */
  ofFile: Bound<typeof ofFile>
  /**
   * Returns the ids of the groups that contain symbols. Groups with a range are included only if they have a symbol in
   * the range.
   */
  groupIdsWithSymbols(limited: readonly LimitedGroup[]): Promise<number[]>
  /** Returns the number of symbols in a group. */
  countIn(groupId: number): Promise<number>
}

const scanPiece = 5000

/** Creates the service that searches symbols. */
export function createSymbolsService(deps: SymbolsDependencies): SymbolsService {
  return {
    search: (...input) => search(deps, ...input),
    stream: (...input) => stream(deps, ...input),
    values: (...input) => values(deps, ...input),
    fieldValues: (...input) => fieldValues(deps, ...input),
    keys: (...input) => keys(deps, ...input),
    branches: (...input) => branches(deps, ...input),
    columns: (...input) => columns(deps, ...input),
    groups: (...input) => groups(deps, ...input),
    ofFile: (...input) => ofFile(deps, ...input),
    groupIdsWithSymbols: async (limited) =>
      deps.store.groupIdsWithSymbols(limited.length === 0 ? undefined : await deps.visible.find(limited)),
    countIn: (groupId) => deps.store.countIn(groupId),
  }
}

async function filterOf(
  deps: SymbolsDependencies,
  principal: Principal,
  search: SymbolSearch,
): Promise<SymbolFilter> {
  const { query, exactMatch, valuesOnly, sortBy, sort, ...stray } = search
  const isSorting = sortBy !== '' || sort !== ''
  const conditions = Object.fromEntries(
    Object.entries(stray).filter(([, value]) => !(isSorting && /^(asc|desc)$/i.test(String(value)))),
  )
  const { scope, limited } = await readable(deps, principal, search.access)
  const filter: SymbolFilter = { ...parseSymbolFilter(query, conditions, scope), ...limited }
  if (valuesOnly) filter.textScope = 'values'
  return exactMatch ? toExactFilter(filter, parseSearchQuery(query).freeText) : filter
}

/** Returns the groups of a caller. Groups with a range are included only for read access. */
async function readable(
  { access, visible }: SymbolsDependencies,
  principal: Principal,
  mode: AccessMode,
): Promise<{ scope: AccessScope; limited: Pick<SymbolFilter, 'limited'> }> {
  const scope = await access.scope(principal, mode)
  const groups = mode === 'R' ? await access.listLimited(principal) : []
  if (groups.length === 0) return { scope, limited: {} }
  const limited = await visible.find(groups)
  return { scope: joinScopes(scope, scopeWithin(groups, limited)), limited: { limited } }
}

/** Returns the id of a group and a filter of the symbols that the caller can see. */
async function filterOfGroup(
  deps: SymbolsDependencies,
  principal: Principal,
  groupName: string,
  query = '',
): Promise<{ groupId: number; filter: SymbolFilter }> {
  const { id, scope, limited } = await readableGroup(deps, principal, groupName)
  return { groupId: id, filter: { ...parseSymbolFilter(query, {}, scope), ...limited } }
}

/** Returns items with the number of points of each symbol. */
async function countPoints(
  deps: SymbolsDependencies,
  symbols: readonly StoredSymbol[],
  limited: LimitedSymbols | undefined,
): Promise<SymbolItem[]> {
  const counts = new Map<number, number>()
  try {
    for (const [groupId, members] of Map.groupBy(symbols, (symbol) => symbol.groupId))
      for (const { sid, count } of await deps.engine.statistics(
        groupId,
        members.map((symbol) => symbol.id),
      ))
        counts.set(sid, limited?.symbols.get(sid)?.pointCount ?? count)
  } catch (error) {
    if (error instanceof SeriesEngineError && error.code === 'unavailable')
      throw symbolErrors.seriesUnavailable()
    throw error
  }
  return symbols.map((symbol) =>
    symbol.isFormula ? toItem(symbol) : { ...toItem(symbol), pointCount: counts.get(symbol.id) ?? 0 },
  )
}

/** Returns a page of matching symbols. */
export async function search(
  deps: SymbolsDependencies,
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
  if (pointCount && size > maxCountedPage) throw symbolErrors.tooManyToCount({ size, limit: maxCountedPage })
  const filter = await filterOf(deps, principal, search)
  const { symbols, total, isAtLeast } = await deps.store.search(filter, {
    order: parseSymbolOrder(search.sortBy === '' ? search.sort : search.sortBy, search),
    from,
    size,
    collapse: collapseField(collapse),
    countUpTo: exactTotal ? undefined : countedSymbols,
  })
  const seen = symbols.map(toVisible(filter.limited))
  const items = pointCount ? await countPoints(deps, seen, filter.limited) : seen.map(toItem)
  return { from, totalSize: total, items, ...(isAtLeast ? { totalIsAtLeast: true } : {}) }
}

/** Yields one JSON document with all matching symbols, in pieces. */
export async function* stream(
  deps: SymbolsDependencies,
  principal: Principal,
  search: SymbolSearch,
): AsyncGenerator<string> {
  const filter = await filterOf(deps, principal, search)
  yield `{"from":0,"totalSize":${await deps.store.count(filter)},"items":[`
  const seen = toVisible(filter.limited)
  let separator = ''
  for await (const symbols of deps.store.scan(filter, scanPiece)) {
    yield separator + symbols.map((symbol) => JSON.stringify(toItem(seen(symbol)))).join(',')
    separator = ','
  }
  yield ']}'
}

/** Returns the distinct values of a symbol key. */
export async function values(
  deps: SymbolsDependencies,
  principal: Principal,
  request: {
    groupName: string
    key: string
    query: string
    symbols: Record<string, string>
    sort: 'asc' | 'desc'
    from: number
    limit: number
  },
): Promise<Page<string>> {
  const { key, query, symbols, sort, from, limit } = request
  const { filter } = await filterOfGroup(deps, principal, request.groupName)
  filter.values = conditionsOf(symbols)
  const { values, total } = await deps.store.values(filter, {
    key,
    containing: query,
    sort,
    from,
    size: limit,
  })
  return { from, totalSize: total, items: values }
}

/** Returns the distinct values of a symbol key or of metadata in a group, ascending, at most `limit`. */
export async function fieldValues(
  deps: SymbolsDependencies,
  principal: Principal,
  { groupName, name, kind, query, symbols, limit }: FieldValuesQuery,
): Promise<{ values: string[]; total: number }> {
  const { filter } = await filterOfGroup(deps, principal, groupName)
  filter.values = conditionsOf(symbols).map((condition) => ({ ...condition, isLiteral: true }))
  if (kind === 'symbol') {
    const page = { key: name, containing: query, sort: 'asc' as const, from: 0, size: limit }
    return deps.store.values(filter, page)
  }
  const field = { kind, name: name.toLowerCase() }
  filter.values.push({ ...field, pattern: `*${query}*` })
  const { symbols: matches, total } = await deps.store.search(filter, {
    order: [{ field, direction: 'asc' }],
    from: 0,
    size: limit,
    collapse: field,
    countUpTo: limit,
  })
  const valueOf = (metadata: Readonly<Record<string, string>>) =>
    Object.entries(metadata).find(([own]) => own.toLowerCase() === field.name)?.[1]
  const values = [...new Set(matches.flatMap((item) => valueOf(toItem(item).metadata) ?? []))]
  return { values, total: total - (matches.length - values.length) }
}

/** Returns the names of symbol keys and, on request, of metadata. */
export async function keys(
  deps: SymbolsDependencies,
  principal: Principal,
  request: {
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
  const { groupName, query, symbols, metadata, omitRequiredKeys, sort, from, size } = request
  const { groupId, filter } = await filterOfGroup(deps, principal, groupName)
  filter.values = conditionsOf(symbols)
  const named = new Set(filter.values.map(({ name }) => name))
  const listed = await deps.store.keys(groupId, {
    containing: query,
    metadata,
    sort,
    of: named.size === 0 && filter.limited === undefined ? undefined : filter,
  })
  const keys = omitRequiredKeys
    ? listed.filter(({ kind, name }) => kind !== 'symbol' || !named.has(name.toLowerCase()))
    : listed
  return { from, totalSize: keys.length, items: keys.slice(from, from + size) }
}

/** Returns the values of a symbol key with their number of symbols. */
export async function branches(
  deps: SymbolsDependencies,
  principal: Principal,
  request: {
    groupName: string
    key: string
    symbols: Record<string, string>
    query: string
    from: number
    size: number
  },
): Promise<Page<SymbolBranch>> {
  const { groupName, key, symbols, query, from, size } = request
  const { filter } = await filterOfGroup(deps, principal, groupName)
  filter.values = conditionsOf(symbols).map((value) => ({ ...value, isLiteral: true }))
  const { branches, total } = await deps.store.branches(filter, { key, containing: query, from, size })
  return { from, totalSize: total, items: branches }
}

/** Returns the value columns of matching symbols. */
export async function columns(
  deps: SymbolsDependencies,
  principal: Principal,
  { groupName, query }: { groupName: string; query: string },
): Promise<Page<ValueColumn>> {
  const { filter } = await filterOfGroup(deps, principal, groupName, query)
  const columns = await deps.store.columns(filter)
  return { from: 0, totalSize: columns.length, items: columns }
}

/** Returns the readable groups that contain symbols. */
export async function groups(
  deps: SymbolsDependencies,
  principal: Principal,
  { query, from, size }: { query: string; from: number; size: number },
): Promise<Page<SymbolGroup>> {
  const { scope, limited } = await readable(deps, principal, 'R')
  const page = { containing: query, from, size }
  const { groups, total } = await deps.store.groups({ scope, ...limited }, page)
  return { from, totalSize: total, items: groups }
}

/** Returns the symbols that a file names. */
export async function ofFile(
  deps: SymbolsDependencies,
  principal: Principal,
  { fid, from, size }: { fid: string; from: number; size: number },
): Promise<Page<SymbolItem>> {
  const stored = isUuid(fid.trim()) ? await deps.store.ofFile(fid.trim(), { from, size }) : undefined
  if (stored === undefined) throw symbolErrors.fileWithoutSymbols({ fid })
  try {
    await deps.access.getGroupById(principal, stored.groupId, 'R')
  } catch (error) {
    throw error instanceof AppError && error.status === 404 ? symbolErrors.fileWithoutSymbols({ fid }) : error
  }
  return { from, totalSize: stored.total, items: stored.symbols.map(toItem) }
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

/** Converts a symbol to its API form: names ascending, times in UTC without a zone. */
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
