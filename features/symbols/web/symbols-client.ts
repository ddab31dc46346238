import { useMemo, useState } from 'react'
import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { uploadFile } from '@headwater/files/web'
import { call, callRaw, intervals, refreshEvery, routeKey, useInfiniteList } from '@headwater/web-kit'
import {
  changeFormula,
  createFormula,
  findFormula,
  formatSymbolParameter,
  getData,
  listSymbolBranches,
  listSymbolGroups,
  listSymbolKeys,
  listSymbolsInFile,
  listSymbolValues,
  listValueColumns,
  previewFormula,
  removeSymbols,
  requestDataAccess,
  searchSymbols,
  type DataQueryInput,
  type FormulaInput,
  type FormulaJoin,
  type SymbolBranch,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'
import type { SymbolAddress, SymbolSearch } from './use-storage-state.ts'

/** Symbols asked for at once. */
const pageSize = 100
/** Most branches of the tree that one step shows. */
const branchPageSize = 200
/** How often points are counted anew, in milliseconds. */
const countsRefreshMs = 60_000
/** Most values that a filter offers. */
const offeredValues = 50

/** Groups that hold symbols, by name. */
export function useSymbolGroups(text: string) {
  return useInfiniteList(listSymbolGroups, { query: { query: text } }, { intervalMs: intervals.listMs })
}

/** Names of the symbol keys and of the metadata of a group, each by name. */
export function useSymbolKeys(groupName: string | undefined) {
  return useQuery({ ...keysQuery(groupName ?? ''), enabled: groupName !== undefined })
}

function keysQuery(groupName: string) {
  const input = { body: { groupName, metadata: true } }
  return {
    queryKey: routeKey(listSymbolKeys, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(listSymbolKeys, input, { signal }),
    staleTime: intervals.listMs,
  }
}

/** One place of the tree: a group, and values of its keys, the outermost first. */
export interface TreePlace {
  groupName: string
  branch: SymbolMap
}

/** What lies right below a place of the tree. */
export interface TreeStep {
  /** The key whose values they are; undefined while the keys are not known, or when there is none left. */
  key: string | undefined
  /** Whether it is the innermost key. */
  isLastKey: boolean
  branches: readonly SymbolBranch[] | undefined
  /** Number of all branches, of which the first ones are loaded. */
  total: number
  error: Error | null
}

/** What lies right below each of these places, keys with few values before those with many; refreshed every 10 s. */
export function useTreeSteps(places: readonly TreePlace[]): TreeStep[] {
  const groupNames = [...new Set(places.map((place) => place.groupName))]
  const keys = useQueries({ queries: groupNames.map(keysQuery) })
  const keysOf = (groupName: string) => keys[groupNames.indexOf(groupName)]!
  const keyAt = ({ groupName, branch }: TreePlace) => {
    const names = (keysOf(groupName).data?.items ?? [])
      .filter(({ kind }) => kind === 'symbol')
      .toSorted((a, b) => (a.variety ?? 0) - (b.variety ?? 0))
    const depth = Object.keys(branch).length
    return { key: names[depth]?.name, isLastKey: depth >= names.length - 1 }
  }
  const steps = useQueries({
    queries: places.map((place) => {
      const { key } = keyAt(place)
      const input = {
        body: { groupName: place.groupName, symbols: place.branch, key: key ?? '', size: branchPageSize },
      }
      return {
        queryKey: routeKey(listSymbolBranches, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(listSymbolBranches, input, { signal }),
        enabled: key !== undefined,
        refetchInterval: refreshEvery(intervals.listMs),
      }
    }),
  })
  return places.map((place, index) => ({
    ...keyAt(place),
    branches: steps[index]?.data?.items,
    total: steps[index]?.data?.totalSize ?? 0,
    error: steps[index]?.error ?? keysOf(place.groupName).error,
  }))
}

/** Values of a key that contain a text, for filters. */
export function useKeyValues(groupName: string, key: string, text: string) {
  const input = { query: { limit: offeredValues }, body: { groupName, key, query: text } }
  return useQuery({
    queryKey: routeKey(listSymbolValues, input),
    queryFn: ({ signal }) => call(listSymbolValues, input, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** A row of the list: a symbol, or the place of one that is still being loaded. */
export interface SymbolRow {
  index: number
  symbol: SymbolItem | undefined
  pointCount: number | undefined
}

/**
 * The symbols that a search finds, as many rows as there are; those of the pages between `first` and `last` are loaded, and
 * refreshed every 10 s.
 */
export function useSymbolRows(
  search: SymbolSearch,
  visible: { first: number; last: number },
  { withCounts }: { withCounts: boolean },
) {
  const pages = pagesOf(visible)
  const found = useQueries({ queries: pages.map((page) => pageQuery(search, page)) })
  const counted = useQueries({
    queries: pages.map((page) => countsQuery(search, page, withCounts)),
  })
  const newest = found.reduce<(typeof found)[number] | undefined>(
    (best, each) =>
      each.data !== undefined && each.dataUpdatedAt >= (best?.dataUpdatedAt ?? 0) ? each : best,
    undefined,
  )
  const place = JSON.stringify(search)
  const [known, setKnown] = useState<{ place: string; total: number; isAtLeast: boolean }>()
  const { totalSize, totalIsAtLeast = false } = newest?.data ?? {}
  const isNews =
    totalSize !== undefined &&
    (known?.place !== place || known.total !== totalSize || known.isAtLeast !== totalIsAtLeast)
  if (isNews) setKnown({ place, total: totalSize, isAtLeast: totalIsAtLeast })
  // While further pages are on their way, the number of rows stays what it was.
  const total = totalSize ?? (known?.place === place ? known.total : undefined)
  const loaded = found.map(({ data }) => data?.items)
  const counts = counted.map(({ data }) => data)
  const rows = useMemo(
    () => (total === undefined ? undefined : rowsOf(total, pages, loaded, counts)),
    // oxlint-disable-next-line react/exhaustive-deps -- the lists are made anew each time, what is in them is not
    [total, pages.join(), ...loaded, ...counts],
  )
  return {
    rows,
    total,
    isAtLeast: known?.place === place && known.isAtLeast,
    error: rows === undefined ? (found.find(({ error }) => error !== null)?.error ?? null) : null,
    onRetry: () => {
      for (const query of found) void query.refetch()
    },
  }
}

function pagesOf({ first, last }: { first: number; last: number }): number[] {
  const from = Math.floor(first / pageSize)
  const to = Math.floor(last / pageSize)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function rowsOf(
  total: number,
  pages: readonly number[],
  loaded: readonly (readonly SymbolItem[] | undefined)[],
  counts: readonly (ReadonlyMap<string, number> | undefined)[],
): SymbolRow[] {
  const rows = Array.from({ length: total }, (_, index): SymbolRow => ({
    index,
    symbol: undefined,
    pointCount: undefined,
  }))
  for (const [at, page] of pages.entries())
    for (const [offset, symbol] of (loaded[at] ?? []).entries()) {
      const index = page * pageSize + offset
      if (index < total) rows[index] = { index, symbol, pointCount: counts[at]?.get(symbolKey(symbol)) }
    }
  return rows
}

interface FoundPage {
  totalSize: number
  totalIsAtLeast?: boolean | undefined
  items: SymbolItem[]
}

function pageQuery(search: SymbolSearch, page: number) {
  const part = { from: page * pageSize, size: pageSize }
  return {
    queryKey: [...routeKey(searchSymbols), search, part],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<FoundPage> =>
      search.fileId === undefined
        ? call(searchSymbols, { query: { ...conditionsOf(search), ...part } }, { signal })
        : call(listSymbolsInFile, { params: { fid: search.fileId }, query: part }, { signal }),
    refetchInterval: refreshEvery(intervals.listMs),
  }
}

function countsQuery(search: SymbolSearch, page: number, enabled: boolean) {
  const part = { from: page * pageSize, size: pageSize }
  return {
    queryKey: [...routeKey(searchSymbols), search, part, 'points'],
    async queryFn({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, number>> {
      const query = { ...conditionsOf(search), ...part, pointCount: true }
      const { items } = await call(searchSymbols, { query }, { signal })
      return new Map(items.map((item) => [symbolKey(item), item.pointCount ?? 0]))
    },
    enabled: enabled && search.fileId === undefined,
    refetchInterval: refreshEvery(countsRefreshMs),
  }
}

function symbolKey({ groupName, symbols }: SymbolItem): string {
  return `${groupName}/${formatSymbolParameter(symbols)}`
}

/** A search as parameters of the call. Names of keys are parameters of their own, so that values may hold any sign. */
function conditionsOf({ groupName, text, branch, filters, sort }: SymbolSearch) {
  const values = { ...filters, ...branch }
  return {
    query: text,
    ...(groupName === undefined ? {} : { 'groupName.keyword': groupName }),
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [`symbols.${key}`, value])),
    ...(sort === undefined ? {} : { sortBy: `${sort.column}=${sort.order}` }),
  }
}

/** The symbol with exactly these keys, with the number of its points; null when it is not there (any more). */
export function useSymbol({ groupName, symbols }: SymbolAddress) {
  const query = {
    ...conditionsOf({
      groupName,
      text: '',
      branch: symbols,
      filters: {},
      fileId: undefined,
      sort: undefined,
    }),
    exactMatch: true,
    pointCount: true,
    size: pageSize,
  }
  const wanted = formatSymbolParameter(sorted(symbols))
  return useQuery({
    queryKey: routeKey(searchSymbols, { query }),
    queryFn: ({ signal }) => call(searchSymbols, { query }, { signal }),
    select: (page): SymbolItem | null =>
      page.items.find((item) => formatSymbolParameter(sorted(item.symbols)) === wanted) ?? null,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

function sorted(symbols: SymbolMap): SymbolMap {
  return Object.fromEntries(Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Points of a symbol, the oldest first. */
export interface SymbolPoints {
  /** UTC milliseconds. */
  timestamps: number[]
  /** Values by name of the column; dates as UTC milliseconds. */
  columns: Record<string, (number | string | null)[]>
  /** Number of points before those were left out that would not be seen; absent when none was. */
  raw?: number
}

/** The answer to a question about one symbol, for charts and tables. */
export function usePoints(body: DataQueryInput) {
  return useQuery({
    queryKey: routeKey(getData, { body }),
    async queryFn({ signal }): Promise<SymbolPoints> {
      const response = await callRaw(getData, { body }, { signal })
      const { values, points } = (await response.json()) as {
        values: SymbolPoints[]
        points?: { raw: number; drawn: number }
      }
      const found = values[0] ?? { timestamps: [], columns: {} }
      return points === undefined || points.drawn === points.raw ? found : { ...found, raw: points.raw }
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** The answer to a question as the text of an NCSV file. */
export async function downloadData(body: DataQueryInput): Promise<Blob> {
  const response = await callRaw(getData, { body }, { keep: true })
  return response.blob()
}

/** Removes symbols of one group and refreshes what is shown. */
export function useRemoveSymbols() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { groupName: string; symbols: SymbolMap[]; checkTimeSeries: boolean }) =>
      call(removeSymbols, { body }, { keep: true }),
    onSuccess: () => client.invalidateQueries(),
  })
}

/** A formula with its inputs; for symbols that are none it is an error. */
export function useFormula(address: SymbolAddress) {
  const input = { body: address }
  return useQuery({
    queryKey: routeKey(findFormula, input),
    queryFn: ({ signal }) => call(findFormula, input, { signal }),
  })
}

/** What a formula is made of. */
export interface FormulaDefinition {
  expression: string
  inputs: FormulaInput[]
  join: FormulaJoin
}

/** Newest values that a formula would have; nothing is asked while there is none. */
export function useFormulaPreview(definition: FormulaDefinition | undefined) {
  const input = { body: definition ?? { expression: '', inputs: [] } }
  return useQuery({
    queryKey: routeKey(previewFormula, input),
    queryFn: ({ signal }) => call(previewFormula, input, { signal }),
    enabled: definition !== undefined,
    retry: false,
  })
}

/** Makes a formula, or changes the one with these keys. */
export function useSaveFormula(kind: 'create' | 'change') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: FormulaDefinition & SymbolAddress & { column: string }) =>
      call(kind === 'create' ? createFormula : changeFormula, { body }, { keep: true }),
    onSuccess: () => client.invalidateQueries(),
  })
}

/** Symbols of a group that contain a text, to choose one. */
export function useSymbolOptions(groupName: string | null, text: string) {
  const query = { query: text, 'groupName.keyword': groupName ?? '', size: offeredValues }
  return useQuery({
    queryKey: routeKey(searchSymbols, { query }),
    queryFn: ({ signal }) => call(searchSymbols, { query }, { signal }),
    enabled: groupName !== null,
    placeholderData: keepPreviousData,
  })
}

/** Value columns of a group with their types. */
export function useValueColumns(groupName: string | null) {
  const input = { query: { groupName: groupName ?? '' } }
  return useQuery({
    queryKey: routeKey(listValueColumns, input),
    queryFn: ({ signal }) => call(listValueColumns, input, { signal }),
    enabled: groupName !== null,
  })
}

/** Writes values as an NCSV file into a group, by way of an upload like any other. */
export function useWriteValues() {
  const client = useQueryClient()
  return useMutation({
    async mutationFn({ groupName, fileName, text }: { groupName: string; fileName: string; text: string }) {
      const receipt = await uploadFile(new Blob([text]), {
        groupName,
        fileName,
        fileType: 'NCSV',
        fields: [],
      })
      if (receipt.status === 'REJECTED') throw new Error(receipt.message)
      return receipt
    },
    onSuccess: () => client.invalidateQueries(),
  })
}

/** Asks the administrators for access to a group. */
export function useRequestAccess() {
  return useMutation({
    mutationFn: (groupName: string) =>
      call(requestDataAccess, { body: { requestedData: { [groupName]: {} } } }, { keep: true }),
  })
}
