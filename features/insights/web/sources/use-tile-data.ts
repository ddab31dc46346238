import { useEffect, useMemo } from 'react'
import { message, toast } from '@headwater/web-kit'
import type { DataPrepSymbols, Tile } from '../../contract/index.ts'
import type { AppliedSet } from '../../contract/params/bind-tile.ts'
import type { LoadedAnswer } from '../../contract/series/loaded-answer.ts'
import { SeriesAnswerError } from '../../contract/series/series-answer.ts'
import type { SeriesRange } from '../../contract/series/series-range.ts'
import { isBackwards } from '../../contract/series/series-request.ts'
import { askedData, filteredTable, isChosen, ofAnyGroup } from '../../contract/sources/asked-data.ts'
import type { TileSource } from '../../contract/sources/tile-source.ts'
import { type SeriesOptions, type TileSeries, useSeries } from '../series/use-series.ts'
import { useInsightData } from './insight-data.ts'
import { previewFor, useRowPreview } from './row-preview.ts'
import { useFileTable, useTextTable } from './use-file-table.ts'
import { useSavedPrep } from './use-saved-prep.ts'

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
 */
export function useTileData(
  tile: Tile,
  symbols: readonly DataPrepSymbols[],
  options: SeriesOptions,
): TileData {
  const insight = useInsightData()
  const asked = useMemo(() => askedData(tile, symbols, insight), [tile, symbols, insight])
  const { problem, source, isOfOtherTile, range, filters } = asked

  const isSeries = source.kind === 'series' || source.kind === 'basket'
  const asks = options.enabled && problem === undefined
  const shared = { ...options, enabled: asks }
  const series = useSeries(isSeries ? asked.symbols : none, range, {
    ...shared,
    // Rows of another tile are asked for as that one asks for them, or they would load twice.
    metadata: isOfOtherTile ? undefined : options.metadata,
    enabled: asks && !isBackwards(range),
    filters,
  })
  const { preview } = useRowPreview()
  const bindings = [...asked.bindings, previewFor(tile, preview)]
  const prep = useSavedPrep(source.kind === 'dataPrep' ? source.dataPrep : undefined, {
    ...shared,
    bindings: bindings.filter((binding) => binding !== undefined),
    range: asked.chosenRange,
    filters,
    absoluteSize: options.all ? null : range.absoluteSize,
  })
  const file = useFileTable(source.kind === 'file' ? source.file : undefined, shared)
  const text = useTextTable(source.kind === 'text' ? source.text : undefined)
  const loaded = { series, basket: series, dataPrep: prep, file, text }[source.kind]
  const ofGroups = useMemo(
    () => (isOfOtherTile ? loaded.answers?.map(ofAnyGroup) : loaded.answers),
    [loaded.answers, isOfOtherTile],
  )
  const answers = useFilteredTables(ofGroups, bindings)
  const error = useMemo(
    () => (problem === undefined ? loaded.error : new Error(problem)),
    [problem, loaded.error],
  )
  useToldErrors(tile, source.kind, loaded.error)
  return {
    ...loaded,
    answers: error === null ? answers : undefined,
    loadRows: async (window) => {
      const rows = await loaded.loadRows(window)
      return isOfOtherTile ? rows.map(ofAnyGroup) : rows
    },
    error,
    hasError: error !== null,
    canRetry: problem === undefined && source.kind !== 'text',
    source,
    isOfOtherTile,
    symbols: source.kind === 'dataPrep' ? prep.symbols : isSeries ? asked.symbols : none,
    range:
      source.kind === 'dataPrep' && prep.timeZone !== undefined
        ? { ...range, timeZone: prep.timeZone }
        : range,
    isChosen: problem !== undefined || isChosen(asked),
  }
}

const none: readonly DataPrepSymbols[] = []

/** Tables of files and texts have no question that parameters could narrow, so their rows are chosen here. */
function useFilteredTables(
  answers: readonly LoadedAnswer[] | undefined,
  bindings: readonly (AppliedSet | undefined)[],
): readonly LoadedAnswer[] | undefined {
  const key = JSON.stringify(bindings.map((binding) => binding?.chosen.values))
  return useMemo(
    () => answers?.map((loaded) => filteredTable(loaded, bindings)),
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
