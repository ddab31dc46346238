import { placeholderValues, appliedHeading, tileRange } from '@headwater/tiles/core'
import { boxesKeepRange, hasRangedBoxes } from '@headwater/insights/web'
import { describePageRange, describeRange, type InsightData } from '@headwater/tiles/web'

/** Something that is chosen in an insight, as paper and workbooks say it. */
export interface PrintedParam {
  label: string
  value: string
  /** Whether it is the value of a parameter; else it says something of the range of the page. */
  isParameter: boolean
}

/**
 * What is chosen in the sets of input parameters that readers see, by the label of each field, the range of each set,
 * and the range of the page with the tiles that have another one. Labels may repeat.
 */
export function printedParams(insight: Omit<InsightData, 'route'>): PrintedParam[] {
  const { sets, pageRange, content } = insight
  const shown = sets.filter(({ set }) => !set.isHidden)
  const values = [...placeholderValues(shown)].map(([label, value]) => ({
    label,
    value,
  }))
  const isOnly =
    shown.length === 1 && pageRange === undefined && values.every(({ label }) => label !== 'Range')
  for (const { set, chosen } of shown)
    if (chosen.range !== undefined)
      values.push({
        label: isOnly ? 'Range' : `Range of ${set.title || set.id}`,
        value: describeRange(chosen.range),
      })
  const printed = values.map((each) => ({ ...each, isParameter: true }))
  if (pageRange === undefined) return printed
  const ofPage = (label: string, value: string) => printed.push({ label, value, isParameter: false })
  ofPage('Range of the page', describePageRange(pageRange))
  for (const tile of content.tiles) {
    if (tile.hidden === true) continue
    const found = tileRange(tile, insight)
    const isHere = found.by === 'tile' || (found.by === 'parameters' && found.set.isHidden)
    if (isHere)
      ofPage(
        `Range of “${appliedHeading(tile, sets)}”`,
        found.range === undefined ? 'its own' : describeRange(found.range),
      )
  }
  if (hasRangedBoxes(insight)) ofPage('Boxes', boxesKeepRange)
  return printed
}
