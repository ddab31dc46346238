import type { DataRange } from '@headwater/groups/server'
import { createTimedCache, type Clock } from '@headwater/server-kit'
import type { PointLimits, Selection, SeriesEngine } from '@headwater/timeseries'
import type { DataQueryStore } from './data-query-store.ts'

/** Symbols of a group, and the limits within which points count. */
export interface RangedSymbols {
  /** Id of the group. */
  groupId: number
  /** Ids of the symbols. */
  symbolIds: readonly number[]
  /** Value columns of the group. */
  columns: Selection['columns']
  /** Limits of the points. */
  limits: PointLimits
}

/** Symbols with points within limits: the ids of the columns that have a value there, by the id of the symbol. */
export type SymbolsWithPoints = ReadonlyMap<number, readonly number[]>

const cacheMs = 60_000
const maxCached = 200
/** Maximum number of symbols of a cached result. Larger results are computed each time. */
const maxCachedSymbols = 5000

/**
 * Returns {@link symbolsWithPoints} with a cache, because it reads all points within the limits. The state of the data
 * of the group is part of the key, so changes apply immediately.
 */
export function cachedSymbolsWithPoints({
  engine,
  store,
  clock,
}: {
  engine: Pick<SeriesEngine, 'query'>
  store: Pick<DataQueryStore, 'groupStates'>
  clock: Clock
}): (symbols: RangedSymbols, signal?: AbortSignal) => Promise<SymbolsWithPoints> {
  const requested = new Map<string, RangedSymbols>()
  const cache = createTimedCache({
    // Other callers can wait for the same result, so the signal of one does not abort it.
    load: (key: string) => symbolsWithPoints(engine, requested.get(key)!),
    ttlMs: cacheMs,
    maxEntries: maxCached,
    clock,
  })
  return async (symbols, signal) => {
    if (symbols.symbolIds.length > maxCachedSymbols) return symbolsWithPoints(engine, symbols, signal)
    const key = JSON.stringify([await store.groupStates([symbols.groupId]), symbols])
    requested.set(key, symbols)
    try {
      return await cache.get(key)
    } finally {
      requested.delete(key)
    }
  }
}

/** Returns a range as limits of points. */
export function limitsOf({ from, to }: DataRange): PointLimits {
  return {
    ...(from === null ? {} : { from: from.getTime() }),
    ...(to === null ? {} : { to: to.getTime() - 1 }),
  }
}

/** Returns the ids of the symbols that have a point within the limits, with the ids of the columns that have a value there. */
export async function symbolsWithPoints(
  engine: Pick<SeriesEngine, 'query'>,
  { groupId, symbolIds, columns, limits }: RangedSymbols,
  signal?: AbortSignal,
): Promise<SymbolsWithPoints> {
  if (symbolIds.length === 0 || columns.length === 0) return new Map()
  const series = symbolIds.map((id) => ({ sid: id, symbols: [String(id)] }))
  const { stream } = await engine.query(
    {
      symbolKeys: ['Id'],
      selections: [{ dataset: groupId, columns, series, limits }],
      format: 'NCSV',
      // At most two rows for each symbol.
      resample: { unit: 'YEARS', amount: 1000, functions: ['count'] },
    },
    signal === undefined ? {} : { signal },
  )
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  const counted = new Map<number, number[]>()
  for (const row of text.split('\n').slice(1)) {
    if (row === '') continue
    const [id, , ...counts] = row.split(',')
    const own = counted.get(Number(id)) ?? []
    for (const [index, count] of counts.entries()) {
      const column = columns[index]!.id
      if (Number(count) > 0 && !own.includes(column)) own.push(column)
    }
    counted.set(Number(id), own)
  }
  return counted
}
