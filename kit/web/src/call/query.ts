import { notifyManager, QueryClient, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
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
 * automatically. When the last limit ends, active queries are refreshed once. After this call, all query clients batch
 * the notifications of one tick in a single task, so that the page renders only once.
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
        // left uncaught, as it would be in a separate task
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

/** Returns the query key of a call: the name of the route and its input. */
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

/** Reads a paged route; spread the result into a `DataTable`. */
export function useInfiniteList<R extends Route>(
  route: R,
  input: RouteCall<R>,
  options: { intervalMs?: number; enabled?: boolean; pageSize?: number } & Pick<CallOptions, 'target'> = {},
): InfiniteList<RowOf<R>> {
  const { intervalMs, enabled, pageSize = pageSizes.list, target } = options
  const query = useInfiniteQuery({
    queryKey: [...routeKey(route, input), { target, pageSize }],
    enabled,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const given = input as { query?: Record<string, unknown> }
      const pageInput = {
        ...given,
        query: { ...given.query, from: pageParam, size: pageSize },
      } as unknown as RouteCall<R>
      return (await call(route, pageInput, { signal, target })) as Page<RowOf<R>>
    },
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.items.length, 0)
      return last.items.length > 0 && loaded < last.totalSize ? loaded : undefined
    },
    refetchInterval: intervalMs === undefined ? false : refreshEvery(intervalMs),
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data])
  return {
    rows,
    // Of the last page, because a list can count only somewhat further than each page.
    totalCount: query.data?.pages.at(-1)?.totalSize,
    error: rows === undefined ? query.error : null,
    onRetry: () => void query.refetch(),
    onEndReached: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    loadingMore: query.isFetchingNextPage,
  }
}
