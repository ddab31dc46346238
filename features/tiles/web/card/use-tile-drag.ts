import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useEscape } from '@headwater/web-kit'
import { followPointer, type Point, pointOf, scrollerOf, scrollNearEdge } from './follow-pointer.ts'

/** Side of a tile where a dragged tile would be dropped. */
export type DropSide = 'above' | 'below' | 'left' | 'right'

/** A dragged tile. */
export interface TileDrag {
  /** Id of the dragged tile. */
  id: string
  /** Start position of the pointer, in CSS pixels of the window. */
  from: Point
  /** Target of the drop; undefined if the tile would not move. */
  drop: { id: string; side: DropSide } | undefined
}

/**
 * Moves tiles by dragging their handles. Escape or a release outside the tiles cancels the drag. Uses pointer events,
 * because native dragging does not support touch and ends when the page renders again.
 * @param grid the element with the tiles, each with `data-tile-id`
 * @param ids ids of the tiles in their order
 * @param onMove receives the new position of the tile among the other tiles
 */
export function useTileDrag(
  grid: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onMove: (id: string, to: number) => void,
) {
  const [drag, setDrag] = useState<TileDrag>()
  const end = useRef<() => void>(undefined)
  const latest = useRef({ ids, onMove })
  useEffect(() => {
    latest.current = { ids, onMove }
  })
  useEffect(() => () => end.current?.(), [])
  useEscape(drag !== undefined, () => end.current?.())

  function start(id: string, event: ReactPointerEvent<HTMLElement>) {
    if (event.button !== 0 || !event.isPrimary) return
    end.current?.()
    const from = pointOf(event)
    const targetAt = (at: Point) => {
      const target = grid.current === null ? undefined : nearestTile(grid.current, at)
      const to = target && indexAt(latest.current.ids, id, target)
      return to === undefined ? undefined : { drop: target, to }
    }
    const show = (at: Point) => {
      const drop = targetAt(at)?.drop
      setDrag((last) =>
        last?.id === id && last.drop?.id === drop?.id && last.drop?.side === drop?.side
          ? last
          : { id, from, drop },
      )
    }
    end.current = followPointer(event.currentTarget, event.pointerId, from, {
      onMove: show,
      onFrame: (at, elapsedMs) => {
        if (grid.current !== null && scrollNearEdge(scrollerOf(grid.current), at, elapsedMs)) show(at)
      },
      onDrop: (at) => {
        const to = targetAt(at)?.to
        if (to !== undefined) latest.current.onMove(id, to)
      },
      onEnd: () => {
        end.current = undefined
        setDrag(undefined)
      },
    })
  }

  return { drag, start }
}

/** Returns the new position of a tile among the others; undefined if it would not move. */
function indexAt(
  ids: readonly string[],
  id: string,
  drop: { id: string; side: DropSide },
): number | undefined {
  const others = ids.filter((each) => each !== id)
  const target = others.indexOf(drop.id)
  if (target === -1) return undefined
  const to = drop.side === 'below' || drop.side === 'right' ? target + 1 : target
  return to === ids.indexOf(id) ? undefined : to
}

/** Returns the tile at or nearest to the pointer, and the side; undefined if the pointer is outside the page. */
function nearestTile(grid: HTMLElement, { x, y }: Point): { id: string; side: DropSide } | undefined {
  const page = scrollerOf(grid).getBoundingClientRect()
  if (x < page.left || x > page.right) return undefined
  const rows = [...grid.querySelectorAll<HTMLElement>('[data-tile-id]')].map((target) => {
    const rect = target.getBoundingClientRect()
    const distance = Math.hypot(
      Math.max(rect.left - x, 0, x - rect.right),
      Math.max(rect.top - y, 0, y - rect.bottom),
    )
    return { target, rect, distance }
  })
  const nearest = rows.toSorted((a, b) => a.distance - b.distance)[0]
  if (nearest === undefined) return undefined
  const { target, rect } = nearest
  const standsBesideAnother = rect.width < grid.clientWidth * 0.75
  const side = standsBesideAnother
    ? x > rect.left + rect.width / 2
      ? 'right'
      : 'left'
    : y > rect.top + rect.height / 2
      ? 'below'
      : 'above'
  return { id: target.dataset.tileId!, side }
}
