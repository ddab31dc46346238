import { isWorkflowTile, visualisationTileTypes, type Tile } from '../../contract/index.ts'

/** What decides which kinds of tiles a reader sees. */
export interface TileSight {
  /** Whether the reader may see workflows. */
  workflows: boolean
  /** Whether the reader may see visualisations. */
  visualisations: boolean
  /** Whether the page stands in a frame. */
  framed: boolean
}

/**
 * The tiles a reader sees. Who may see both sees all, of unknown kinds too. In a frame, and without access to workflows,
 * only tiles that show data; with access to workflows alone only those of workflows. Who may see neither sees tiles that
 * show data: whoever may open the insight may read it.
 */
export function visibleTiles<T extends Pick<Tile, 'type'>>(tiles: readonly T[], sight: TileSight): T[] {
  const { workflows, visualisations, framed } = sight
  if (framed || !workflows) return tiles.filter(({ type }) => visualisationTileTypes.includes(type))
  return visualisations ? [...tiles] : tiles.filter(({ type }) => isWorkflowTile(type))
}

/** The tiles that leave an insight in a document: those a reader sees, without hidden ones and those not to be downloaded. */
export function exportedTiles(tiles: readonly Tile[], sight: TileSight): Tile[] {
  return visibleTiles(tiles, sight).filter(
    ({ hidden, downloadable }) => hidden !== true && downloadable !== false,
  )
}
