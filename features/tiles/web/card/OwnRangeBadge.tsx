import { Badge } from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import { tileRange } from '../../core/insight/tile-range.ts'
import { rangeWords } from '../insight/range-text.ts'
import { useInsightData } from '../insight/insight-data.ts'

/** Says which range a tile has while the page has another one. */
export function OwnRangeBadge({ tile }: { tile: Tile }) {
  const insight = useInsightData()
  if (insight.pageRange === undefined) return null
  const found = tileRange(tile, insight)
  if (found.by === 'parameters')
    return (
      <Badge>
        {found.set.title || found.set.id}: {rangeWords(found.range)}
      </Badge>
    )
  if (found.by !== 'tile') return null
  return <Badge>{found.range === undefined ? 'Own range' : `Own range: ${rangeWords(found.range)}`}</Badge>
}
