import type { InsightContent } from '../index.ts'
import { basketOf } from '../basket/basket.ts'
import { dataPrepOf } from '../sources/asked-data.ts'

/** The group of the last series of an insight: of its last tile that has some, else of its basket; undefined without any. */
export function lastGroupOf(content: InsightContent): string | undefined {
  const last = content.tiles.findLast(({ id }) => dataPrepOf(content, id).symbols.length > 0)
  const series = last === undefined ? basketOf(content).items : dataPrepOf(content, last.id).symbols
  return series.at(-1)?.groupName
}
