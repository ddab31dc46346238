import { useQuery } from '@tanstack/react-query'
import { call, callRaw, intervals, refreshEvery, routeKey, useInfiniteList } from '@headwater/web-kit'
import {
  defaultLastAmount,
  formatSymbolParameter,
  getData,
  listSymbolGroups,
  listSymbolKeys,
  searchSymbols,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'

/** By which field a list of symbols is sorted: the name of a symbol key, or the range of dates. */
export interface SymbolSort {
  column: string
  order: 'asc' | 'desc'
}

/** The latest points of a symbol, the oldest first. */
export interface SymbolPoints {
  /** UTC milliseconds. */
  timestamps: number[]
  /** Values by name of the column; dates as UTC milliseconds. */
  columns: Record<string, (number | string | null)[]>
}

/** Groups that hold symbols, by name. */
export function useSymbolGroups(text: string) {
  return useInfiniteList(listSymbolGroups, { query: { query: text } }, { intervalMs: intervals.listMs })
}

/** Names of the symbol keys of a group, by name. */
export function useSymbolKeys(groupName: string | undefined) {
  const input = { body: { groupName: groupName ?? '' } }
  return useQuery({
    queryKey: routeKey(listSymbolKeys, input),
    queryFn: ({ signal }) => call(listSymbolKeys, input, { signal }),
    select: (page) => page.items.map((key) => key.name),
    enabled: groupName !== undefined,
  })
}

/** Symbols of one or all groups that a text finds; refreshes every 10 s. */
export function useSymbols(groupName: string | undefined, text: string, sort: SymbolSort | undefined) {
  const query = groupName === undefined ? text : `${text}&groupName.keyword=${groupName}`
  const sortBy = sort === undefined ? '' : `${sort.column}=${sort.order}`
  return useInfiniteList(searchSymbols, { query: { query, sortBy } }, { intervalMs: intervals.listMs })
}

/** The symbol with exactly these keys; undefined when it is not there (any more). */
export function useSymbol(groupName: string, symbols: SymbolMap) {
  const conditions = Object.entries(symbols).map(([key, value]) => `symbols.${key}=${value}`)
  const input = { query: { query: [`groupName.keyword=${groupName}`, ...conditions].join('&'), size: 100 } }
  const wanted = formatSymbolParameter(symbols)
  return useQuery({
    queryKey: routeKey(searchSymbols, input),
    queryFn: ({ signal }) => call(searchSymbols, input, { signal }),
    select: (page): SymbolItem | null =>
      page.items.find((item) => formatSymbolParameter(item.symbols) === wanted) ?? null,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** The last 500 points of a symbol. */
export function useLastPoints({ groupName, symbols }: SymbolItem) {
  const body = {
    keys: [{ groupName, symbols }],
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: defaultLastAmount,
    formatType: 'UI',
  }
  return useQuery({
    queryKey: routeKey(getData, { body }),
    queryFn: async ({ signal }): Promise<SymbolPoints> => {
      const response = await callRaw(getData, { body }, { signal })
      const { values } = (await response.json()) as { values: SymbolPoints[] }
      return values[0] ?? { timestamps: [], columns: {} }
    },
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** All points of a symbol as an NCSV file. */
export async function downloadSymbol({ groupName, symbols }: SymbolItem, timeZone: string): Promise<Blob> {
  const body = { keys: [{ groupName, symbols }], timeZone, metadata: true }
  const response = await callRaw(getData, { body }, { keep: true })
  return response.blob()
}
