import { useEffect, useRef, useState } from 'react'
import { intervals, readStoredText, writeStoredText } from '@headwater/web-kit'

const key = 'ng-sidebar'

/** How the sidebar stands, and what moves it. */
export interface SidebarState {
  expanded: boolean
  pinned: boolean
  expand: () => void
  pointerEntered: () => void
  pointerLeft: () => void
  togglePin: () => void
}

/** Keeps the state of the sidebar. It is pinned open until its user unpins it, which the browser remembers. */
export function useSidebarState(): SidebarState {
  const [pinned, setPinned] = useState(() => readStoredText(key) !== 'unpinned')
  const [expanded, setExpanded] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    expanded: pinned || expanded,
    pinned,
    expand: () => setExpanded(true),
    pointerEntered() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setExpanded(true), intervals.sidebarHoverMs)
    },
    pointerLeft() {
      clearTimeout(timer.current)
      setExpanded(false)
    },
    togglePin() {
      setPinned(!pinned)
      // The pointer is on the sidebar, so one that is unpinned collapses when the pointer leaves.
      setExpanded(true)
      writeStoredText(key, pinned ? 'unpinned' : 'pinned')
    },
  }
}
