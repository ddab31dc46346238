import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { intervals, message, refreshEvery } from '@headwater/web-kit'
import { withWindow, type TimeWindow } from '../../core/series/result-window.ts'
import type { LoadedResult } from '../../core/series/loaded-result.ts'
import { rowsOfAll } from '../../core/series/row-limit.ts'
import { readSeriesResult, rowsBySymbol, SeriesResultError } from '../../core/series/series-result.ts'
import type { WantedRows } from '../../core/insight/part-query.ts'
import type { TileResponse } from '../tile-data/request-tile.ts'

/** The rows of a tile. */
export interface TileSeries {
  /** Undefined until they are here, or when they could not be had. */
  results: readonly LoadedResult[] | undefined
  error: Error | null
  retry: () => void
  /** When they were last requested, epoch milliseconds; 0 = never. */
  refreshedAt: number
  /** Groups of the tile that the user cannot read. */
  forbiddenGroups: readonly string[]
  /** Rows in the window in view, and how many of them came as points for drawing; undefined where all of them came. */
  drawing: { total: number; drawn: number } | undefined
  /** All rows where points were chosen for drawing, as many as a page loads; of a window of them when one is given. */
  loadRows: (window?: TimeWindow) => Promise<readonly LoadedResult[]>
}

/** Which rows a tile wants, and when. */
export interface SeriesOptions {
  /** False until the tile comes near. */
  enabled: boolean
  /** Whether it refreshes by itself. */
  watched: boolean
  /** Whether the row limit is that of a page instead of that of the tile. */
  all?: boolean | undefined
  /** The part in view of what is drawn, in which more points come; absent = all. */
  window?: TimeWindow | undefined
}

/** Loads the results of a tile. */
export interface ResultLoader {
  /** Tells apart what is loaded; the first entry is the name of its route. */
  key: readonly unknown[]
  load: (wanted: WantedRows, signal: AbortSignal) => Promise<TileResponse>
}

/**
 * Loads the results of a tile, and again every 10 s while `watched`. A result that did not change stays the same object,
 * so nothing is drawn again unless data changed.
 */
export function useResults(
  loader: ResultLoader,
  options: SeriesOptions,
): TileSeries & Pick<TileResponse, 'prep'> {
  const client = useQueryClient()
  const { all = false } = options
  const key = [...loader.key, all]
  const query = useQuery({
    queryKey: key,
    enabled: options.enabled,
    queryFn: async ({ signal }) =>
      parsed(await loader.load({ all }, signal), client.getQueryData<Loaded>(key)),
    structuralSharing: false,
    refetchInterval: options.watched ? refreshEvery(intervals.listMs) : false,
  })
  const { data, error } = query
  useLoudErrors(error)
  const detail = useDetail(loader, key, data, options)
  const results = useMemo(
    () =>
      data?.results.map(({ loaded }, index) => {
        const part = detail?.results[index]
        if (part === undefined || loaded.result.drawn !== true) return loaded
        return withWindow(loaded, part.loaded, detail!.window, part.timeZone)
      }),
    [data, detail],
  )
  const isOfView = detail?.window.from === options.window?.from && detail?.window.to === options.window?.to
  const inView = (isOfView ? detail : undefined) ?? data
  const rows = rowsOfAll(inView?.results.map(({ loaded }) => loaded.result) ?? [])
  return {
    drawing:
      isDrawn(data) && rows?.total !== undefined ? { total: rows.total, drawn: rows.loaded } : undefined,
    loadRows: async (window) => {
      const response = await loader.load({ all, window, undrawn: true }, new AbortController().signal)
      return parsed(response).results.map(({ loaded }) => loaded)
    },
    results: error === null ? results : undefined,
    error,
    retry: () => void query.refetch(),
    refreshedAt: query.dataUpdatedAt,
    forbiddenGroups: data?.hiddenGroups ?? none,
    prep: data?.prep,
  }
}

const none: readonly string[] = []

/** A response whose results have been read. */
interface Loaded extends Pick<TileResponse, 'hiddenGroups' | 'prep'> {
  results: readonly { text: string; timeZone: string; loaded: LoadedResult }[]
}

/** Reads the results of a response; what did not change since `before` stays the same object. */
function parsed(response: TileResponse, before?: Loaded): Loaded {
  const results = response.results.map(({ text, groupNames, timeZone, drawn, totalRows }, index) => {
    const known = before?.results[index]
    if (known?.text === text && known.loaded.result.totalRows === totalRows) return known
    const result = readSeriesResult(text, { totalRows, drawn })
    return {
      text,
      timeZone,
      loaded: { groupNames: new Set(groupNames), result, rowsOf: rowsBySymbol(result) },
    }
  })
  const { hiddenGroups, prep } = response
  const isSame =
    before?.results.length === results.length &&
    results.every((each, index) => each === before.results[index]) &&
    JSON.stringify([hiddenGroups, prep]) === JSON.stringify([before.hiddenGroups, before.prep])
  return isSame ? before : { results, hiddenGroups, prep }
}

function isDrawn(loaded: Loaded | undefined): boolean {
  return loaded?.results.some(({ loaded: each }) => each.result.drawn === true) === true
}

/**
 * Loads more points in the window in view, where points were chosen for drawing. Until those of another window come, the
 * last ones stay.
 */
function useDetail(
  loader: ResultLoader,
  key: readonly unknown[],
  data: Loaded | undefined,
  { enabled, watched, window, all = false }: SeriesOptions,
): (Loaded & { window: TimeWindow }) | undefined {
  const [name, ...rest] = key
  const id = JSON.stringify(rest)
  const isWanted = enabled && isDrawn(data) && window !== undefined
  const query = useQuery({
    queryKey: [name, 'window', id, window],
    enabled: isWanted,
    queryFn: async ({ signal }) => ({
      ...parsed(await loader.load({ all, window: window! }, signal)),
      window: window!,
    }),
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[2] === id ? last : undefined),
    structuralSharing: false,
    refetchInterval: watched ? refreshEvery(intervals.listMs) : false,
  })
  return isWanted ? query.data : undefined
}

/** Errors that are no fault of the query are also shown as a message, once for each. */
function useLoudErrors(error: Error | null): void {
  const text = error instanceof SeriesResultError && !error.quiet ? error.message : undefined
  useEffect(() => {
    if (text !== undefined) message(text, 'error')
  }, [text])
}
