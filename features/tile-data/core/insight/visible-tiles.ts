import { isWorkflowTile, visualisationTileTypes, type Tile } from '../../contract/index.ts'

/** Permissions that determine which kinds of tiles a reader sees. */
export interface TileSight {
  /** Whether the reader has access to workflows. */
  workflows: boolean
  /** Whether the reader has access to visualisations. */
  visualisations: boolean
  /** Whether the page is inside a frame. */
  framed: boolean
}

/**
 * Returns the tiles that a reader sees. With access to both, a reader sees all tiles, including those of unknown kinds.
 * In a frame or without access to workflows, a reader sees only tiles with data. With access only to workflows, a
 * reader sees only workflow tiles.
 */
export function visibleTiles<T extends Pick<Tile, 'type'>>(tiles: readonly T[], sight: TileSight): T[] {
  const { workflows, visualisations, framed } = sight
  if (framed || !workflows) return tiles.filter(({ type }) => visualisationTileTypes.includes(type))
  return visualisations ? [...tiles] : tiles.filter(({ type }) => isWorkflowTile(type))
}

/** Returns the tiles of an exported document: visible tiles that are not hidden and that readers can download. */
export function exportedTiles(tiles: readonly Tile[], sight: TileSight): Tile[] {
  return visibleTiles(tiles, sight).filter(
    ({ hidden, downloadable }) => hidden !== true && downloadable !== false,
  )
}
