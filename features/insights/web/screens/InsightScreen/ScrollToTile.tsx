import type { Tile } from '@headwater/tiles/contract'
import { useScrollToHash } from './use-place.ts'

/** Scrolls to the tile of the URL; see {@link useScrollToHash}. It stands beside the tiles, so that they appear at the same time. */
export function ScrollToTile({ tiles, block }: { tiles: readonly Tile[]; block: 'start' | 'nearest' }) {
  useScrollToHash(tiles, block)
  return null
}
