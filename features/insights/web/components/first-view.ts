import type { Tile } from '../../contract/index.ts'

/** Pixels between tiles, and the width below which there is one column, as the style sheet has them. */
const gapPx = 12
const oneColumnPx = 768

/** How many of the first tiles begin above the lower edge of a window of that size that has not been scrolled. */
export function countInFirstView(
  tiles: readonly Pick<Tile, 'tileWidth' | 'tileHeight'>[],
  windowWidth: number,
  windowHeight: number,
): number {
  const unit = Math.min(280, Math.max(150, 0.18 * windowHeight))
  let top = 0
  let openHalf = 0
  return tiles.filter(({ tileWidth, tileHeight }) => {
    const units = { full: 4, quarter: 1 }[String(tileHeight)] ?? 2
    const height = units * (unit + gapPx)
    const isHalf = tileWidth === 'half' && windowWidth >= oneColumnPx
    const closesRow = isHalf && openHalf > 0
    if (!closesRow) top += openHalf
    const isInView = top < windowHeight
    if (closesRow) top += Math.max(height, openHalf)
    else if (!isHalf) top += height
    openHalf = isHalf && !closesRow ? height : 0
    return isInView
  }).length
}
