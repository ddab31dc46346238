import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { focusRowEvent, returnFocus } from '../ui/focus-back.ts'

/** The rows of a list, for the focus. */
export interface FocusableRows {
  count: number
  /** Returns the key of a row. */
  keyOf: (index: number) => string
  /** Returns the key that a row keeps when a newer version of its object replaces it. */
  identityOf: (index: number) => string
  /** Scrolls a row into view. */
  scrollTo: (index: number) => void
}

/** The row that had the focus last. */
interface FocusedRow {
  index: number
  key: string
  identity: string
}

/**
 * Tracks the row with the focus in a list that renders only visible rows. If the row moves, or a newer version of its object
 * replaces it, the focus follows. If the row is removed, the row at its position gets the focus. If the list is removed, the
 * page gets the focus.
 */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, rows: FocusableRows) {
  const [row, setRow] = useState<FocusedRow>()
  const wanted = useRef<number>(undefined)
  /** The focused element of the list. It is stored because React reports no blur when it removes an element. */
  const focused = useRef<Element>(undefined)
  const current = row === undefined ? 0 : indexOf(row, rows)
  // The row is gone, so the row at its position replaces it.
  if (row !== undefined && rows.count > 0 && !isAt(current, row, rows)) setRow(rowAt(current, rows))
  const last = useRef(current)
  const latest = useRef({ rows, current })
  useLayoutEffect(() => {
    latest.current = { rows, current }
    if (focused.current?.isConnected === false) {
      focused.current = undefined
      wanted.current = current
      if (last.current !== current) rows.scrollTo(current)
    }
    last.current = current
  })
  useLayoutEffect(focusWanted)
  useEffect(
    () => () => {
      if (focused.current !== undefined) returnFocus()
    },
    [],
  )
  useEffect(() => {
    const list = scroller.current
    const onFocusRow = (event: Event) => {
      if (latest.current.rows.count === 0) return
      event.preventDefault()
      wanted.current = latest.current.current
      latest.current.rows.scrollTo(wanted.current)
      focusWanted()
    }
    list?.addEventListener(focusRowEvent, onFocusRow)
    return () => list?.removeEventListener(focusRowEvent, onFocusRow)
    // oxlint-disable-next-line react/exhaustive-deps -- `focusWanted` uses only references
  }, [scroller])

  /** Moves the focus to a row, or to the first or last one, and makes it visible. */
  function moveTo(target: number) {
    const at = Math.min(rows.count - 1, Math.max(0, target))
    setRow(rowAt(at, rows))
    rows.scrollTo(at)
    wanted.current = at
    focusWanted()
  }

  /** Focuses the wanted row once it is rendered, unless the focus has moved elsewhere. */
  function focusWanted() {
    if (wanted.current === undefined) return
    const active = document.activeElement
    const hasLeft = active !== document.body && scroller.current?.contains(active) !== true
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (!hasLeft && !element) return
    wanted.current = undefined
    if (!hasLeft) element?.focus({ preventScroll: true })
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
  // The callback is stable, because all rows would render again if it changed.
  const onFocusRow = useCallback((index: number) => {
    const { rows: newest } = latest.current
    setRow((before) => (before && isAt(index, before, newest) ? before : rowAt(index, newest)))
  }, [])
  return { current, onFocusRow, moveTo, handlers }
}

function rowAt(index: number, { keyOf, identityOf }: FocusableRows): FocusedRow {
  return { index, key: keyOf(index), identity: identityOf(index) }
}

/** Returns where a row is now, or the nearest position if it is gone. */
function indexOf(row: FocusedRow, rows: FocusableRows): number {
  const { count, keyOf, identityOf } = rows
  if (row.index < count && keyOf(row.index) === row.key) return row.index
  let newer: number | undefined
  for (let index = 0; index < count; index++) {
    if (keyOf(index) === row.key) return index
    if (newer === undefined && identityOf(index) === row.identity) newer = index
  }
  return newer ?? Math.min(row.index, count - 1)
}

function isAt(index: number, row: FocusedRow, { keyOf }: FocusableRows): boolean {
  return index === row.index && keyOf(index) === row.key
}
