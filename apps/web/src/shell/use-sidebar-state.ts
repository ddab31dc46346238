import { narrowWindow } from '@headwater/accounts/web'
import { useEffect, useRef, useState } from 'react'
import { intervals, readStoredText, useWindowMatches, writeStoredText } from '@headwater/web-kit'

const key = 'ng-sidebar'

/** State of the sidebar and its handlers. */
export interface SidebarState {
  /** Whether the sidebar shows texts beside the icons: always while it is pinned. */
  expanded: boolean
  /** Whether it stays expanded without the pointer; never in a narrow window. */
  pinned: boolean
  /** Whether the window is wide enough to pin it. */
  canPin: boolean
  /** Expands it at once. */
  expand: () => void
  /** Expands it after the hover delay. */
  pointerEntered: () => void
  /** Collapses it unless it is pinned, and cancels a pending expansion. */
  pointerLeft: () => void
  /** Pins or unpins it and stores the choice in the browser. */
  togglePin: () => void
}

/**
 * Manages the state of the sidebar. It is pinned open until the user unpins it; browser storage persists the choice. In a narrow window, it
 * would cover half of the page, so it is not pinned there.
 */
export function useSidebarState(): SidebarState {
  const [isChosen, setChosen] = useState(() => readStoredText(key) !== 'unpinned')
  const canPin = !useWindowMatches(narrowWindow)
  const pinned = isChosen && canPin
  const [expanded, setExpanded] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    expanded: pinned || expanded,
    pinned,
    canPin,
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
      setChosen(!pinned)
      // The pointer is on the sidebar, so an unpinned sidebar collapses when the pointer leaves.
      setExpanded(true)
      writeStoredText(key, pinned ? 'unpinned' : 'pinned')
    },
  }
}
