import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { tallScroll } from './tall-scroll.ts'

/** Number of rendered rows above and below the visible ones. */
const overscan = 10
/** Longer distances can only come from the scroll bar, which moves much further at a time in a tall area. */
const longestStepPx = 4000

/** The rendered rows of a list and their positions. */
export interface RowWindow {
  /** Index of the first rendered row. */
  first: number
  /** Index after the last rendered row. */
  end: number
  /** Height of the area of the rows. */
  areaPx: number
  /** Returns the top of a row in the scroll area. */
  topOf: (index: number) => number
  /** Scrolls as little as needed to make a row fully visible. */
  scrollTo: (index: number) => void
}

interface Seen {
  /** Index of the first row that is at least partly visible. */
  index: number
  /** Number of rows that fit. */
  fit: number
  shift: number
}

/**
 * Returns which rows of equal height are visible in a scrolled element, for lists of any length. A list that is too tall for
 * browsers scrolls with a shift, see `tallScroll`.
 * @param framePx height of the fixed content above and below the rows
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, framePx }: { count: number; rowPx: number; framePx: number },
): RowWindow {
  const [seen, setSeen] = useState<Seen>({ index: 0, fit: 0, shift: 0 })
  const contentPx = count * rowPx
  const [viewPx, setViewPx] = useState(0)
  const scroll = useMemo(() => tallScroll(contentPx, viewPx), [contentPx, viewPx])
  /** Last known scroll position of the element. */
  const at = useRef({ scrollTop: 0, shift: 0 })

  function show(position: { scrollTop: number; shift: number }): void {
    at.current = position
    const index = Math.max(0, Math.floor((position.scrollTop + position.shift) / rowPx))
    const fit = Math.ceil(viewPx / rowPx) + 1
    setSeen((last) =>
      last.index === index && last.fit === fit && last.shift === position.shift
        ? last
        : { index, fit, shift: position.shift },
    )
  }

  function moveTo(positionPx: number): void {
    const element = scroller.current
    if (element === null) return
    const position = Math.max(0, Math.min(contentPx - viewPx, positionPx))
    const { scrollTop, shift } = scroll.scrollPositionOf(position)
    if (Math.abs(element.scrollTop - scrollTop) >= 1) element.scrollTop = scrollTop
    show({ scrollTop: element.scrollTop, shift })
  }

  function follow(element: HTMLElement): void {
    const { scrollTop } = element
    const { scrollTop: before, shift } = at.current
    const isStep = Math.abs(scrollTop - before) <= longestStepPx
    const next = isStep
      ? scroll.scrollPositionOf(scrollTop + shift)
      : { scrollTop, shift: scroll.shiftAfterJump(scrollTop) }
    const isMoved = next.shift !== shift && isStep
    if (isMoved && Math.abs(next.scrollTop - scrollTop) >= 1) {
      element.scrollTop = next.scrollTop
      show({ scrollTop: element.scrollTop, shift: next.shift })
    } else show({ scrollTop, shift: next.shift })
  }

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () => setViewPx(Math.max(0, element.clientHeight - framePx))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, framePx])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    // The list may now be shorter, or so much longer that it needs a different shift.
    const { scrollTop, shift } = at.current
    if (shift !== 0 || scroll.scrollPositionOf(scrollTop).shift !== 0) moveTo(scrollTop + shift)
    else show({ scrollTop: element.scrollTop, shift: 0 })
    // Renders the rows before the browser paints the new position, so that the area is never blank.
    const onScroll = () => flushSync(() => follow(element))
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
    // oxlint-disable-next-line react/exhaustive-deps -- the functions depend on exactly these
  }, [scroller, scroll, rowPx])

  const first = Math.max(0, Math.min(count, seen.index) - overscan)
  return {
    first,
    end: Math.min(count, seen.index + seen.fit + overscan),
    areaPx: scroll.areaPx,
    topOf: (index) => index * rowPx - seen.shift,
    scrollTo(index) {
      const top = index * rowPx
      const position = at.current.scrollTop + at.current.shift
      if (top < position) moveTo(top)
      else if (top + rowPx > position + viewPx) moveTo(top + rowPx - viewPx)
    },
  }
}
