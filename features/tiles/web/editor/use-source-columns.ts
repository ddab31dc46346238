import { useMemo } from 'react'
import type { Tile, TileDataPrep } from '../../contract/index.ts'
import { answerColumns, type AnswerColumn } from '../../core/series/series-result.ts'
import { mergeAnswers } from '../../core/series/merge-results.ts'
import type { LoadedAnswer } from '../../core/series/loaded-result.ts'
import { useShownTile } from '../insight/insight-data.ts'
import { useTileData } from '../data/use-tile-data.ts'

/** What a tile gets from its source at the moment, for its editor: the answers, and all their columns as one table. */
export function useSourceColumns(
  stored: Tile,
  storedPrep: TileDataPrep,
): {
  answers: readonly LoadedAnswer[] | undefined
  columns: readonly AnswerColumn[]
  /** Whether the tile asks for its own series. */
  isOwn: boolean
} {
  const { tile, dataPrep } = useShownTile(stored, storedPrep)
  const { answers, source, isOfOtherTile } = useTileData(tile, dataPrep.symbols, {
    enabled: true,
    watched: false,
  })
  const columns = useMemo(
    () => answerColumns(mergeAnswers(answers?.map(({ answer }) => answer) ?? [])),
    [answers],
  )
  return { answers, columns, isOwn: source.kind === 'series' && !isOfOtherTile }
}
