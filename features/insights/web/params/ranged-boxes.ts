import { headerBoxesOf } from '@headwater/tile-data/core'
import type { InsightData } from '@headwater/tile-data/web'

/** Boxes above the tiles do not follow the range of the page. */
export const boxesKeepRange = 'Summary boxes keep their own range.'

/** Returns whether an insight has boxes with data above the tiles. */
export function hasRangedBoxes({ content }: Pick<InsightData, 'content'>): boolean {
  return headerBoxesOf(content).some((box) => box.content === 'STATISTIC')
}
