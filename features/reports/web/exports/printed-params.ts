import { placeholderValues, appliedHeading, tileRange } from '@headwater/tile-data/core'
import { boxesKeepRange, hasRangedBoxes } from '@headwater/insights/web'
import { describePageRange, describeRange, type InsightData } from '@headwater/tile-data/web'

/** A choice in an insight, for paper and workbooks. */
export interface PrintedParam {
  /** Label of the parameter or range. */
  label: string
  /** Value as text. */
  value: string
  /** Whether the choice is the value of a parameter; otherwise it is a range of the page. */
  isParameter: boolean
}

/**
 * Returns the choices in an insight: the values of visible parameters, the range of each parameter set, the range of the page, and
 * the tiles with another range. Labels can repeat.
 */
export function printedParams(insight: Omit<InsightData, 'route'>): PrintedParam[] {
  const { sets, pageRange, content } = insight
  const visibleSets = sets.filter(({ set }) => !set.isHidden)
  const values = [...placeholderValues(visibleSets)].map(([label, value]) => ({
    label,
    value,
  }))
  const isOnly =
    visibleSets.length === 1 && pageRange === undefined && values.every(({ label }) => label !== 'Range')
  for (const { set, chosen } of visibleSets)
    if (chosen.range !== undefined)
      values.push({
        label: isOnly ? 'Range' : `Range of ${set.title || set.id}`,
        value: describeRange(chosen.range),
      })
  const printed = values.map((each) => ({ ...each, isParameter: true }))
  if (pageRange === undefined) return printed
  const ofPage = (label: string, value: string) => printed.push({ label, value, isParameter: false })
  ofPage('Page range', describePageRange(pageRange))
  for (const tile of content.tiles) {
    if (tile.hidden === true) continue
    const ofTile = tileRange(tile, insight)
    const isHere = ofTile.by === 'tile' || (ofTile.by === 'parameters' && ofTile.set.isHidden)
    if (isHere)
      ofPage(
        `Range of “${appliedHeading(tile, sets)}”`,
        ofTile.range === undefined ? 'own range' : describeRange(ofTile.range),
      )
  }
  if (hasRangedBoxes(insight)) ofPage('Summary boxes', boxesKeepRange)
  return printed
}
