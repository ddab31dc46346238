import { useEffect, useRef, useState } from 'react'
import { intervals, readStoredText, writeStoredText } from '@headwater/web-kit'

const key = 'ng-sidebar'

/** How the sidebar stands, and what moves it. */
export interface SidebarState {
  expanded: boolean
  /** Whether the page makes room for it; otherwise it floats over the page. */
  takesRoom: boolean
  pinned: boolean
  expand: () => void
  pointerEntered: () => void
  pointerLeft: () => void
  togglePin: () => void
}

/**
 * Keeps the state of the sidebar. The browser remembers the pin, and that the sidebar has folded away once: from then on
 * it begins folded, so that the page keeps its place when the pointer first leaves it.
 */
export function useSidebarState(): SidebarState {
  const [pinned, setPinned] = useState(() => readStoredText(key) === 'pinned')
  const [expanded, setExpanded] = useState(() => readStoredText(key) === null)
  const [untouched, setUntouched] = useState(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    expanded: pinned || expanded,
    takesRoom: pinned || (expanded && untouched),
    pinned,
    expand: () => setExpanded(true),
    pointerEntered() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setExpanded(true), intervals.sidebarHoverMs)
    },
    pointerLeft() {
      clearTimeout(timer.current)
      setExpanded(false)
      setUntouched(false)
      if (!pinned) writeStoredText(key, 'known')
    },
    togglePin() {
      setPinned(!pinned)
      setUntouched(false)
      writeStoredText(key, pinned ? 'known' : 'pinned')
    },
  }
}
