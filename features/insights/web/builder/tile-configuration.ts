import { z } from 'zod'
import { tile as tileSchema, tileDataPrep, type Tile, type TileDataPrep } from '@headwater/tile-data/contract'

/** An exported configuration of a tile. */
const tileConfiguration = z.looseObject({
  tileType: z.string(),
  tile: tileSchema,
  dataPrep: tileDataPrep.optional(),
})

/** Result of reading a file: a configuration, or the reason why it cannot be used. */
export type ImportedTile =
  { ok: true; tile: Tile; dataPrep: TileDataPrep | undefined } | { ok: false; message: string }

/** Maximum size of a file, in characters. */
const maxCharacters = 4_000_000

/** Returns the configuration of a tile as JSON text. */
export function exportTile(tile: Tile, dataPrep: TileDataPrep): string {
  return JSON.stringify({ tileType: tile.type, tile, dataPrep }, null, 2)
}

/** Parses an exported configuration for a tile. The tile types must match. */
export function importTile(text: string, expectedType: string): ImportedTile {
  let parsed: unknown
  try {
    parsed = text.length > maxCharacters ? undefined : JSON.parse(text)
  } catch {
    parsed = undefined
  }
  const result = tileConfiguration.safeParse(parsed)
  if (!result.success)
    return {
      ok: false,
      message: 'This file is not a tile configuration. Choose one that was exported from a tile.',
    }
  const { tileType, tile, dataPrep } = result.data
  if (tileType !== expectedType || tile.type !== expectedType)
    return {
      ok: false,
      message: `Imported configuration tile type missmatch. Expected tile type was ${expectedType}, received: ${tileType}. Are you sure a proper configuration file was selected?`,
    }
  return { ok: true, tile, dataPrep }
}
