import type { Tile } from '@headwater/tile-data/contract'
import { tileRange } from '@headwater/tile-data/core'
import { describeRange, useInsightData } from '@headwater/tile-data/web'
import { Badge } from '@headwater/web-kit'

/** Shows the range of a tile if the page has another range. */
export function OwnRangeBadge({ tile }: { tile: Tile }) {
  const insight = useInsightData()
  if (insight.pageRange === undefined) return null
  const decided = tileRange(tile, insight)
  if (decided.by === 'parameters')
    return (
      <Badge>
        {decided.set.title || decided.set.id}: {describeRange(decided.range)}
      </Badge>
    )
  if (decided.by !== 'tile') return null
  return (
    <Badge>{decided.range === undefined ? 'Own range' : `Own range: ${describeRange(decided.range)}`}</Badge>
  )
}
