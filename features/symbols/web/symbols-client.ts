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
import { readEscapedCsv } from './escaped-csv.ts'
import type { SymbolAddress, SymbolSearch } from './use-storage-state.ts'

/** Number of symbols per request. */
const pageSize = 100
/** Maximum number of branches per level of the tree. */
const branchPageSize = 200
/** Refresh interval of point counts, in milliseconds. */
const countsRefreshMs = 60_000
/** Maximum number of values that a filter suggests. */
const offeredValues = 50

/** Queries the groups that contain symbols, by name. */
export function useSymbolGroups(text: string) {
  return useInfiniteList(listSymbolGroups, { query: { query: text } }, { intervalMs: intervals.listMs })
}

/** Queries the names of the symbol keys and of the metadata of a group. */
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

/** A node of the tree: a group, and values of its keys. */
export interface TreeNode {
  /** Name of the group. */
  groupName: string
  /** Values of keys, the outermost first. */
  branch: SymbolMap
}

/** The level below a node of the tree. */
export interface TreeStep {
  /** Key of the values on this level; undefined while keys are loading, or when none is left. */
  key: string | undefined
  /** Whether it is the last key. */
  isLastKey: boolean
  /** Branches of this level; undefined while loading. */
  branches: readonly SymbolBranch[] | undefined
  /** Number of all branches; only the first ones are loaded. */
  total: number
  /** Error of the query. */
  error: Error | null
}

/** Queries the level below each node, keys with few values first; refreshed every 10 s. */
export function useTreeSteps(nodes: readonly TreeNode[]): TreeStep[] {
  const groupNames = [...new Set(nodes.map((node) => node.groupName))]
  const keys = useQueries({ queries: groupNames.map(keysQuery) })
  const keysOf = (groupName: string) => keys[groupNames.indexOf(groupName)]!
  const keyAt = ({ groupName, branch }: TreeNode) => {
    const names = (keysOf(groupName).data?.items ?? [])
      .filter(({ kind }) => kind === 'symbol')
      .toSorted((a, b) => (a.variety ?? 0) - (b.variety ?? 0))
    const depth = Object.keys(branch).length
    return { key: names[depth]?.name, isLastKey: depth >= names.length - 1 }
  }
  const steps = useQueries({
    queries: nodes.map((node) => {
      const { key } = keyAt(node)
      const input = {
        body: { groupName: node.groupName, symbols: node.branch, key: key ?? '', size: branchPageSize },
      }
      return {
        queryKey: routeKey(listSymbolBranches, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(listSymbolBranches, input, { signal }),
        enabled: key !== undefined,
        refetchInterval: refreshEvery(intervals.listMs),
      }
    }),
  })
  return nodes.map((node, index) => ({
    ...keyAt(node),
    branches: steps[index]?.data?.items,
    total: steps[index]?.data?.totalSize ?? 0,
    error: steps[index]?.error ?? keysOf(node.groupName).error,
  }))
}

/** Queries the values of a key that contain a string, for filters. */
export function useKeyValues(groupName: string, key: string, text: string) {
  const input = { query: { limit: offeredValues }, body: { groupName, key, query: text } }
  return useQuery({
    queryKey: routeKey(listSymbolValues, input),
    queryFn: ({ signal }) => call(listSymbolValues, input, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** A row of the list: a symbol, or a placeholder while it is being loaded. */
export interface SymbolRow {
  /** Index in the list, from 0. */
  index: number
  /** The symbol; undefined while loading. */
  symbol: SymbolItem | undefined
  /** Number of points; undefined while it is loading. */
  pointCount: number | undefined
}

/**
 * Queries the symbols that match a search. Returns a row for each match; only the pages between `first` and `last` are loaded, and
 * refreshed every 10 s.
 */
export function useSymbolRows(
  search: SymbolSearch,
  visible: { first: number; last: number },
  { withCounts }: { withCounts: boolean },
) {
  const pages = pagesOf(visible)
  const pageQueries = useQueries({ queries: pages.map((page) => pageQuery(search, page)) })
  const counted = useQueries({
    queries: pages.map((page) => countsQuery(search, page, withCounts)),
  })
  const newest = pageQueries.reduce<(typeof pageQueries)[number] | undefined>(
    (best, each) =>
      each.data !== undefined && each.dataUpdatedAt >= (best?.dataUpdatedAt ?? 0) ? each : best,
    undefined,
  )
  const listKey = JSON.stringify(search)
  const [known, setKnown] = useState<{ listKey: string; total: number; isAtLeast: boolean }>()
  const { totalSize, totalIsAtLeast = false } = newest?.data ?? {}
  const isNews =
    totalSize !== undefined &&
    (known?.listKey !== listKey || known.total !== totalSize || known.isAtLeast !== totalIsAtLeast)
  if (isNews) setKnown({ listKey, total: totalSize, isAtLeast: totalIsAtLeast })
  // While other pages are loading, the number of rows stays the same.
  const total = totalSize ?? (known?.listKey === listKey ? known.total : undefined)
  const loaded = pageQueries.map(({ data }) => data?.items)
  const counts = counted.map(({ data }) => data)
  const rows = useMemo(
    () => (total === undefined ? undefined : rowsOf(total, pages, loaded, counts)),
    // oxlint-disable-next-line react/exhaustive-deps -- the lists are new objects each time, their items are not
    [total, pages.join(), ...loaded, ...counts],
  )
  return {
    rows,
    total,
    isAtLeast: known?.listKey === listKey && known.isAtLeast,
    error: rows === undefined ? (pageQueries.find(({ error }) => error !== null)?.error ?? null) : null,
    onRetry: () => {
      for (const query of pageQueries) void query.refetch()
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

interface SymbolPage {
  totalSize: number
  totalIsAtLeast?: boolean | undefined
  items: SymbolItem[]
}

function pageQuery(search: SymbolSearch, page: number) {
  const part = { from: page * pageSize, size: pageSize }
  return {
    queryKey: [...routeKey(searchSymbols), search, part],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<SymbolPage> =>
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

/** Returns a search as URL parameters. Keys are separate parameters, so that values can contain any character. */
function conditionsOf({ groupName, text, branch, filters, sort }: SymbolSearch) {
  const values = { ...filters, ...branch }
  return {
    query: text,
    ...(groupName === undefined ? {} : { 'groupName.keyword': groupName }),
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [`symbols.${key}`, value])),
    ...(sort === undefined ? {} : { sortBy: `${sort.column}=${sort.order}` }),
  }
}

/** Queries the symbol with exactly these keys, with its number of points; null if it does not exist. */
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

/** Points of a symbol. */
export interface SymbolPoints {
  /** UTC milliseconds. */
  timestamps: number[]
  /** Values by column name; dates as UTC milliseconds. */
  columns: Record<string, (number | string | null)[]>
  /** Number of points before the selection for drawing; absent if all are included. */
  raw?: number
}

/** Queries the points of one symbol, for charts and tables. */
export function usePoints(body: DataQueryInput) {
  return useQuery({
    queryKey: routeKey(getData, { body }),
    async queryFn({ signal }): Promise<SymbolPoints> {
      const response = await callRaw(getData, { body }, { signal })
      const { values, points } = (await response.json()) as {
        values: SymbolPoints[]
        points?: { raw: number; drawn: number }
      }
      const series = values[0] ?? { timestamps: [], columns: {} }
      return points === undefined || points.drawn === points.raw ? series : { ...series, raw: points.raw }
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/**
 * Downloads the result of a query as NCSV. Unless `isExact`, text that a spreadsheet would run as a formula is escaped.
 */
export async function downloadData(
  body: DataQueryInput,
  { isExact = false }: { isExact?: boolean } = {},
): Promise<Blob> {
  const response = await callRaw(getData, { body }, { keep: true })
  return isExact ? response.blob() : readEscapedCsv(response)
}

/** Mutation that removes symbols of one group and refreshes all queries. */
export function useRemoveSymbols() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { groupName: string; symbols: SymbolMap[]; checkTimeSeries: boolean }) =>
      call(removeSymbols, { body }, { keep: true }),
    onSuccess: async () => {
      // The open formula may be one of the removed symbols; a request for it would fail.
      await client.invalidateQueries({ queryKey: [findFormula.name], refetchType: 'none' })
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== findFormula.name })
    },
  })
}

/** Queries a formula with its inputs; fails for symbols that are not formulas. */
export function useFormula(address: SymbolAddress) {
  const input = { body: address }
  return useQuery({
    queryKey: routeKey(findFormula, input),
    queryFn: ({ signal }) => call(findFormula, input, { signal }),
  })
}

/** Definition of a formula. */
export interface FormulaDefinition {
  /** The expression. */
  expression: string
  /** Inputs in their order. */
  inputs: FormulaInput[]
  /** Join of the timestamps. */
  join: FormulaJoin
}

/** Queries the newest values of an unsaved formula; disabled if there is none. */
export function useFormulaPreview(definition: FormulaDefinition | undefined) {
  const input = { body: definition ?? { expression: '', inputs: [] } }
  return useQuery({
    queryKey: routeKey(previewFormula, input),
    queryFn: ({ signal }) => call(previewFormula, input, { signal }),
    enabled: definition !== undefined,
    retry: false,
  })
}

/** Mutation that creates a formula, or changes the one with these keys. */
export function useSaveFormula(kind: 'create' | 'change') {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: FormulaDefinition & SymbolAddress & { column: string }) =>
      call(kind === 'create' ? createFormula : changeFormula, { body }, { keep: true }),
    onSuccess: () => client.invalidateQueries(),
  })
}

/** Queries symbols of a group that contain a string, to select one. */
export function useSymbolOptions(groupName: string | null, text: string) {
  const query = { query: text, 'groupName.keyword': groupName ?? '', size: offeredValues }
  return useQuery({
    queryKey: routeKey(searchSymbols, { query }),
    queryFn: ({ signal }) => call(searchSymbols, { query }, { signal }),
    enabled: groupName !== null,
    placeholderData: keepPreviousData,
  })
}

/** Queries the value columns of a group. */
export function useValueColumns(groupName: string | null) {
  const input = { query: { groupName: groupName ?? '' } }
  return useQuery({
    queryKey: routeKey(listValueColumns, input),
    queryFn: ({ signal }) => call(listValueColumns, input, { signal }),
    enabled: groupName !== null,
  })
}

/** Mutation that uploads values to a group as an NCSV file. */
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

/** Mutation that requests access to a group. */
export function useRequestAccess() {
  return useMutation({
    mutationFn: (groupName: string) =>
      call(requestDataAccess, { body: { requestedData: { [groupName]: {} } } }, { keep: true }),
  })
}
