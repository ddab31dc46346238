import type { TileHeight, TileSize, TileWidth } from '@headwater/tile-data/contract'

/** Number of grid rows of each height. */
const rowsOf: Record<TileHeight, number> = { quarter: 1, half: 2, full: 4 }
const heights = ['quarter', 'half', 'full'] as const
const widths = ['half', 'full'] as const
const percentOf = { quarter: '25%', half: '50%', full: '100%' } as const
/**
 * Drag distance in pixels after which a tile at the right edge gets full width, because it cannot be dragged past the
 * edge.
 */
const edgePullPx = 40

/** Sizes of the grid and of a tile in it, in CSS pixels. */
export interface TileSpace {
  /** Number of columns. In one column every tile has full width. */
  columns: number
  /** Width of the grid. */
  gridWidth: number
  /** Gap between tiles. */
  gap: number
  /** Distance from the left edge of the grid to the left edge of the tile. */
  left: number
  /** Width of the tile. */
  width: number
  /** Height of the tile. */
  height: number
}

/** The dragged edges of a tile. */
export interface ResizeEdges {
  /** Whether the right edge is dragged. */
  right: boolean
  /** Whether the bottom edge is dragged. */
  bottom: boolean
}

/** A change of size by an arrow key. */
export type ResizeStep = 'wider' | 'narrower' | 'taller' | 'lower'

/** Returns the available size nearest to a dragged tile. */
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
 * Returns the next available size; the same size if there is no next one.
 * @param columns number of columns of the grid; with one column the width stays unchanged
 */
export function steppedSize(size: TileSize, step: ResizeStep, columns: number): TileSize {
  const { tileWidth, tileHeight } = size
  if (columns === 1 && (step === 'wider' || step === 'narrower')) return size
  const by = step === 'wider' || step === 'taller' ? 1 : -1
  return step === 'wider' || step === 'narrower'
    ? { tileWidth: next(widths, tileWidth, by), tileHeight }
    : { tileWidth, tileHeight: next(heights, tileHeight, by) }
}

/** Returns the box of a tile in another size, relative to its upper left corner, in CSS pixels. */
export function boxOfSize(
  wanted: TileSize,
  size: TileSize,
  space: TileSpace,
): { left: number; width: number; height: number } {
  return {
    // A tile of full width starts a new row.
    left: wanted.tileWidth === 'full' ? -space.left : 0,
    width: wanted.tileWidth === size.tileWidth ? space.width : widthOf(wanted.tileWidth, space),
    height: heightOf(wanted.tileHeight, size, space),
  }
}

/** Describes a size: `Half width, quarter height`. */
export function sizeLabel({ tileWidth, tileHeight }: TileSize): string {
  return `${tileWidth === 'half' ? 'Half' : 'Full'} width, ${tileHeight} height`
}

/** Formats a size in percent: `50% × 25%`. */
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
