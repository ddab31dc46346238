import { useMemo } from 'react'
import type { Tile, TileDataPrep } from '../../contract/index.ts'
import { resultColumns, type ResultColumn } from '../../core/series/series-result.ts'
import { mergeResults } from '../../core/series/merge-results.ts'
import type { LoadedResult } from '../../core/series/loaded-result.ts'
import { useAppliedTile } from '../insight/insight-data.ts'
import { useTileData } from '../data/use-tile-data.ts'

/** Loads the data of a tile for its editor: the results, and their merged columns. */
export function useSourceColumns(
  stored: Tile,
  storedPrep: TileDataPrep,
): {
  results: readonly LoadedResult[] | undefined
  columns: readonly ResultColumn[]
  /** Whether the source is the tile's own series. */
  isOwn: boolean
} {
  const { tile, dataPrep } = useAppliedTile(stored, storedPrep)
  const { results, source, isOfOtherTile } = useTileData(tile, dataPrep.symbols, {
    enabled: true,
    watched: false,
  })
  const columns = useMemo(
    () => resultColumns(mergeResults(results?.map(({ result }) => result) ?? [])),
    [results],
  )
  return { results, columns, isOwn: source.kind === 'series' && !isOfOtherTile }
}
