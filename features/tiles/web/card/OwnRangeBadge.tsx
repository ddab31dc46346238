import { comparesYears, type Tile } from '@headwater/tile-data/contract'
import { tileRange } from '@headwater/tile-data/core'
import { describeRange, useInsightData } from '@headwater/tile-data/web'
import { Badge } from '@headwater/web-kit'

/**
 * Shows the range of a tile if the page has a different range. A chart that compares years always shows it, because it keeps
 * its own range, which can be short.
 */
export function OwnRangeBadge({ tile }: { tile: Tile }) {
  const insight = useInsightData()
  const isWithoutPageRange = insight.pageRange === undefined
  if (isWithoutPageRange && !comparesYears(tile)) return null
  const decided = tileRange(tile, insight)
  if (decided.by === 'parameters')
    return (
      <Badge>
        {decided.set.title || decided.set.id}: {describeRange(decided.range)}
      </Badge>
    )
  if (decided.by !== 'tile') return null
  if (isWithoutPageRange)
    return decided.range === undefined ? null : <Badge>{describeRange(decided.range)}</Badge>
  return (
    <Badge>{decided.range === undefined ? 'Own range' : `Own range: ${describeRange(decided.range)}`}</Badge>
  )
}
