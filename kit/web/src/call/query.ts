import { notifyManager, QueryClient, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Page, Route, RouteCall } from '@headwater/contract'
import { type CallOptions, call } from './call.ts'
import { intervals, pageSizes } from './intervals.ts'
import { isLimited, limitedProviders } from './limited.ts'
import { abortAllRequests } from './requests.ts'

/** Query defaults of the product: no retry, retry delay 3 s, stale after 3 s. */
const queryDefaults = {
  retry: false,
  retryDelay: intervals.retryDelayMs,
  staleTime: intervals.staleMs,
  refetchOnWindowFocus: false,
  networkMode: 'online',
} as const

/**
 * Creates the query client. While a provider is limited, its queries run offline-first and nothing is refreshed
 * automatically. When the last limit ends, active queries are refreshed once. From this call on, all query clients send the
 * notifications of one tick together, so that the page renders only once.
 */
export function createQueryClient(): QueryClient {
  notifyManager.setScheduler(notifyInBatch)
  const client = new QueryClient({ defaultOptions: { queries: queryDefaults } })
  let limited = isLimited()
  limitedProviders.store.subscribe(() => {
    if (limited === isLimited()) return
    limited = isLimited()
    client.setDefaultOptions({
      queries: { ...queryDefaults, networkMode: limited ? 'offlineFirst' : 'online' },
    })
    if (!limited) void client.invalidateQueries({ refetchType: 'active' })
  })
  return client
}

let pending: (() => void)[] = []

function notifyInBatch(callback: () => void): void {
  pending.push(callback)
  if (pending.length > 1) return
  setTimeout(() => {
    const batch = pending
    pending = []
    for (const notify of batch)
      try {
        notify()
      } catch (error) {
        // Stays uncaught, as in a separate task.
        queueMicrotask(() => {
          throw error
        })
      }
  })
}

/** Returns a `refetchInterval` that stops while the API is limited. */
export function refreshEvery(intervalMs: number): () => number | false {
  return () => (isLimited() ? false : intervalMs)
}

/** Returns the query key of a call: the name of the route and the input. */
export function routeKey<R extends Route>(route: R, input?: RouteCall<R>): QueryKey {
  return input === undefined ? [route.name] : [route.name, input]
}

/** Aborts all queries and all other open calls when the user leaves a page. */
export async function leavePage(client: QueryClient): Promise<void> {
  const cancelled = client.cancelQueries({ predicate: (query) => query.meta?.keep !== true })
  abortAllRequests()
  await cancelled
}

/** A list that loads page by page. */
export interface InfiniteList<Row> {
  /** Loaded rows; undefined until the first page arrives. */
  rows: Row[] | undefined
  /** Number of all rows; undefined until the first page arrives. */
  totalCount: number | undefined
  /** Whether there can be more rows than `totalCount`, because the server stopped counting. */
  totalIsAtLeast: boolean
  /** Error of the last load; null without one. */
  error: Error | null
  /** Loads again after an error. */
  onRetry: () => void
  /** Loads the next page, if there is one. */
  onEndReached: () => void
  /** Whether the next page is loading. */
  loadingMore: boolean
}

type RowOf<R extends Route> = R['output'] extends { _output: Page<infer Row> }
  ? Row
  : R['output'] extends { _zod: { output: { items: (infer Row)[] } } }
    ? Row
    : never

/**
 * Reads a paged route. Spread the result into a `DataTable`. With `exactTotal`, if the server stops counting before the last
 * row, a separate call counts all rows. Default false.
 */
export function useInfiniteList<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: { intervalMs?: number; enabled?: boolean; pageSize?: number; exactTotal?: boolean } & Pick<
    CallOptions,
    'target'
  > = {},
): InfiniteList<RowOf<R>> {
  const { intervalMs, enabled, pageSize = pageSizes.list, exactTotal = false, target } = options
  const query = useInfiniteQuery({
    queryKey: [...routeKey(route, input), { target, pageSize }],
    enabled,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const pageInput = withQuery(input, { from: pageParam, size: pageSize })
      return (await call(route, pageInput, { signal, target })) as Page<RowOf<R>> & {
        totalIsAtLeast?: boolean
      }
    },
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.items.length, 0)
      return last.items.length > 0 && loaded < last.totalSize ? loaded : undefined
    },
    refetchInterval: intervalMs === undefined ? false : refreshEvery(intervalMs),
  })
  // The last page has the best total, because the server can stop counting some rows after each page.
  const { totalSize, totalIsAtLeast = false } = query.data?.pages.at(-1) ?? {}
  const exact = useQuery({
    queryKey: [...routeKey(route, input), { target, exactTotal }],
    enabled: exactTotal && totalIsAtLeast,
    queryFn: async ({ signal }) => {
      const countInput = withQuery(input, { size: 1, exactTotal })
      return ((await call(route, countInput, { signal, target })) as Page<RowOf<R>>).totalSize
    },
    // Counting many rows is slow, so it is repeated only after a change in this browser.
    staleTime: Infinity,
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data])
  return {
    rows,
    totalCount: totalIsAtLeast ? (exact.data ?? totalSize) : totalSize,
    totalIsAtLeast: totalIsAtLeast && exact.data === undefined,
    error: rows === undefined ? query.error : null,
    onRetry: () => void query.refetch(),
    onEndReached: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    loadingMore: query.isFetchingNextPage,
  }
}

function withQuery<R extends Route>(input: RouteCall<R>, more: Record<string, unknown>): RouteCall<R> {
  const given = input as { query?: Record<string, unknown> }
  return { ...given, query: { ...given.query, ...more } } as unknown as RouteCall<R>
}
