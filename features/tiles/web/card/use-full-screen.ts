import { type RefObject, useState } from 'react'
import { useEscape, useShortcut } from '@headwater/web-kit'

/** Manages the full screen of a tile: `f` toggles it while the tile has the focus; Esc leaves it. */
export function useFullScreen(card: RefObject<HTMLElement | null>) {
  const [full, setFull] = useState(false)
  const [focused, setFocused] = useState(false)
  function toggle(): void {
    setFull(!full)
    // Waits, because a closing menu would return the focus to an invisible element.
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
