import { useMemo } from 'react'
import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import { resultColumns, type ResultColumn, mergeResults, type LoadedResult } from '@headwater/tile-data/core'
import { useAppliedTile, useTileData } from '@headwater/tile-data/web'

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
