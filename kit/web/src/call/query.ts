import { notifyManager, QueryClient, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Page, Route, RouteCall } from '@headwater/contract'
import { type CallOptions, call } from './call.ts'
import { intervals, pageSizes } from './intervals.ts'
import { isLimited, limitedProviders } from './limited.ts'
import { abortAllRequests } from './requests.ts'

/** Query defaults of the product: no retry, retry delay 3 s, stale after 3 s. */
export const queryDefaults = {
  retry: false,
  retryDelay: intervals.retryDelayMs,
  staleTime: intervals.staleMs,
  refetchOnWindowFocus: false,
  networkMode: 'online',
} as const

/**
 * Makes the query client. While a provider is limited its queries run offline-first and nothing refreshes by itself;
 * when the last limit ends, what is on screen refreshes once and goes on. From then on all query clients tell what comes in one
 * moment in one task, so that the page is drawn once for all of it.
 */
export function createQueryClient(): QueryClient {
  notifyManager.setScheduler(tellTogether)
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

let untold: (() => void)[] = []

function tellTogether(callback: () => void): void {
  untold.push(callback)
  if (untold.length > 1) return
  setTimeout(() => {
    const told = untold
    untold = []
    for (const tell of told)
      try {
        tell()
      } catch (error) {
        // uncaught, as it would be in a task of its own
        queueMicrotask(() => {
          throw error
        })
      }
  })
}

/** For `refetchInterval`: refreshes every so often, and not at all while the API is limited. */
export function refreshEvery(intervalMs: number): () => number | false {
  return () => (isLimited() ? false : intervalMs)
}

/** The query key of a call: the name of the route and what it is given. */
export function routeKey<R extends Route>(route: R, input?: RouteCall<R>): QueryKey {
  return input === undefined ? [route.name] : [route.name, input]
}

/** Leaves a page at once: ends every query and every other call that runs. */
export async function leavePage(client: QueryClient): Promise<void> {
  const cancelled = client.cancelQueries({ predicate: (query) => query.meta?.keep !== true })
  abortAllRequests()
  await cancelled
}

/** A list that loads page after page. */
export interface InfiniteList<Row> {
  /** Undefined until the first page is here. */
  rows: Row[] | undefined
  totalCount: number | undefined
  error: Error | null
  onRetry: () => void
  onEndReached: () => void
  loadingMore: boolean
}

type RowOf<R extends Route> = R['output'] extends { _output: Page<infer Row> }
  ? Row
  : R['output'] extends { _zod: { output: { items: (infer Row)[] } } }
    ? Row
    : never

/** Reads a route that answers in pages; spread the result into a `DataTable`. */
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
      const asked = {
        ...given,
        query: { ...given.query, from: pageParam, size: pageSize },
      } as unknown as RouteCall<R>
      return (await call(route, asked, { signal, target })) as Page<RowOf<R>>
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
    totalCount: query.data?.pages[0]?.totalSize,
    error: rows === undefined ? query.error : null,
    onRetry: () => void query.refetch(),
    onEndReached: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    loadingMore: query.isFetchingNextPage,
  }
}
