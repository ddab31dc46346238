import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { returnFocus } from '../ui/focus-back.ts'

/**
 * Tracks the row that has the focus in a list whose rows are rendered only while they are visible. If that row is removed, the
 * row at its position gets the focus; if the list is, the page.
 */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, rowCount: number) {
  const [index, setIndex] = useState(0)
  const wanted = useRef<number>(undefined)
  /** The focused element of the list. React reports no blur of an element that it removes. */
  const focused = useRef<Element>(undefined)
  const current = Math.min(index, rowCount - 1)
  useLayoutEffect(() => {
    if (focused.current?.isConnected === false) {
      focused.current = undefined
      wanted.current = current
    }
  })
  useLayoutEffect(focusWanted)
  useEffect(
    () => () => {
      if (focused.current !== undefined) returnFocus()
    },
    [],
  )

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
    const active = document.activeElement
    const hasLeft = active !== document.body && scroller.current?.contains(active) !== true
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!hasLeft && !row) return
    wanted.current = undefined
    if (!hasLeft) row?.focus({ preventScroll: true })
  }

  const handlers = {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target
      wanted.current = undefined
    },
    onBlur: () => {
      focused.current = undefined
    },
  }
  return { current, onFocusRow: setIndex, moveTo, handlers }
}
