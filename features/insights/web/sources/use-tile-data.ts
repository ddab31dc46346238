import { useEffect, useMemo } from 'react'
import { message, toast } from '@headwater/web-kit'
import {
  ownValue,
  type DataPrepSymbols,
  type InsightContent,
  type Tile,
  type TileDataPrep,
} from '../../contract/index.ts'
import { boundFilters, boundSymbols, rowFilter, setOfTile, type AppliedSet } from '../params/bind-tile.ts'
import { answerColumns, rowsBySymbol, SeriesAnswerError } from '../series/series-answer.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { isBackwards } from '../series/series-request.ts'
import { type LoadedAnswer, type TileSeries, useSeries } from '../series/use-series.ts'
import { basketSymbols } from '../basket/basket.ts'
import { type InsightData, shownTile, useInsightData } from './insight-data.ts'
import { previewFor, useRowPreview } from './row-preview.ts'
import { resolveSource, type TileSource } from './tile-source.ts'
import { isNamed, useFileTable, useTextTable } from './use-file-table.ts'
import { useSavedPrep } from './use-saved-prep.ts'

/** Rows that are taken over from a tile that names no range itself: as good as all it has. */
export const sourceTileLastAmount = 100_000

/** The rows of a tile, whatever they come from. */
export interface TileData extends TileSeries {
  /** Where they come from at last, behind other tiles. */
  source: Exclude<TileSource, { kind: 'tile' }>
  /** Whether they are the rows of another tile. */
  isOfOtherTile: boolean
  /** The series that are asked for; empty for tables. */
  symbols: readonly DataPrepSymbols[]
  /** Which part of them; the zone is that of the dates whatever the source. */
  range: SeriesRange
  /** Whether something has been chosen to show. */
  isChosen: boolean
  /** Whether the data could not be had; then there are none. */
  hasError: boolean
  /** Whether asking again could help; a circle of tiles stays one. */
  canRetry: boolean
}

/**
 * The rows of a tile from its source: its own series, the basket, a saved data prep, a file, typed text or another tile.
 * Nothing waits for another tile: rows of another tile are asked for as that one asks for them, and shared with it.
 * @param tile as it is shown, see `useShownTile`
 * @param symbols the series the tile names itself, as it is shown
 * @param options `enabled`: false until the tile comes near; `watched`: refreshes by itself; `all`: without the row limit
 */
export function useTileData(
  tile: Tile,
  symbols: readonly DataPrepSymbols[],
  options: { enabled: boolean; watched: boolean; all?: boolean },
): TileData {
  const insight = useInsightData()
  const { content, sets } = insight
  const resolved = useMemo(() => resolveSource(tile, content), [tile, content])
  const problem = 'problem' in resolved ? resolved.problem : undefined
  const source = 'problem' in resolved ? noSource : resolved.source
  const isOfOtherTile = 'problem' in resolved || resolved.tile.id !== tile.id
  const origin = useMemo(() => {
    const bound = setOfTile(tile, sets)
    if ('problem' in resolved || !isOfOtherTile)
      return { tile, symbols: ownSymbols(source.kind, symbols, insight, bound) }
    return originOf(resolved.tile, content, insight, bound)
  }, [resolved, isOfOtherTile, tile, source.kind, symbols, content, insight, sets])
  const own = setOfTile(tile, sets)
  const ofOrigin = setOfTile(origin.tile, sets)
  const filters = [...boundFilters(ofOrigin), ...(own === ofOrigin ? [] : boundFilters(own))]
  const range = useMemo(() => seriesRange.parse(origin.tile), [origin.tile])

  const isSeries = source.kind === 'series' || source.kind === 'basket'
  const asks = options.enabled && problem === undefined
  const shared = { ...options, enabled: asks }
  const series = useSeries(isSeries ? origin.symbols : none, range, {
    ...shared,
    enabled: asks && !isBackwards(range),
    filters,
  })
  const { preview } = useRowPreview()
  const bindings = [...(own === ofOrigin ? [own] : [ofOrigin, own]), previewFor(tile, preview)]
  const prep = useSavedPrep(source.kind === 'dataPrep' ? source.dataPrep : undefined, {
    ...shared,
    bindings: bindings.filter((binding) => binding !== undefined),
    filters,
    absoluteSize: options.all ? null : range.absoluteSize,
  })
  const file = useFileTable(source.kind === 'file' ? source.file : undefined, shared)
  const text = useTextTable(source.kind === 'text' ? source.text : undefined)
  const { loaded, isChosen } = {
    series: { loaded: series, isChosen: origin.symbols.length > 0 },
    basket: { loaded: series, isChosen: origin.symbols.length > 0 },
    dataPrep: { loaded: prep, isChosen: prep.isChosen },
    file: { loaded: file, isChosen: source.kind === 'file' && isNamed(source.file) },
    text: { loaded: text, isChosen: source.kind === 'text' && source.text.trim() !== '' },
  }[source.kind]
  const answers = useFilteredTables(useAnyGroup(loaded.answers, isOfOtherTile), bindings)
  const error = useMemo(
    () => (problem === undefined ? loaded.error : new Error(problem)),
    [problem, loaded.error],
  )
  useToldErrors(tile, source.kind, loaded.error)
  return {
    ...loaded,
    answers: error === null ? answers : undefined,
    error,
    hasError: error !== null,
    canRetry: problem === undefined && source.kind !== 'text',
    source,
    isOfOtherTile,
    symbols: source.kind === 'dataPrep' ? prep.symbols : isSeries ? origin.symbols : none,
    range:
      source.kind === 'dataPrep' && prep.timeZone !== undefined
        ? { ...range, timeZone: prep.timeZone }
        : range,
    isChosen: isChosen || problem !== undefined,
  }
}

const none: readonly DataPrepSymbols[] = []

/** What a tile asks for itself: those of the basket, or its own; a star that was chosen stands for any text. */
function ownSymbols(
  kind: TileSource['kind'],
  symbols: readonly DataPrepSymbols[],
  { basket }: Pick<InsightData, 'basket'>,
  bound: AppliedSet | undefined,
): readonly DataPrepSymbols[] {
  if (kind === 'basket') {
    const inBasket = basketSymbols(basket)
    return bound === undefined ? inBasket : inBasket.map((entry) => boundSymbols(entry, bound))
  }
  if (bound === undefined) return symbols
  return symbols.map((entry) =>
    Object.values(entry.symbols).some((value) => value.includes('*'))
      ? { ...entry, pattern: true, patternExactMatch: entry.patternExactMatch ?? true }
      : entry,
  )
}
const noSource = { kind: 'series' } as const

/** The tile whose rows another one shows, as it is shown itself; further parameters of the other one hold too. */
function originOf(
  stored: Tile,
  content: InsightContent,
  insight: InsightData,
  bound: AppliedSet | undefined,
): { tile: Tile; symbols: readonly DataPrepSymbols[] } {
  const withRange =
    stored.range === undefined ? { ...stored, range: 'LAST', lastTypeAmount: sourceTileLastAmount } : stored
  const { tile, dataPrep } = shownTile(withRange, storedDataPrep(content, stored.id), insight)
  const symbols =
    bound === undefined ? dataPrep.symbols : dataPrep.symbols.map((entry) => boundSymbols(entry, bound))
  return { tile, symbols }
}

function storedDataPrep(content: InsightContent, id: string): TileDataPrep {
  const entry = ownValue(content.datapreps, id)
  const symbols = typeof entry === 'object' && entry !== null && 'symbols' in entry ? entry.symbols : []
  return { symbols: Array.isArray(symbols) ? (symbols as DataPrepSymbols[]) : [] }
}

/** What draws the rows of another tile need not know which groups they are from. */
function useAnyGroup(
  answers: readonly LoadedAnswer[] | undefined,
  isOfOtherTile: boolean,
): readonly LoadedAnswer[] | undefined {
  return useMemo(
    () =>
      isOfOtherTile
        ? answers?.map((loaded) => ({ ...loaded, groupNames: new Set(['', ...loaded.groupNames]) }))
        : answers,
    [answers, isOfOtherTile],
  )
}

/** Tables of files and texts have no question that parameters could narrow, so their rows are chosen here. */
function useFilteredTables(
  answers: readonly LoadedAnswer[] | undefined,
  bindings: readonly (AppliedSet | undefined)[],
): readonly LoadedAnswer[] | undefined {
  const key = JSON.stringify(bindings.map((binding) => binding?.chosen.values))
  return useMemo(
    () =>
      answers?.map((loaded) => {
        if (loaded.isTable !== true) return loaded
        const columns = answerColumns(loaded.answer)
        const tests = bindings.flatMap((binding) => rowFilter(binding, columns) ?? [])
        if (tests.length === 0) return loaded
        const rows = loaded.answer.rows.filter((row) => tests.every((test) => test(row)))
        const answer = { ...loaded.answer, rows }
        return { ...loaded, answer, rowsOf: rowsBySymbol(answer) }
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- what is chosen, not the objects that hold it
    [answers, key],
  )
}

/** Errors of a saved data prep are told with the title of the tile, those of a file by themselves. */
function useToldErrors(tile: Tile, kind: TileSource['kind'], error: Error | null): void {
  const { title } = tile
  const isQuiet = error instanceof SeriesAnswerError && error.quiet
  const text = error === null || isQuiet ? undefined : error.message
  useEffect(() => {
    if (text === undefined) return
    if (kind === 'dataPrep') toast({ kind: 'error', title, text })
    if (kind === 'file') message(text, 'error')
  }, [text, kind, title])
}
