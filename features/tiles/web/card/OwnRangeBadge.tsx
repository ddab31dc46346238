import { Badge } from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import { tileRange } from '../../core/insight/tile-range.ts'
import { describeRange } from '../insight/range-text.ts'
import { useInsightData } from '../insight/insight-data.ts'

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
