import { useEffect, useRef } from 'react'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteOutput } from '@headwater/contract'
import { useJobRefetch, useJobRefresh } from '@headwater/events/web'
import { call, callRaw, isLimited, routeKey, saveBlob } from '@headwater/web-kit'
import { downloadLog, getLog, listLogComponents, type LogLevel, type LogLine } from '../contract/index.ts'

/** Number of lines per request. */
const linesPerPage = 500
/** Refresh interval of the log of a running job, in milliseconds. */
const liveMs = 1000
/** Refresh interval with a search text, for which the server reads the whole log. */
const liveSearchMs = 5000
/** Refresh interval of the step list of a running job, in milliseconds. */
const componentsMs = 5000

/** Filters of a log. */
export interface LogFilter {
  /** Only steps with this name. */
  component?: string | undefined
  /** Only this level. */
  level?: LogLevel | undefined
  /** Only lines that contain this text. */
  query?: string | undefined
}

/** The loaded part of a log. */
export interface LoadedLog {
  /** Number of all matching lines; undefined until the first response. */
  count: number | undefined
  /** Number of the last line of the log without filters. */
  lastLine: number
  /** Returns a matching line by its index; undefined while it loads. */
  lineAt(index: number): LogLine | undefined
  /** Error of the last load; null if it succeeded. */
  error: Error | null
}

type LogPage = RouteOutput<typeof getLog>

function pageInput(jobId: string, filter: LogFilter, page: number) {
  return { params: { jobId }, query: { ...filter, from: page * linesPerPage, size: linesPerPage } }
}

/**
 * Reads the pages that contain the lines from `first` to `end`, and the last page while the job is running.
 * @param range.count number of matching lines so far
 */
export function useLog(
  jobId: string,
  filter: LogFilter,
  { first, end, count, isLive }: { first: number; end: number; count: number; isLive: boolean },
): LoadedLog {
  const lastPage = Math.max(0, Math.ceil(count / linesPerPage) - 1)
  const pages = new Set([lastPage])
  for (let page = Math.floor(first / linesPerPage); page * linesPerPage < end; page++) pages.add(page)
  const numbers = [...pages].toSorted((a, b) => a - b)
  const intervalMs = filter.query === undefined ? liveMs : liveSearchMs
  const results = useQueries({
    queries: numbers.map((page) => {
      const input = pageInput(jobId, filter, page)
      return {
        queryKey: routeKey(getLog, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(getLog, input, { signal }),
        // Complete pages never change; only the last page can get further lines.
        staleTime: ({ state }: { state: { data?: LogPage | undefined } }) =>
          isComplete(state.data) ? Infinity : 0,
        refetchInterval: ({ state }: { state: { data?: LogPage | undefined } }) =>
          isLive && (page === lastPage || !isComplete(state.data)) && !isLimited()
            ? intervalMs
            : (false as const),
      }
    }),
  })
  const cache = useQueryClient()
  useJobRefresh(
    { type: 'log', jobId, enabled: isLive, gapMs: filter.query === undefined ? undefined : liveSearchMs },
    () =>
      cache.refetchQueries(
        { queryKey: routeKey(getLog), type: 'active', stale: true },
        { cancelRefetch: false },
      ),
  )
  const wasLive = useRef(isLive)
  useEffect(() => {
    // The last lines may have arrived after the last refresh.
    if (wasLive.current && !isLive) void cache.invalidateQueries({ queryKey: routeKey(getLog) })
    wasLive.current = isLive
  }, [cache, isLive])
  const newest = results.reduce((latest, each) => (each.dataUpdatedAt > latest.dataUpdatedAt ? each : latest))
  const loaded = new Map(numbers.map((page, index) => [page, results[index]!.data?.items]))
  return {
    count: newest.data?.totalSize,
    lastLine: newest.data?.lastLine ?? 0,
    lineAt: (index) => loaded.get(Math.floor(index / linesPerPage))?.[index % linesPerPage],
    error: newest.data === undefined ? (results.find((each) => each.error !== null)?.error ?? null) : null,
  }
}

function isComplete(page: LogPage | undefined): boolean {
  return page?.items.length === linesPerPage
}

/** Returns the steps of a log with their line counts. */
export function useLogComponents(jobId: string, { isLive }: { isLive: boolean }) {
  const input = { params: { jobId } }
  const query = useQuery({
    queryKey: routeKey(listLogComponents, input),
    queryFn: async ({ signal }) => (await call(listLogComponents, input, { signal })).items,
    refetchInterval: () => (isLive && !isLimited() ? componentsMs : false),
  })
  useJobRefetch({ type: 'log', jobId, enabled: isLive, gapMs: liveMs }, routeKey(listLogComponents, input))
  return query
}

/** Downloads the matching lines as a text file. */
export async function saveLog(jobId: string, filter: LogFilter): Promise<void> {
  const response = await callRaw(downloadLog, { params: { jobId }, query: filter }, { keep: true })
  saveBlob(await response.blob(), `log-${jobId}.txt`)
}
