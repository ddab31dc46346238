import { useEffect, useMemo } from 'react'
import { ApiError, message, toast } from '@headwater/web-kit'
import type { DataPrepSymbols, Tile } from '../../contract/index.ts'
import type { AppliedSet } from '../../core/params/bind-tile.ts'
import type { LoadedResult } from '../../core/series/loaded-result.ts'
import { SeriesResultError } from '../../core/series/series-result.ts'
import type { SeriesRange } from '../../core/series/series-range.ts'
import { isBackwards } from '../../core/series/series-request.ts'
import { filteredTable, isChosen, ofAnyGroup } from '../../core/insight/tile-query.ts'
import type { TileSource } from '../../core/sources/tile-source.ts'
import { queryOfTile, queriesOf, type PartQuery, type WantedRows } from '../../core/insight/part-query.ts'
import type { RowPreview } from '../../core/insight/row-preview.ts'
import { type ResultLoader, type SeriesOptions, type TileSeries, useResults } from './use-results.ts'
import { useSeries } from './use-series.ts'
import { requestTile, type TileResponse } from '../requests/request-tile.ts'
import { tileDataKey } from '../requests/tile-data-route.ts'
import { type InsightData, useInsightData } from '../insight/insight-data.ts'
import { NoPrepError } from './no-prep-error.ts'
import { useRowPreview } from '../insight/row-preview.ts'
import { useFileTable, useTextTable } from './use-file-table.ts'

/** The loaded rows of a tile, from any source. */
export interface TileData extends TileSeries {
  /** Source of the rows, after following source tiles. */
  source: Exclude<TileSource, { kind: 'tile' }>
  /** Whether another tile provides the rows. */
  isOfOtherTile: boolean
  /** The queried series; empty for files and typed tables. */
  symbols: readonly DataPrepSymbols[]
  /** Range of the rows. For every source, its time zone is the zone of the dates. */
  range: SeriesRange
  /** Whether the tile has data to show. */
  isChosen: boolean
  /** Whether loading failed, in which case there are no results. */
  hasError: boolean
  /** Whether a retry can succeed; false for a cycle of tiles. */
  canRetry: boolean
}

/**
 * Loads the rows of a tile from its source: own series, basket, saved data prep, file, typed text or another tile. Tiles do not wait for
 * their source tile, because the server resolves it.
 * @param tile with the choices of the page, see `useAppliedTile`
 * @param prepSymbols the series of its data prep, with the choices of the page; for a search tile, the selected symbol
 */
export function useTileData(
  tile: Tile,
  prepSymbols: readonly DataPrepSymbols[],
  options: SeriesOptions,
): TileData {
  const insight = useInsightData()
  const { preview } = useRowPreview()
  const part = useMemo(
    () => queryOfTile(tile, prepSymbols, insight, preview),
    [tile, prepSymbols, insight, preview],
  )
  const { query, bindings } = part
  const { problem, source, isOfOtherTile, range } = query

  const isSeries = source.kind === 'series' || source.kind === 'basket'
  const isSearch = tile.type === 'SEARCH'
  const isQueried =
    problem === undefined &&
    (isSeries || source.kind === 'dataPrep') &&
    isChosen(query) &&
    !(isSeries && isBackwards(range))
  const shared = { ...options, enabled: options.enabled && problem === undefined }
  const key = useMemo(() => queryKeyOf(part), [part])
  const loader = tileLoader(tile, { key, source, insight, preview })
  const stored = useResults(loader, { ...options, enabled: options.enabled && isQueried && !isSearch })
  const searched = useSeries(isSearch ? query.symbols : none, range, {
    ...options,
    filters: query.filters,
    enabled: options.enabled && isQueried && isSearch,
  })
  const file = useFileTable(source.kind === 'file' ? source.file : undefined, shared)
  const text = useTextTable(source.kind === 'text' ? source.text : undefined)
  const series = isSearch ? searched : stored
  const loaded = { series, basket: series, dataPrep: stored, file, text }[source.kind]
  const ofGroups = useMemo(
    () => (isOfOtherTile ? loaded.results?.map(ofAnyGroup) : loaded.results),
    [loaded.results, isOfOtherTile],
  )
  const results = useFilteredTables(ofGroups, bindings)
  const error = useMemo(
    () => (problem === undefined ? loaded.error : new Error(problem)),
    [problem, loaded.error],
  )
  useErrorMessages(tile, source.kind, loaded.error)
  const { prep } = stored
  return {
    ...loaded,
    results: error === null ? results : undefined,
    loadRows: async (window) => {
      const rows = await loaded.loadRows(window)
      return isOfOtherTile ? rows.map(ofAnyGroup) : rows
    },
    error,
    hasError: error !== null,
    canRetry: problem === undefined && source.kind !== 'text',
    source,
    isOfOtherTile,
    symbols: source.kind === 'dataPrep' ? (prep?.symbols ?? none) : isSeries ? query.symbols : none,
    range: source.kind === 'dataPrep' && prep !== undefined ? { ...range, timeZone: prep.timeZone } : range,
    isChosen: problem !== undefined || isChosen(query),
  }
}

const none: readonly DataPrepSymbols[] = []

/** Loads the rows of a tile from the server. Tiles with the same queries share the loaded rows. */
function tileLoader(
  { id, type }: Tile,
  {
    key,
    source,
    insight,
    preview,
  }: { key: unknown; source: TileSource; insight: InsightData; preview: RowPreview | undefined },
): ResultLoader {
  const { route } = insight

  async function load(wanted: WantedRows, signal: AbortSignal): Promise<TileResponse> {
    const tile = { id, part: type === 'HEADER' ? ('BOX' as const) : ('TILE' as const), ...wanted }
    try {
      return await requestTile({ insight, preview, tile }, signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'publicVersionGone') await route.reload?.()
      throw error.code === 'tilePrepNotFound' && source.kind === 'dataPrep'
        ? new NoPrepError(error, source.dataPrep)
        : error
    }
  }
  return { key: [tileDataKey, route.scope, key], load }
}

/**
 * Returns the cache key of the query of a tile. Only the server reads a saved data prep, so its key consists of the
 * settings that change its query.
 */
function queryKeyOf(part: PartQuery): unknown {
  const { query, bindings, drawn } = part
  if (query.source.kind !== 'dataPrep')
    return queriesOf(part, {}, undefined).queries.map(({ request }) => request)
  const { chosenRange, filters, range } = query
  return [query.source.dataPrep, bindings, chosenRange, filters, range.absoluteSize, drawn]
}

/** Filters the rows of files and typed tables by parameters, because they have no query to narrow. */
function useFilteredTables(
  results: readonly LoadedResult[] | undefined,
  bindings: readonly AppliedSet[],
): readonly LoadedResult[] | undefined {
  const key = JSON.stringify(bindings.map((binding) => binding.chosen.values))
  return useMemo(
    () => results?.map((loaded) => filteredTable(loaded, bindings)),
    // oxlint-disable-next-line react/exhaustive-deps -- the values, not the objects
    [results, key],
  )
}

/** Shows errors of a saved data prep with the title of the tile, errors of a file without it. */
function useErrorMessages(tile: Tile, kind: TileSource['kind'], error: Error | null): void {
  const { title } = tile
  const isQuiet = error instanceof SeriesResultError && error.quiet
  const text = error === null || isQuiet ? undefined : error.message
  useEffect(() => {
    if (text === undefined) return
    if (kind === 'dataPrep') toast({ kind: 'error', title, text })
    if (kind === 'file') message(text, 'error')
  }, [text, kind, title])
}
