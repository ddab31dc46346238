import type { TileHeight, TileSize, TileWidth } from '../../contract/index.ts'

/** Rows of the grid that each height spans. */
const rowsOf: Record<TileHeight, number> = { quarter: 1, half: 2, full: 4 }
const heights = ['quarter', 'half', 'full'] as const
const widths = ['half', 'full'] as const
const percentOf = { quarter: '25%', half: '50%', full: '100%' } as const
/** A tile at the right edge of the page cannot be dragged past it: so many pixels make it as wide as the page. */
const edgePullPx = 40

/** Lengths of the grid and of a tile in it, in CSS pixels. */
export interface TileSpace {
  /** In one column every tile is as wide as the page, whatever its width is. */
  columns: number
  gridWidth: number
  gap: number
  /** Distance from the left edge of the grid to that of the tile. */
  left: number
  width: number
  height: number
}

/** The edges of a tile that are dragged. */
export interface ResizeEdges {
  right: boolean
  bottom: boolean
}

/** What an arrow key does to the size of a tile. */
export type ResizeStep = 'wider' | 'narrower' | 'taller' | 'lower'

/** The listed size nearest to a tile whose edges were dragged so far, in CSS pixels. */
export function draggedSize(
  size: TileSize,
  space: TileSpace,
  edges: ResizeEdges,
  by: { x: number; y: number },
): TileSize {
  const isAtEdge = size.tileWidth === 'half' && space.left + space.width >= space.gridWidth - 1
  const width = space.width + by.x
  const height = space.height + by.y
  return {
    tileWidth:
      !edges.right || space.columns === 1
        ? size.tileWidth
        : isAtEdge
          ? by.x >= edgePullPx
            ? 'full'
            : 'half'
          : nearest(widths, width, (each) => widthOf(each, space)),
    tileHeight: edges.bottom
      ? nearest(heights, height, (each) => heightOf(each, size, space))
      : size.tileHeight,
  }
}

/**
 * The next size in the list; the same at its end.
 * @param columns of the grid; in one column the width stays
 */
export function steppedSize(size: TileSize, step: ResizeStep, columns: number): TileSize {
  const { tileWidth, tileHeight } = size
  if (columns === 1 && (step === 'wider' || step === 'narrower')) return size
  const by = step === 'wider' || step === 'taller' ? 1 : -1
  return step === 'wider' || step === 'narrower'
    ? { tileWidth: next(widths, tileWidth, by), tileHeight }
    : { tileWidth, tileHeight: next(heights, tileHeight, by) }
}

/** Where a tile of another size would lie, from its present left and upper edge, in CSS pixels. */
export function boxOfSize(
  wanted: TileSize,
  size: TileSize,
  space: TileSpace,
): { left: number; width: number; height: number } {
  return {
    // As wide as the page it begins a row of its own.
    left: wanted.tileWidth === 'full' ? -space.left : 0,
    width: wanted.tileWidth === size.tileWidth ? space.width : widthOf(wanted.tileWidth, space),
    height: heightOf(wanted.tileHeight, size, space),
  }
}

/** A size in words: `Half width, quarter height`. */
export function sizeLabel({ tileWidth, tileHeight }: TileSize): string {
  return `${tileWidth === 'half' ? 'Half' : 'Full'} width, ${tileHeight} height`
}

/** A size as it is offered in the settings: `50% × 25%`. */
export function sizePercent({ tileWidth, tileHeight }: TileSize): string {
  return `${percentOf[tileWidth]} × ${percentOf[tileHeight]}`
}

function widthOf(tileWidth: TileWidth, { gridWidth, gap }: TileSpace): number {
  return tileWidth === 'full' ? gridWidth : (gridWidth - gap) / 2
}

function heightOf(tileHeight: TileHeight, size: TileSize, { height, gap }: TileSpace): number {
  const row = (height + gap) / rowsOf[size.tileHeight]
  return row * rowsOf[tileHeight] - gap
}

function nearest<T>(all: readonly T[], wanted: number, lengthOf: (each: T) => number): T {
  return all.toSorted((a, b) => Math.abs(lengthOf(a) - wanted) - Math.abs(lengthOf(b) - wanted))[0]!
}

function next<T>(all: readonly T[], current: T, by: number): T {
  return all[all.indexOf(current) + by] ?? current
}
