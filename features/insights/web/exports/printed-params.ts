import { placeholderValues, shownHeading } from '../../contract/params/bind-tile.ts'
import { tileRange } from '../../contract/sources/tile-range.ts'
import { pageRangeWords, rangeWords } from '../params/range-words.ts'
import type { InsightData } from '../sources/insight-data.ts'

/**
 * What is chosen in the sets of input parameters that readers see, by the label of each field, the range of a set, and
 * the range of the page with the tiles that keep their own.
 */
export function printedParams(insight: InsightData): Map<string, string> {
  const { sets, pageRange, content } = insight
  const shown = sets.filter(({ set }) => !set.isHidden)
  const values = placeholderValues(shown)
  const isOnly = shown.length === 1 && pageRange === undefined
  for (const { set, chosen } of shown)
    if (chosen.range !== undefined)
      values.set(isOnly || set.title === '' ? 'Range' : `Range of ${set.title}`, rangeWords(chosen.range))
  if (pageRange === undefined) return values
  values.set('Range', pageRangeWords(pageRange))
  for (const tile of content.tiles) {
    const found = tileRange(tile, insight)
    if (tile.hidden !== true && found.by === 'tile')
      values.set(
        `Range of ${shownHeading(tile, sets)}`,
        found.range === undefined ? 'its own' : rangeWords(found.range),
      )
  }
  return values
}
