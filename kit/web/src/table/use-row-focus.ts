import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Tracks the row that has the focus in a list whose rows are rendered only while they are visible. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, rowCount: number) {
  const [index, setIndex] = useState(0)
  const wanted = useRef<number>(undefined)
  useLayoutEffect(focusWanted)

  /** Moves the focus to a row, or to the first or last one; `scrollTo` makes it visible. */
  function moveTo(target: number, scrollTo: (index: number) => void) {
    const at = Math.min(rowCount - 1, Math.max(0, target))
    setIndex(at)
    scrollTo(at)
    wanted.current = at
    focusWanted()
  }

  /** Focuses the wanted row once it is rendered, unless the focus has moved elsewhere. */
  function focusWanted() {
    if (wanted.current === undefined) return
    const focused = document.activeElement
    const hasLeft = focused !== document.body && scroller.current?.contains(focused) !== true
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!hasLeft && !row) return
    wanted.current = undefined
    if (!hasLeft) row?.focus({ preventScroll: true })
  }

  return { current: Math.min(index, rowCount - 1), onFocus: setIndex, moveTo }
}
