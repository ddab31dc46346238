import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { intervals, message, refreshEvery } from '@headwater/web-kit'
import { withWindow, type TimeWindow } from '../../core/series/result-window.ts'
import type { LoadedResult } from '../../core/series/loaded-result.ts'
import { rowsOfAll } from '../../core/series/row-limit.ts'
import { readSeriesResult, rowsBySymbol, SeriesResultError } from '../../core/series/series-result.ts'
import type { WantedRows } from '../../core/insight/part-query.ts'
import type { TileResponse } from '../requests/request-tile.ts'

/** The loaded rows of a tile. */
export interface TileSeries {
  /** The results; undefined while loading and after an error. */
  results: readonly LoadedResult[] | undefined
  /** Error of the last attempt; null if it succeeded. */
  error: Error | null
  /** Loads the rows again. */
  retry: () => void
  /** Time of the last request in epoch milliseconds; 0 means never. */
  refreshedAt: number
  /** Groups of the tile that the user cannot read. */
  forbiddenGroups: readonly string[]
  /** Number of rows in the visible window, and of points selected for drawing; undefined if all rows are loaded. */
  drawing: { total: number; drawn: number } | undefined
  /** Loads all rows up to the limit of a page instead of points selected for drawing, or only the rows in a window. */
  loadRows: (window?: TimeWindow) => Promise<readonly LoadedResult[]>
}

/** Rows that a tile requests, and when. */
export interface SeriesOptions {
  /** Whether to load; false until the tile comes near the viewport. */
  enabled: boolean
  /** Whether it polls for changes. */
  watched: boolean
  /** Whether the row limit of a page applies instead of the limit of the tile. */
  all?: boolean | undefined
  /** The visible window, for which more points are loaded. Default: all data. */
  window?: TimeWindow | undefined
}

/** Loads the results of a tile. */
export interface ResultLoader {
  /** Cache key; the first entry is the name of the route. */
  key: readonly unknown[]
  /** Requests the results. */
  load: (wanted: WantedRows, signal: AbortSignal) => Promise<TileResponse>
}

/**
 * Loads the results of a tile, and again every 10 s while `watched`. An unchanged result stays the same object, so nothing renders again.
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

/** A response with parsed results. */
interface Loaded extends Pick<TileResponse, 'hiddenGroups' | 'prep'> {
  results: readonly { text: string; timeZone: string; loaded: LoadedResult }[]
}

/** Parses the results of a response. Unchanged results stay the objects of `before`. */
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
 * Loads more points in the visible window if points were selected for drawing. The previous points stay visible until
 * new ones arrive.
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

/** Shows each error as a message once, unless it is quiet. */
function useLoudErrors(error: Error | null): void {
  const text = error instanceof SeriesResultError && !error.quiet ? error.message : undefined
  useEffect(() => {
    if (text !== undefined) message(text, 'error')
  }, [text])
}
