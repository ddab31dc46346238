import type { Tile } from '@headwater/tile-data/contract'

/** Sizes of the style sheet, in pixels: gap between tiles, unit of heights, and the width below which there is one column. */
const gapPx = 12
const unitPx = { min: 150, ofWindow: 0.18, max: 280 }
const oneColumnPx = 768

/**
 * Returns the number of first tiles that can begin above the lower edge of a window of this size before scrolling. It needs no layout and
 * ignores the content above the tiles, so it can count one row too many, but never one too few.
 */
export function countInFirstView(
  tiles: readonly Pick<Tile, 'tileWidth' | 'tileHeight'>[],
  windowWidth: number,
  windowHeight: number,
): number {
  const unit = Math.min(unitPx.max, Math.max(unitPx.min, unitPx.ofWindow * windowHeight))
  let top = 0
  let openHalf = 0
  let count = 0
  for (const { tileWidth, tileHeight } of tiles) {
    const units = { full: 4, quarter: 1 }[String(tileHeight)] ?? 2
    const height = units * (unit + gapPx)
    const isHalf = tileWidth === 'half' && windowWidth >= oneColumnPx
    const closesRow = isHalf && openHalf > 0
    if (!closesRow) top += openHalf
    if (top >= windowHeight) break
    count += 1
    if (closesRow) top += Math.max(height, openHalf)
    else if (!isHalf) top += height
    openHalf = isHalf && !closesRow ? height : 0
  }
  return count
}
