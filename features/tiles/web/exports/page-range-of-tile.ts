import type { Tile } from '../../contract/index.ts'
import { tileRange } from '../../core/insight/tile-range.ts'
import { describePageRange } from '../insight/range-text.ts'
import { useInsightData } from '../insight/insight-data.ts'

/** The range that the page chose for a tile, in words; undefined when the tile has its own. */
export function usePageRangeOf(tile: Tile): string | undefined {
  const insight = useInsightData()
  const { pageRange } = insight
  return pageRange !== undefined && tileRange(tile, insight).by === 'page'
    ? describePageRange(pageRange)
    : undefined
}

/** The title of a tile as files are named that are saved from it: with the range that the page chose. */
export function useFileTitle(tile: Tile): string {
  const range = usePageRangeOf(tile)
  return range === undefined ? tile.title : `${tile.title} (${range})`
}
