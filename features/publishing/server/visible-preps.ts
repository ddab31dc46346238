import { ownValue, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { isChosen, tileSourceOf, type DataPrepAddress } from '@headwater/tile-data/core'

/** Returns the saved data preps that a definition shows, with their tiles. */
export function visiblePreps(content: InsightContent): { tile: Tile; address: DataPrepAddress }[] {
  return content.tiles.flatMap((tile) => {
    const source = tileSourceOf(tile, ownValue(content.datapreps, tile.id))
    return source.kind === 'dataPrep' && isChosen({ source, symbols: [] })
      ? [{ tile, address: source.dataPrep }]
      : []
  })
}
