import { type RefObject, useState } from 'react'
import { useEscape, useShortcut } from '@headwater/web-kit'

/** Whether a tile fills the window, and how that changes: `f` while the tile has the focus; Esc leaves. */
export function useFullScreen(card: RefObject<HTMLElement | null>) {
  const [full, setFull] = useState(false)
  const [focused, setFocused] = useState(false)
  function toggle(): void {
    setFull(!full)
    // A menu that closes would give the focus back to where nobody sees it.
    card.current?.focus({ preventScroll: true })
  }
  useShortcut('f', toggle, { label: 'Full screen of the tile', enabled: focused || full })
  useEscape(full, toggle)
  return {
    full,
    toggle,
    focus: {
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(card.current?.contains(document.activeElement) === true),
    },
  }
}
