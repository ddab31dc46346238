import type { InsightContent, Tile, TileDataPrep } from '@headwater/tile-data/contract'

/** Adds parts to the insight in the builder. */
export interface Adding {
  /** Opens the picker of a quick chart. */
  onQuick: () => void
  /** Adds a tile and selects it. `picksSeries` opens the picker of its series; default false. */
  onTile: (tile: Tile, options?: { dataPrep?: TileDataPrep; picksSeries?: boolean }) => void
  /** Sets the fields with a new part, and selects the part. */
  onPart: (fields: Partial<InsightContent>, id: string) => void
}
