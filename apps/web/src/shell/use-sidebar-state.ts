import { useEffect, useRef, useState } from 'react'
import { intervals } from '@headwater/web-kit'

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

/** Keeps the state of the sidebar; only the pin outlives the page. */
export function useSidebarState(): SidebarState {
  const [pinned, setPinned] = useState(readPin)
  const [expanded, setExpanded] = useState(true)
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
    },
    togglePin() {
      setPinned(!pinned)
      setUntouched(false)
      writePin(!pinned)
    },
  }
}

function readPin(): boolean {
  try {
    return localStorage.getItem(key) === 'pinned'
  } catch {
    return false
  }
}

function writePin(pinned: boolean): void {
  try {
    if (pinned) localStorage.setItem(key, 'pinned')
    else localStorage.removeItem(key)
  } catch {
    // a browser that forbids storage forgets the pin
  }
}
