import type { InsightContent } from '../../contract/index.ts'
import { basketOf } from '../basket/basket.ts'
import { dataPrepOf } from './tile-query.ts'

/**
 * Returns the group of the last series of an insight: in the last tile with series, or else in the basket; undefined if
 * there are no series.
 */
export function lastGroupOf(content: InsightContent): string | undefined {
  const last = content.tiles.findLast(({ id }) => dataPrepOf(content, id).symbols.length > 0)
  const series = last === undefined ? basketOf(content).items : dataPrepOf(content, last.id).symbols
  return series.at(-1)?.groupName
}

/**
 * Returns the group of the first series of an insight and the group with the most series; undefined if there are no
 * series.
 */
export function seriesGroupsOf(content: InsightContent): {
  first: string | undefined
  most: string | undefined
} {
  const series = [
    ...content.tiles.flatMap(({ id }) => dataPrepOf(content, id).symbols),
    ...basketOf(content).items,
  ]
  const counts = new Map<string, number>()
  for (const { groupName } of series) counts.set(groupName, (counts.get(groupName) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return { first: series[0]?.groupName, most: most?.[0] }
}
