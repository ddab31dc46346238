import { ownValue, type InsightContent, type Tile } from '../../contract/index.ts'
import { isChosen } from './asked-data.ts'
import { tileSourceOf, type DataPrepAddress } from './tile-source.ts'

/** The saved data preps that a definition shows, with the tiles that show them. */
export function shownPreps(content: InsightContent): { tile: Tile; address: DataPrepAddress }[] {
  return content.tiles.flatMap((tile) => {
    const source = tileSourceOf(tile, ownValue(content.datapreps, tile.id))
    return source.kind === 'dataPrep' && isChosen({ source, symbols: [] })
      ? [{ tile, address: source.dataPrep }]
      : []
  })
}
