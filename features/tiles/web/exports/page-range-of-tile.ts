import { headingOf, type Tile } from '@headwater/tile-data/contract'
import { tileRange } from '@headwater/tile-data/core'
import { describePageRange, useInsightData } from '@headwater/tile-data/web'

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
