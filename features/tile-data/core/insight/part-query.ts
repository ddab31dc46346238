import type { DataPrepDetails } from '@headwater/preps/contract'
import type { DataPrepSymbols, InsightContent, Tile } from '../../contract/index.ts'
import type { AppliedSet } from '../params/bind-tile.ts'
import { inWindow, type TimeWindow } from '../series/result-window.ts'
import { maxLoadedRows } from '../series/row-limits.ts'
import { isBackwards, seriesQueries, type SeriesQuery } from '../series/series-request.ts'
import { tileQuery, dataPrepOf, isChosen, type TileQuery } from './tile-query.ts'
import { prepQueries } from './prep-queries.ts'
import { appliedTile, type AppliedInsight } from './applied-tile.ts'
import { tileSourceOf } from '../sources/tile-source.ts'
import { chartSymbols, drawsStoredPoints, seriesData } from '../tiles/chart/chart-data.ts'
import { listOf } from '../common/loose-fields.ts'
import { statMetadata, statsTile, statSymbols } from '../tiles/stats/stats-tile.ts'
import { headerBoxesOf, tileOfBox } from './header-box.ts'
import { previewedTile, previewFor, type RowPreview } from './row-preview.ts'

/** A tile or a header box of an insight. */
export interface PartAddress {
  /** Id of the tile or header box. */
  id: string
  /** TILE, or BOX for a header box. */
  part: 'TILE' | 'BOX'
}

/** The query of a tile or a header box, with the choices of the page. */
export interface PartQuery {
  /** The query of the tile that provides the rows. */
  query: TileQuery
  /** The parameter sets whose values change the query; the previewed row comes last. */
  bindings: readonly AppliedSet[]
  /** Names of the metadata that the result contains. */
  metadata: readonly string[]
  /** Whether a chart draws the stored points without further computation. */
  drawn: boolean
}

/** Rows of a tile that a page requests. */
export interface WantedRows {
  /** Whether the row limit of a page applies instead of the limit of the tile. */
  all?: boolean
  /** Whether the result contains all rows instead of points selected for drawing. */
  undrawn?: boolean
  /** Only rows in this window. Default: all. */
  window?: TimeWindow | undefined
}

/** Returns the query of a part of an insight; undefined if the part does not exist. */
export function queryOfPart(
  { id, part }: PartAddress,
  insight: AppliedInsight,
  preview?: RowPreview,
): PartQuery | undefined {
  const { content } = insight
  if (part === 'BOX') {
    const box = headerBoxesOf(content).find((each) => each.id === id)
    return box && queryOfTile(tileOfBox(box), [], insight, preview)
  }
  const stored = content.tiles.find((each) => each.id === id)
  if (stored === undefined) return undefined
  const applied = appliedTile(stored, dataPrepOf(content, id), insight)
  const { tile, dataPrep } = previewedTile(applied.tile, applied.dataPrep, preview)
  return queryOfTile(tile, dataPrep.symbols, insight, preview)
}

/**
 * Returns the query of a tile.
 * @param tile with parameters and basket applied
 * @param prepSymbols the series of its data prep, with the choices of the page
 */
export function queryOfTile(
  tile: Tile,
  prepSymbols: readonly DataPrepSymbols[],
  insight: AppliedInsight,
  preview?: RowPreview,
): PartQuery {
  const { symbols, metadata, drawn } = seriesOfKind(tile, prepSymbols)
  const query = tileQuery(tile, symbols, insight)
  const row = previewFor(tile, preview)
  return {
    query,
    bindings: row === undefined ? query.bindings : [...query.bindings, row],
    // Two tiles with the same rows need the same query. Otherwise the rows would load twice.
    metadata: query.isOfOtherTile ? [] : metadata,
    drawn,
  }
}

/** Returns the series of a tile and whether it draws their stored points. */
function seriesOfKind(
  tile: Tile,
  prepSymbols: readonly DataPrepSymbols[],
): { symbols: readonly DataPrepSymbols[]; metadata: readonly string[]; drawn: boolean } {
  if (tile.type === 'Chart') {
    const series = chartSeries.parse(tile.series)
    return {
      symbols: chartSymbols(series, { symbols: [...prepSymbols] }),
      metadata: [],
      drawn: series.every(drawsStoredPoints),
    }
  }
  if (tile.type === 'STATS' || tile.type === 'HEADER') {
    const stats = statsTile.parse(tile)
    return { symbols: statSymbols(stats.series), metadata: statMetadata(stats), drawn: false }
  }
  return { symbols: prepSymbols, metadata: [], drawn: false }
}

const chartSeries = listOf(seriesData)

/**
 * Returns the reason why a part has no query, as text for users; undefined if it has one. Files and typed tables need
 * no query.
 */
export function problemOf({ query }: Pick<PartQuery, 'query'>): string | undefined {
  const { problem, source, range } = query
  if (problem !== undefined) return problem
  if (!isChosen(query)) return 'No data has been chosen.'
  if (source.kind === 'file' || source.kind === 'text')
    return 'The rows of this tile come from its file or text. Read them there.'
  return source.kind !== 'dataPrep' && isBackwards(range)
    ? 'The date range ends before it begins.'
    : undefined
}

/**
 * Returns the data queries of a part.
 * @param prep its saved data prep; undefined if it queries series
 */
export function queriesOf(
  { query, bindings, metadata, drawn }: PartQuery,
  wanted: WantedRows,
  prep: DataPrepDetails | undefined,
): { symbols: readonly DataPrepSymbols[]; queries: SeriesQuery[]; error: Error | null } {
  const { symbols, range, filters, chosenRange } = query
  const unlimited =
    prep === undefined
      ? {
          symbols,
          queries: seriesQueries(symbols, range, { all: wanted.all, drawn, metadata, filters }),
          error: null,
        }
      : prepQueries(prep, {
          bindings,
          range: chosenRange,
          filters,
          absoluteSize: wanted.all === true ? null : range.absoluteSize,
          drawn,
        })
  const { window, undrawn } = wanted
  const queries = unlimited.queries
    .map((query) => (window === undefined ? query : inWindow(query, window)))
    .map((query) => (undrawn === true ? undrawnQuery(query) : query))
  return { ...unlimited, queries }
}

/** Returns the query for all rows instead of points selected for drawing, up to the row limit of a page. */
function undrawnQuery({ groupNames, request }: SeriesQuery): SeriesQuery {
  const { drawPoints: _, ...body } = request.body
  const query = { ...request.query, absoluteSize: maxLoadedRows }
  return { groupNames, request: { query, body: { ...body, countRows: true } } }
}

/** Returns the subset of a definition that the queries of some parts need: these parts, their source tiles, parameters and basket. */
export function contentOfParts(
  { tiles, datapreps, inputParams, headerBoxes, basket }: InsightContent,
  parts: readonly PartAddress[],
): InsightContent {
  const wanted = new Set<string>()
  const open = parts.flatMap(({ id, part }) => (part === 'TILE' ? [id] : []))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (wanted.has(id)) continue
    wanted.add(id)
    const tile = tiles.find((each) => each.id === id)
    const source = tile && tileSourceOf(tile, undefined)
    if (source?.kind === 'tile') open.push(source.tileId)
  }
  return {
    tiles: tiles.filter(({ id }) => wanted.has(id)),
    datapreps: Object.fromEntries(Object.entries(datapreps ?? {}).filter(([id]) => wanted.has(id))),
    inputParams,
    headerBoxes,
    basket,
  }
}
