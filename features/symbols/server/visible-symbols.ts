import { scopeWithin, type AccessScope, type GroupAccess, type LimitedGroup } from '@headwater/groups/server'
import { createTimedCache, isRefusal, type Clock, type Principal } from '@headwater/server-kit'
import { SeriesEngineError, type SeriesEngine } from '@headwater/timeseries'
import { symbolErrors } from '../contract/index.ts'
import type { DataQueryStore, GroupColumn } from './data-query-store.ts'
import { limitsOf, symbolsWithPoints } from './points-in-range.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import type { StoredSymbol } from './symbols-store.ts'

/** The part of a symbol that is visible to a caller, derived from its points in a range. */
export interface VisibleSymbol {
  /** Timestamp of the first point in the range. */
  firstAt: Date
  /** Timestamp of the last point in the range. */
  lastAt: Date
  /** Number of points in the range. */
  pointCount: number
  /** Value columns with a value in the range, by name. */
  columns: readonly GroupColumn[]
}

/** Groups of a scope whose data a caller can read only within a range, with the symbols that have a point in it. */
export interface LimitedSymbols {
  /** Ids of the groups. */
  groupIds: readonly number[]
  /** The symbols by id. */
  symbols: ReadonlyMap<number, VisibleSymbol>
}

/** Finds the symbols of groups that have a point in the range of the caller. */
export interface VisibleSymbols {
  /** Returns these groups with their visible symbols. */
  find(groups: readonly LimitedGroup[]): Promise<LimitedSymbols>
}

/** Maximum number of symbols of a group whose points are compared with a range. */
const maxSymbols = 250_000
const cacheMs = 60_000
const maxCachedGroups = 50

/**
 * Creates the reader. It caches the symbols of a group by the range and the state of its data, so that changes of
 * either apply immediately.
 */
export function createVisibleSymbols({
  store,
  engine,
  clock,
}: {
  store: Pick<DataQueryStore, 'scan' | 'columns' | 'groupStates'>
  engine: Pick<SeriesEngine, 'query' | 'statistics'>
  clock: Clock
}): VisibleSymbols {
  const groups = new Map<string, LimitedGroup>()
  const cache = createTimedCache({
    load: async (key: string) => {
      const group = groups.get(key)!
      groups.delete(key)
      return readVisible({ store, engine }, group)
    },
    ttlMs: cacheMs,
    maxEntries: maxCachedGroups,
    clock,
  })
  return {
    async find(limited) {
      const symbols = new Map<number, VisibleSymbol>()
      const states = limited.length === 0 ? [] : await store.groupStates(limited.map(({ id }) => id))
      for (const group of limited) {
        const state = states.find(({ groupId }) => groupId === group.id)
        const key = JSON.stringify([group.range, state])
        groups.set(key, group)
        for (const [id, symbol] of await cache.get(key)) symbols.set(id, symbol)
        groups.delete(key)
      }
      return { groupIds: limited.map(({ id }) => id), symbols }
    },
  }
}

async function readVisible(
  { store, engine }: Pick<Parameters<typeof createVisibleSymbols>[0], 'store' | 'engine'>,
  group: LimitedGroup,
): Promise<ReadonlyMap<number, VisibleSymbol>> {
  const { id: groupId, range } = group
  const scope = scopeWithin([group], { range })
  const filter = { scope, groupNames: [], values: [], columns: [], terms: [] }
  const symbolIds: number[] = []
  for await (const piece of store.scan(filter, { conditions: [], range })) {
    for (const { id } of piece) symbolIds.push(id)
    if (symbolIds.length > maxSymbols) throw symbolErrors.tooManySymbols({ limit: maxSymbols })
  }
  const columns = (await store.columns([groupId])).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const limits = limitsOf(range)
  try {
    const withPoints = await symbolsWithPoints(engine, { groupId, symbolIds, columns, limits })
    if (withPoints.size === 0) return new Map()
    const columnsOf = new Map<string, readonly GroupColumn[]>()
    const visible = new Map<number, VisibleSymbol>()
    for (const { sid, firstTimestamp, lastTimestamp, count } of await engine.statistics(
      groupId,
      [...withPoints.keys()],
      limits,
    )) {
      const columnIds = withPoints.get(sid)!
      const key = columnIds.join()
      if (!columnsOf.has(key))
        columnsOf.set(
          key,
          columns.filter(({ id }) => columnIds.includes(id)),
        )
      visible.set(sid, {
        firstAt: new Date(firstTimestamp),
        lastAt: new Date(lastTimestamp),
        pointCount: count,
        columns: columnsOf.get(key)!,
      })
    }
    return visible
  } catch (error) {
    if (error instanceof SeriesEngineError && error.code === 'unavailable')
      throw symbolErrors.seriesUnavailable()
    throw error
  }
}

/**
 * Returns a group that the caller can read; for a group with a range also the symbols that the caller can see.
 * @throws groupNotFound
 */
export async function readableGroup(
  { access, visible }: { access: GroupAccess; visible: VisibleSymbols },
  principal: Principal,
  name: string,
): Promise<{ id: number; name: string; scope: AccessScope; limited: Pick<SymbolFilter, 'limited'> }> {
  try {
    return { ...(await access.getGroup(principal, name, 'R')), limited: {} }
  } catch (error) {
    const group = isRefusal(error) ? await access.findLimited(principal, { name }) : undefined
    if (group === undefined) throw error
    const limited = await visible.find([group])
    return { id: group.id, name: group.name, scope: scopeWithin([group], limited), limited: { limited } }
  }
}

/**
 * Returns a function that limits stored symbols to the information in their points in the range. Other symbols stay
 * unchanged.
 */
export function toVisible(limited: LimitedSymbols | undefined): (symbol: StoredSymbol) => StoredSymbol {
  if (limited === undefined) return (symbol) => symbol
  return (symbol) => {
    const visible = limited.symbols.get(symbol.id)
    if (visible === undefined) return symbol
    const { firstAt, lastAt, columns } = visible
    return { ...symbol, firstAt, lastAt, columns: columns.map(({ name, type }) => ({ name, type })) }
  }
}
