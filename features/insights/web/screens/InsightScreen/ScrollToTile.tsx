import type { Tile } from '@headwater/tile-data/contract'
import { useScrollToHash } from './use-page-address.ts'

/** Scrolls to the tile of the URL; see {@link useScrollToHash}. A separate component, so that it appears together with the tiles. */
export function ScrollToTile({ tiles, block }: { tiles: readonly Tile[]; block: 'start' | 'nearest' }) {
  useScrollToHash(tiles, block)
  return null
}
