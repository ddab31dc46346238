import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { TileSize } from '@headwater/tile-data/contract'
import { useEscape } from '@headwater/web-kit'
import { followPointer, type Point, pointOf, scrollerOf, scrollNearEdge } from './follow-pointer.ts'
import { boxOfSize, draggedSize, type ResizeEdges, type TileSpace } from './tile-size.ts'

/** A tile that is being resized. */
export interface TileResize {
  /** Id of the tile. */
  id: string
  /** The dragged edges. */
  edges: ResizeEdges
  /** The new size. */
  size: TileSize
  /** The new box, relative to the upper left corner, in CSS pixels. */
  box: { left: number; width: number; height: number }
}

/**
 * Resizes tiles by dragging their edges. Escape cancels.
 * @param grid the element with the tiles, each with `data-tile-id`
 * @param onResize called with the new size when the pointer is released
 */
export function useTileResize(
  grid: RefObject<HTMLElement | null>,
  onResize: (id: string, size: TileSize) => void,
) {
  const [resize, setResize] = useState<TileResize>()
  const end = useRef<() => void>(undefined)
  const latest = useRef(onResize)
  useEffect(() => {
    latest.current = onResize
  })
  useEffect(() => () => end.current?.(), [])
  useEscape(resize !== undefined, () => end.current?.())

  function start(id: string, size: TileSize, edges: ResizeEdges, event: ReactPointerEvent<HTMLElement>) {
    const tile = event.currentTarget.closest<HTMLElement>('[data-tile-id]')
    if (event.button !== 0 || !event.isPrimary || tile === null || grid.current === null) return
    end.current?.()
    const from = pointOf(event)
    const space = spaceOf(grid.current, tile)
    const { top } = tile.getBoundingClientRect()
    const wantedAt = (at: Point) => {
      const scrolled = top - tile.getBoundingClientRect().top
      return draggedSize(size, space, edges, { x: at.x - from.x, y: at.y - from.y + scrolled })
    }
    const show = (at: Point) => {
      const wanted = wantedAt(at)
      setResize((last) =>
        last?.id === id && isSame(last.size, wanted)
          ? last
          : { id, edges, size: wanted, box: boxOfSize(wanted, size, space) },
      )
    }
    end.current = followPointer(event.currentTarget, event.pointerId, from, {
      onMove: show,
      onFrame: (at, elapsedMs) => {
        if (edges.bottom && grid.current !== null && scrollNearEdge(scrollerOf(grid.current), at, elapsedMs))
          show(at)
      },
      onDrop: (at) => {
        const wanted = wantedAt(at)
        if (!isSame(wanted, size)) latest.current(id, wanted)
      },
      onEnd: () => {
        end.current = undefined
        setResize(undefined)
      },
    })
  }

  return { resize, start }
}

function isSame(a: TileSize, b: TileSize): boolean {
  return a.tileWidth === b.tileWidth && a.tileHeight === b.tileHeight
}

/** Returns the current number of columns of a grid. */
export function columnCount(grid: HTMLElement): number {
  return getComputedStyle(grid).gridTemplateColumns.split(' ').length
}

function spaceOf(grid: HTMLElement, tile: HTMLElement): TileSpace {
  const around = grid.getBoundingClientRect()
  const { left, width, height } = tile.getBoundingClientRect()
  return {
    columns: columnCount(grid),
    gridWidth: around.width,
    gap: Number.parseFloat(getComputedStyle(grid).columnGap) || 0,
    left: left - around.left,
    width,
    height,
  }
}
