import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { tallScroll } from './tall-scroll.ts'

/** Rows that are drawn above and below what is seen. */
const overscan = 10
/** Further than this nobody scrolls at once but by the scroll bar, which in a tall area moves much further at a time. */
const longestStepPx = 4000

/** The rows of a list that are drawn, and where. */
export interface RowWindow {
  /** First row that is drawn. */
  first: number
  /** First row behind those that are drawn. */
  end: number
  /** Height of the area that holds the rows. */
  areaPx: number
  /** Top of a row in that area. */
  topOf: (index: number) => number
  /** Scrolls as little as needed to see a row whole. */
  scrollTo: (index: number) => void
}

interface Seen {
  /** First row that is seen, at least in part. */
  index: number
  /** How many rows fit. */
  fit: number
  shift: number
}

/**
 * Which rows of equal height are on screen in a scrolled element, for lists of any length; a list taller than browsers
 * draw is scrolled by a shift, see `tallScroll`.
 * @param framePx height of what stands above and below the rows and never scrolls away
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, framePx }: { count: number; rowPx: number; framePx: number },
): RowWindow {
  const [seen, setSeen] = useState<Seen>({ index: 0, fit: 0, shift: 0 })
  const contentPx = count * rowPx
  const [viewPx, setViewPx] = useState(0)
  const scroll = useMemo(() => tallScroll(contentPx, viewPx), [contentPx, viewPx])
  /** Where the element was scrolled to when it was last looked at. */
  const at = useRef({ scrollTop: 0, shift: 0 })

  function show(place: { scrollTop: number; shift: number }): void {
    at.current = place
    const index = Math.max(0, Math.floor((place.scrollTop + place.shift) / rowPx))
    const fit = Math.ceil(viewPx / rowPx) + 1
    setSeen((last) =>
      last.index === index && last.fit === fit && last.shift === place.shift
        ? last
        : { index, fit, shift: place.shift },
    )
  }

  function moveTo(positionPx: number): void {
    const element = scroller.current
    if (element === null) return
    const position = Math.max(0, Math.min(contentPx - viewPx, positionPx))
    const { scrollTop, shift } = scroll.placeOf(position)
    if (Math.abs(element.scrollTop - scrollTop) >= 1) element.scrollTop = scrollTop
    show({ scrollTop: element.scrollTop, shift })
  }

  function follow(element: HTMLElement): void {
    const { scrollTop } = element
    const { scrollTop: before, shift } = at.current
    const isStep = Math.abs(scrollTop - before) <= longestStepPx
    const next = isStep
      ? scroll.placeOf(scrollTop + shift)
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
    // The list may have become shorter, or so much longer that it needs another shift.
    const { scrollTop, shift } = at.current
    if (shift !== 0 || scroll.placeOf(scrollTop).shift !== 0) moveTo(scrollTop + shift)
    else show({ scrollTop: element.scrollTop, shift: 0 })
    // The rows are drawn before the browser shows the new place, so that it is never empty.
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
