import { headingOf, type Tile } from '../../contract/index.ts'
import { tileRange } from '../../core/insight/tile-range.ts'
import { describePageRange } from '../insight/range-text.ts'
import { useInsightData } from '../insight/insight-data.ts'

/** Describes the range of the page if it applies to a tile; otherwise undefined. */
export function usePageRangeOf(tile: Tile): string | undefined {
  const insight = useInsightData()
  const { pageRange } = insight
  return pageRange !== undefined && tileRange(tile, insight).by === 'page'
    ? describePageRange(pageRange)
    : undefined
}

/** Returns the title for files saved from a tile, with the range of the page. */
export function useFileTitle(tile: Tile): string {
  const range = usePageRangeOf(tile)
  const heading = headingOf(tile)
  return range === undefined ? heading : `${heading} (${range})`
}
